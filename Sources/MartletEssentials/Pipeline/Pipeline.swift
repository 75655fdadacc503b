public import MartletCore

/// A list of interceptors with a transport at its end: each interceptor passes a request on to the one below, the last
/// one to the transport, and the response returns the same way.
///
/// The pipeline of a session has, from the top:
///
/// 1. if there are custom interceptors or a custom transport, an interceptor that passes cancellations on to them
/// 2. the application's own interceptors that see each call (``SessionConfiguration/CustomInterceptors/perCall``)
/// 3. the interceptors of the request itself (its property `interceptors`)
/// 4. ``DeliveryInterceptor``: delivers the body as the caller wants it
/// 5. `Expect: 100-continue` for large bodies, if ``SessionConfiguration/expectContinueThreshold`` is set
/// 6. ``RetryInterceptor``: sends failed requests again; above it ``FallbackInterceptor``, and below it
///    ``HedgeInterceptor``, if ``SessionConfiguration/resilience`` has them
/// 7. downloads: writes the body to a file, resumes, and sends another request if necessary
/// 8. the session's hooks for responses and data
/// 9. ``RedirectInterceptor``
/// 10. ``AuthenticationInterceptor``
/// 11. ``CookieInterceptor``, if the session has a cookie jar
/// 12. ``DecompressionInterceptor``, if ``SessionConfiguration/decompressionLimits`` is set
/// 13. ``CacheInterceptor``; in a session without a cache, an interceptor that refuses requests that allow only stored
///     responses
/// 14. ``CircuitBreakerInterceptor``, ``RateInterceptor`` and ``ConcurrencyInterceptor``, if
///     ``SessionConfiguration/resilience`` has them
/// 15. the application's own interceptors that see each exchange
///     (``SessionConfiguration/CustomInterceptors/perExchange``)
/// 16. if there are ``SessionConfiguration/observers``, an interceptor that lets them add fields
/// 17. the transport
public struct Pipeline: Transport {
  /// The interceptors, the first of which sees a request first.
  public let interceptors: [any Interceptor]
  private let transport: any Transport
  private let first: InterceptorLink?

  /// A pipeline of `interceptors`, the first of which sees a request first, with `transport` at its end.
  ///
  /// Unless there is a ``DeliveryInterceptor`` among them, one is put before the first.
  public init(_ interceptors: [any Interceptor], transport: any Transport) {
    let delivers = interceptors.contains { $0 is DeliveryInterceptor }
    let interceptors = delivers ? interceptors : [DeliveryInterceptor()] + interceptors
    self.interceptors = interceptors
    self.transport = transport
    first = InterceptorLink.list(of: interceptors)
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

/// The part of a pipeline below an interceptor: the interceptors that follow it, and the transport at the end.
public struct Next: Transport {
  /// The context of the call.
  public let context: CallContext
  private let first: InterceptorLink?
  private let transport: any Transport

  /// - Parameters:
  ///   - first: The interceptor that sees a request first; with `nil`, only the transport handles it.
  ///   - transport: Receives the request that all interceptors have prepared.
  ///   - context: The context of the call.
  fileprivate init(_ first: InterceptorLink?, over transport: any Transport, _ context: CallContext)
  {
    self.first = first
    self.transport = transport
    self.context = context
  }

  /// The same list for a request that belongs to no task.
  var withoutTask: Next { Next(first, over: transport, CallContext(task: nil)) }

  /// A list of interceptors over a transport.
  init(
    _ interceptors: [any Interceptor], over transport: any Transport, _ context: CallContext
  ) {
    self.init(InterceptorLink.list(of: interceptors), over: transport, context)
  }

  /// Sends a request through the interceptors and the transport below.
  ///
  /// The interceptors prepare the request one after the other, down to the first interceptor that has to wait. On the
  /// way up, the interceptors that inspect responses do so, the lowest first. An interceptor that returns
  /// `.replaceResponse` then replaces the response.
  ///
  /// - Throws: What an interceptor or the transport throws.
  public func send(_ request: Request) async throws -> Response {
    var prepared = request
    var inspectors = Inspectors()
    let waiting = first?.prepareAll(&prepared, &inspectors, context)
    do {
      var response =
        if let waiting {
          try await waiting.interceptor.send(prepared, next: rest(below: waiting))
        } else {
          try await transport.send(prepared)
        }
      while let inspector = inspectors.firstToReplace(response, context) {
        response = try await inspector.link.interceptor.response(
          replacing: consume response, to: inspector.request, next: rest(below: inspector.link))
      }
      return response
    } catch {
      throw inspectors.mapError(error, context)
    }
  }

  private func rest(below link: InterceptorLink) -> Next {
    Next(link.below, over: transport, context)
  }
}
