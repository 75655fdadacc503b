import MartletCore

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
      outcome = await self.outcome(after: consume outcome, to: request, at: place)
    }
    return try outcome.get()
  }

  /// Where the way up ends for now.
  private func obstacle(above place: Int, _ outcome: Outcome, to request: Request) -> Int? {
    steps[..<place].lastIndex { !$0.passes(outcome, to: request) }
  }

  private func outcome(
    after outcome: consuming Outcome, to request: Request, at place: Int
  ) async -> Outcome {
    var request = request
    for step in steps[..<place] { _ = step.prepare(&request) }
    do {
      let response = try (consume outcome).get()
      return .success(
        try await steps[place].response(
          after: consume response, to: request, next: rest(below: place)))
    } catch {
      return .failure(error)
    }
  }

  private func rest(below place: Int) -> Passage {
    Passage(steps[(place + 1)...], over: below)
  }
}
