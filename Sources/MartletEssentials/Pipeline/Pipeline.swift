public import MartletCore

/// The way of every request, as a list: each interceptor passes it on to the one below, the last to the
/// transport, and the response comes back up the same way.
///
/// A session's reads, from the top:
///
/// 1. where there are interceptors or a transport of the application's own, what has a cancellation reach them
/// 2. the application's own interceptors that see each call (``SessionConfiguration/CustomInterceptors/perCall``)
/// 3. ``DeliveryInterceptor``: the body goes where the caller wants it
/// 4. asking leave for large bodies, where ``SessionConfiguration/expectContinueThreshold`` says so
/// 5. downloads: into a file, on from where an earlier one ended, once more if need be
/// 6. the session's hooks for responses and data
/// 7. ``RedirectInterceptor``
/// 8. ``AuthenticationInterceptor``
/// 9. ``CookieInterceptor``, where the session has a jar
/// 10. ``CacheInterceptor``; in a session without a cache, an interceptor that refuses requests for kept responses only
/// 11. the application's own interceptors that see each exchange
///     (``SessionConfiguration/CustomInterceptors/perExchange``)
/// 12. ``DecompressionInterceptor``
/// 13. the transport
public struct Pipeline: Transport {
  /// The interceptors, the first of which sees a request first.
  public let interceptors: [any Interceptor]
  private let transport: any Transport
  private let first: Next.Link?

  /// A pipeline of `interceptors`, the first of which sees a request first, with `transport` at its end.
  ///
  /// Unless there is a ``DeliveryInterceptor`` among them, one is put before the first.
  public init(_ interceptors: [any Interceptor], transport: any Transport) {
    let delivers = interceptors.contains { $0 is DeliveryInterceptor }
    let interceptors = delivers ? interceptors : [DeliveryInterceptor()] + interceptors
    self.interceptors = interceptors
    self.transport = transport
    first = interceptors.reversed().reduce(nil) { below, interceptor in
      Next.Link(interceptor, above: below)
    }
  }

  /// Sends a request down the list.
  ///
  /// - Throws: `MartletError`, unless an interceptor or a transport of your own throws something else.
  public func send(_ request: Request) async throws -> Response {
    try await send(request, of: nil)
  }

  /// The same for a session's task.
  func send(_ request: Request, of task: SessionTask?) async throws -> Response {
    try await Next(first, over: transport, CallContext(task: task)).send(request)
  }
}

/// What is below an interceptor: the interceptors that follow it, and the transport at the end.
public struct Next: Transport {
  /// What is known of the call.
  public let context: CallContext
  private let first: Link?
  private let transport: any Transport

  /// An interceptor, with those below it.
  final class Link: Sendable {
    fileprivate let interceptor: any Interceptor
    fileprivate let below: Link?

    init(_ interceptor: any Interceptor, above below: Link?) {
      self.interceptor = interceptor
      self.below = below
    }
  }

  /// An interceptor that looks at what comes up.
  private struct Watcher {
    let link: Link
    /// The request, as the interceptor has prepared it.
    let request: Request
  }

  /// - Parameters:
  ///   - first: The interceptor that sees a request first; without any, all is left to the transport.
  ///   - transport: Gets what all of them have prepared.
  ///   - context: What is known of the call.
  init(_ first: Link?, over transport: any Transport, _ context: CallContext) {
    self.first = first
    self.transport = transport
    self.context = context
  }

  /// Sends a request through what is below.
  ///
  /// All interceptors that need not wait prepare it one after the other, down to the first that has to; on the way up
  /// those that watch look at the response, the lowest first, and one that has to wait puts another in its place.
  ///
  /// - Throws: What an interceptor or the transport throws.
  public func send(_ request: Request) async throws -> Response {
    var prepared = request
    var watchers: [Watcher] = []
    let waiting = prepare(&prepared, &watchers)
    do {
      var response =
        if let waiting {
          try await waiting.interceptor.send(prepared, next: rest(below: waiting))
        } else {
          try await transport.send(prepared)
        }
      while let watcher = watchers.popLast() {
        let inspection = watcher.link.interceptor.inspect(
          response, to: watcher.request, context: context)
        guard case .replaceResponse = inspection else { continue }
        response = try await watcher.link.interceptor.response(
          replacing: consume response, to: watcher.request, next: rest(below: watcher.link))
      }
      return response
    } catch {
      var error = error
      while let watcher = watchers.popLast() {
        error = watcher.link.interceptor.mapError(error, after: watcher.request, context: context)
      }
      throw error
    }
  }

  /// Has the interceptors prepare a request, and notes which of them watch.
  ///
  /// - Returns: The first that has to wait, if any has to.
  private func prepare(_ request: inout Request, _ watchers: inout [Watcher]) -> Link? {
    var place = first
    while let link = place {
      switch link.interceptor.prepare(&request, context: context) {
      case .passThrough: break
      case .inspectResponse:
        // As many as a session's own pipeline has, as a rule.
        if watchers.isEmpty { watchers.reserveCapacity(4) }
        watchers.append(Watcher(link: link, request: request))
      case .callSend: return link
      }
      place = link.below
    }
    return nil
  }

  private func rest(below link: Link) -> Next {
    Next(link.below, over: transport, context)
  }
}
