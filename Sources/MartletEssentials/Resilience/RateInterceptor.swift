public import MartletCore

/// Limits the rate of requests to one server, and waits as long as the server requires.
///
/// A session with a ``/MartletCore/RateLimit`` has one below its cache.
public struct RateInterceptor: Interceptor {
  private let limit: RateLimit
  private let balances = OriginStates { RateBalance() }
  private let clock: ResilienceClock
  private let now: @Sendable () -> Duration

  /// An interceptor that limits the rate of requests.
  ///
  /// - Parameters:
  ///   - limit: The limit for each server.
  ///   - clock: The time, which a test can replace. The default is that of the system.
  public init(_ limit: RateLimit, clock: ResilienceClock = ResilienceClock()) {
    self.limit = limit
    self.clock = clock
    now = clock.stopwatch()
  }

  /// Sends the request when it is its turn.
  ///
  /// - Throws: What `next` throws; `MartletError` with code `.limitReached` if the wait would be too long, and with code
  ///   `.cancelled` during the wait.
  public func send(_ request: Request, next: Next) async throws -> Response {
    let origin = try request.origin
    guard let wait = balances.update(origin, { $0.reserve(at: now(), limit) }) else {
      throw MartletError.rateExceeded(origin, limit.longestWait)
    }
    if wait > .zero {
      request.call?.report(.rateLimited(origin, for: wait))
      try await (request.call ?? Call()).wait { [clock] in try await clock.sleep(wait) }
    }
    let response = try await next.send(request)
    let announcement = RateAnnouncement(response.head, at: clock.date())
    balances.update(origin) { $0.record(announcement, at: now()) }
    return response
  }
}

extension MartletError {
  fileprivate static func rateExceeded(_ origin: Origin, _ longest: Duration) -> MartletError {
    var error = MartletError(
      .limitReached,
      "\(origin) accepts no request within \(longest.text), by its own account or by the rate limit: send fewer, or raise the limit's `longestWait`.",
      phase: .connect)
    error.isSafeToRetry = true
    return error
  }
}
