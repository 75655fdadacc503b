import MartletCore

/// A step that most exchanges pass by: it prepares the request, looks at the response, and seldom has to wait.
///
/// Those that stand in a row are passed in one go (``Passage``). To wait at each of them, on the way down and on
/// the way up, would take longer than all that they do.
protocol PassingStep: Step {
  /// Prepares a request.
  ///
  /// - Returns: Whether that will do. If not, the request is as it was, and `send` takes it from here.
  func prepare(_ request: inout Request) -> Bool

  /// Looks at how a request that was prepared has ended.
  ///
  /// - Parameters:
  ///   - result: The response, or what was thrown.
  ///   - request: The request as it was before any step in the row had prepared it.
  /// - Returns: Whether that goes on up as it is; always, when it is an error.
  func passes(_ result: Result<Response, any Error>, to request: Request) -> Bool

  /// What goes on up in place of a response that does not pass.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - request: The request as this step was given it, not prepared.
  ///   - next: What is below.
  /// - Throws: What `next` throws, or the step's own error.
  func response(
    after response: Response, to request: Request, next: any Transport
  ) async throws -> Response
}

/// Steps that stand in a row, and what is below them.
struct Passage: Transport {
  private typealias Outcome = Result<Response, any Error>

  private let steps: ArraySlice<any PassingStep>
  private let below: any Transport

  /// - Parameters:
  ///   - steps: The first of them sees a request first.
  ///   - below: Gets what all of them have prepared.
  init(_ steps: ArraySlice<any PassingStep>, over below: any Transport) {
    self.steps = steps
    self.below = below
  }

  /// The same with one more step at the top.
  func under(_ step: any PassingStep) -> Passage {
    Passage([step] + steps, over: below)
  }

  func send(_ request: Request) async throws -> Response {
    var prepared = request
    var place = steps.startIndex
    while place < steps.endIndex, steps[place].prepare(&prepared) { place += 1 }
    var outcome: Outcome
    do {
      let response =
        place == steps.endIndex
        ? try await below.send(prepared)
        : try await steps[place].send(prepared, next: rest(below: place))
      outcome = .success(response)
    } catch {
      outcome = .failure(error)
    }
    while let obstacle = obstacle(above: place, outcome, to: request) {
      place = obstacle
      outcome = await self.outcome(after: outcome, to: request, at: place)
    }
    return try outcome.get()
  }

  /// Where the way up ends for now.
  private func obstacle(above place: Int, _ outcome: Outcome, to request: Request) -> Int? {
    steps[..<place].lastIndex { !$0.passes(outcome, to: request) }
  }

  private func outcome(
    after outcome: Outcome, to request: Request, at place: Int
  ) async -> Outcome {
    var request = request
    for step in steps[..<place] { _ = step.prepare(&request) }
    do {
      return .success(
        try await steps[place].response(
          after: outcome.get(), to: request, next: rest(below: place)))
    } catch {
      return .failure(error)
    }
  }

  private func rest(below place: Int) -> Passage {
    Passage(steps[(place + 1)...], over: below)
  }
}
