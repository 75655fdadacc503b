public import MartletCore

/// What a session does about failures, besides reporting them.
///
///     let api = HTTPSessionManager(baseURL: url) { $0.resilience = .standard }
public struct Resilience: Sendable {
  /// When and how often failed requests are sent again. The default is never. A request can have a policy of its own,
  /// `request.retryPolicy`.
  public var retry = RetryPolicy.none
  /// When a request is sent a second time because its response does not arrive soon. The default, `nil`, is never.
  public var hedging: HedgePolicy?
  /// What takes the place of a response after all attempts have failed. The default, `nil`, is nothing.
  public var fallback: Fallback?
  /// When requests to a server that fails are refused at once. The default, `nil`, is never.
  public var circuitBreaker: CircuitBreakerPolicy?
  /// The most requests to one server that are under way at the same time. The default, `nil`, is no limit.
  public var concurrencyLimit: ConcurrencyLimit?
  /// The most requests to one server in a time. The default, `nil`, is no limit.
  public var rateLimit: RateLimit?
  /// The time, which a test can replace. The default is that of the system.
  public var clock = ResilienceClock()

  /// Nothing is done about failures.
  public init() {}

  /// Failed requests are sent again, and those to a server that goes on failing are refused for a while, with the defaults
  /// of `RetryPolicy` and `CircuitBreakerPolicy`.
  public static let standard: Resilience = {
    var resilience = Resilience()
    resilience.retry = .standard
    resilience.circuitBreaker = CircuitBreakerPolicy()
    return resilience
  }()

  /// Whether anything is done about failures.
  var isInUse: Bool {
    retry != .none || hedging != nil || fallback != nil || circuitBreaker != nil
      || concurrencyLimit != nil || rateLimit != nil
  }

  /// The interceptors that see each call, or each attempt of it.
  func callInterceptors(_ timeouts: Timeouts) -> [any Interceptor] {
    var interceptors: [any Interceptor] = []
    if let fallback { interceptors.append(FallbackInterceptor(fallback)) }
    interceptors.append(RetryInterceptor(retry, timeouts: timeouts, clock: clock))
    if let hedging { interceptors.append(HedgeInterceptor(hedging, clock: clock)) }
    return interceptors
  }

  /// The interceptors that see each exchange, below the cache.
  func exchangeInterceptors(_ timeouts: Timeouts) -> [any Interceptor] {
    var interceptors: [any Interceptor] = []
    if let circuitBreaker {
      interceptors.append(CircuitBreakerInterceptor(circuitBreaker, clock: clock))
    }
    if let rateLimit { interceptors.append(RateInterceptor(rateLimit, clock: clock)) }
    if let concurrencyLimit {
      interceptors.append(
        ConcurrencyInterceptor(concurrencyLimit, timeouts: timeouts, clock: clock))
    }
    return interceptors
  }
}
