public import MartletCore

/// The way of every request, as a list: each step passes it on to the one below, the last to the
/// transport, and the response comes back up the same way.
///
/// A session's pipeline reads, from the top:
///
/// 1. the application's own steps, in the order given
/// 2. ``RedirectStep``
/// 3. ``AuthenticationStep``
/// 4. ``CookieStep``, where the session has a jar
/// 5. ``CacheStep``; in a session without a cache, a step that refuses requests for kept responses only
/// 6. ``DecompressionStep``
/// 7. the transport
public struct Pipeline: Transport {
  /// One step of the list.
  enum Stage {
    /// It is passed on to as a whole.
    case whole(any Step)
    /// Most exchanges pass it by.
    case passing(any PassingStep)
  }

  /// What is at the top.
  let entry: any Transport

  /// A pipeline of `steps`, the first of which sees a request first.
  public init(_ steps: [any Step], transport: any Transport) {
    self.init(stages: steps.map { .whole($0) }, transport: transport)
  }

  /// The same for whoever knows what the steps are like.
  init(stages: [Stage], transport: any Transport) {
    entry = stages.reversed().reduce(transport) { below, stage in
      switch stage {
      case .whole(let step): Link(step: step, below: below)
      case .passing(let step):
        (below as? Passage)?.under(step) ?? Passage([step], over: below)
      }
    }
  }

  /// Sends a request down the list.
  ///
  /// - Throws: `MartletError`, unless a step or a transport of your own throws something else.
  public func send(_ request: Request) async throws -> Response {
    try await entry.send(request)
  }

  private struct Link: Transport {
    let step: any Step
    let below: any Transport

    func send(_ request: Request) async throws -> Response {
      try await step.send(request, next: below)
    }
  }
}
