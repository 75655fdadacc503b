public import MartletCore

/// What is below a step: the steps that follow it, and the transport at the end.
public struct Next: Transport {
  /// What is known of the call.
  public let context: CallContext
  private let steps: ArraySlice<any Step>
  private let transport: any Transport

  /// A step that looks at what comes up.
  private struct Watcher {
    let place: Int
    /// The request, as it was before the step had prepared it.
    let request: Request
  }

  /// - Parameters:
  ///   - steps: The first of them sees a request first.
  ///   - transport: Gets what all of them have prepared.
  ///   - context: What is known of the call.
  init(_ steps: ArraySlice<any Step>, over transport: any Transport, _ context: CallContext) {
    self.steps = steps
    self.transport = transport
    self.context = context
  }

  /// Sends a request through what is below.
  ///
  /// All steps that need not wait prepare it one after the other, down to the first that has to; on the way up those
  /// that watch look at the response, the lowest first, and one that does not let it pass puts another in its place.
  ///
  /// - Throws: What a step or the transport throws.
  public func send(_ request: Request) async throws -> Response {
    var prepared = request
    var watchers: [Watcher] = []
    let place = prepare(&prepared, &watchers)
    do {
      var response =
        place == steps.endIndex
        ? try await transport.send(prepared)
        : try await steps[place].send(prepared, next: rest(below: place))
      while let watcher = watchers.popLast() {
        let step = steps[watcher.place]
        guard !step.passes(response, to: watcher.request, context) else { continue }
        response = try await step.response(
          after: consume response, to: watcher.request, next: rest(below: watcher.place))
      }
      return response
    } catch {
      while let watcher = watchers.popLast() {
        steps[watcher.place].failed(error, after: watcher.request, context)
      }
      throw error
    }
  }

  /// Has the steps prepare a request, and notes which of them watch.
  ///
  /// - Returns: The place of the first that has to wait; the end, if none has to.
  private func prepare(_ request: inout Request, _ watchers: inout [Watcher]) -> Int {
    for place in steps.indices {
      let before = request
      switch steps[place].prepare(&request, context) {
      case .done: continue
      case .watching:
        // As many as a session's own pipeline has, as a rule.
        if watchers.isEmpty { watchers.reserveCapacity(4) }
        watchers.append(Watcher(place: place, request: before))
      case .waiting: return place
      }
    }
    return steps.endIndex
  }

  private func rest(below place: Int) -> Next {
    Next(steps[(place + 1)...], over: transport, context)
  }
}
