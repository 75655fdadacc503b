public import MartletCore

/// What a session does about failures, besides reporting them.
///
///     let api = HTTPSessionManager(baseURL: url) { $0.resilience = .standard }
public struct Resilience: Sendable {
  /// When and how often failed requests are retried. The default is never. A request can have a policy of its own,
  /// `request.retryPolicy`.
  public var retry = RetryPolicy.never
  /// When a request is sent a second time because its response does not arrive soon. The default, `nil`, is never.
  public var hedging: HedgePolicy?
  /// How a request is answered when all attempts have failed. The default, `nil`, is with the failure.
  public var fallback: Fallback?
  /// When requests to a server that fails are refused at once. The default, `nil`, is never.
  public var circuitBreaker: CircuitBreakerPolicy?
  /// The most requests to one server that are under way at the same time. The default, `nil`, is no limit.
  public var concurrencyLimit: ConcurrencyLimit?
  /// The most requests to one server in a time. The default, `nil`, is no limit.
  public var rateLimit: RateLimit?
  /// The time, which a test can replace. The default is that of the system.
  public var clock = ResilienceClock()

  /// Each failure is returned to the caller.
  public init() {}

  /// Failed requests are retried, and those to a server that is down are refused for a while, with the defaults of
  /// `RetryPolicy` and `CircuitBreakerPolicy`.
  public static let standard: Resilience = {
    var resilience = Resilience()
    resilience.retry = .standard
    resilience.circuitBreaker = CircuitBreakerPolicy()
    return resilience
  }()

  /// Whether anything is done about failures.
  var isInUse: Bool {
    retry.isEnabled || hedging != nil || fallback != nil || circuitBreaker != nil
      || concurrencyLimit != nil || rateLimit != nil
  }
}
