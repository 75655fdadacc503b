public import MartletCore

/// The way of every request, as a list: each step passes it on to the one below, the last to the
/// transport, and the response comes back up the same way.
///
/// A session's reads, from the top:
///
/// 1. where there are steps or a transport of the application's own, what has a cancellation reach them
/// 2. the application's own steps that see each call (``SessionConfiguration/Steps/perCall``)
/// 3. ``DeliveryStep``: the body goes where the caller wants it
/// 4. asking leave for large bodies, where ``SessionConfiguration/expectsContinueAbove`` says so
/// 5. downloads: into a file, on from where an earlier one ended, once more if need be
/// 6. the session's hooks for responses and data
/// 7. ``RedirectStep``
/// 8. ``AuthenticationStep``
/// 9. ``CookieStep``, where the session has a jar
/// 10. ``CacheStep``; in a session without a cache, a step that refuses requests for kept responses only
/// 11. the application's own steps that see each exchange (``SessionConfiguration/Steps/perExchange``)
/// 12. ``DecompressionStep``
/// 13. the transport
public struct Pipeline: Transport {
  /// The steps, the first of which sees a request first.
  public let steps: [any Step]
  private let transport: any Transport
  private let first: Next.Link?

  /// A pipeline of `steps`, the first of which sees a request first, with `transport` at its end.
  ///
  /// Unless there is a ``DeliveryStep`` among them, one is put before the first.
  public init(_ steps: [any Step], transport: any Transport) {
    let delivers = steps.contains { $0 is DeliveryStep }
    let steps = delivers ? steps : [DeliveryStep()] + steps
    self.steps = steps
    self.transport = transport
    first = steps.reversed().reduce(nil) { below, step in Next.Link(step, above: below) }
  }

  /// Sends a request down the list.
  ///
  /// - Throws: `MartletError`, unless a step or a transport of your own throws something else.
  public func send(_ request: Request) async throws -> Response {
    try await send(request, of: nil)
  }

  /// The same for a session's task.
  func send(_ request: Request, of task: SessionTask?) async throws -> Response {
    try await Next(first, over: transport, CallContext(task: task)).send(request)
  }
}
