/// The most requests to one server in a time. Others wait for their turn.
///
///     $0.resilience.rateLimit = RateLimit(requests: 100, per: .seconds(60))
///     $0.resilience.rateLimit = .announced            // only what the server says
///
/// Whatever the rate, requests also wait as long as the server requires: after a response 429, or 503, with `Retry-After`, and
/// when the fields `RateLimit` or `RateLimit-Remaining` show that its quota is used up.
public struct RateLimit: Hashable, Sendable {
  /// The time from one request to the next, on average.
  package let interval: Duration
  /// The number of requests that may be sent at once after a pause. The default is a tenth of the requests.
  public var burst: Int
  /// The longest wait. A request that would have to wait longer fails with code `limitReached`. The default is 60 s.
  public var longestWait = Duration.seconds(60)

  /// A limit.
  ///
  /// - Parameters:
  ///   - requests: The most requests in the time.
  ///   - duration: The time.
  ///   - burst: The number of requests that may be sent at once after a pause. The default is a tenth of the requests, and
  ///     at least one.
  public init(requests: Int, per duration: Duration, burst: Int? = nil) {
    interval = max(duration, .zero) / max(requests, 1)
    self.burst = max(burst ?? requests / 10, 1)
  }

  /// No limit but what the server announces.
  public static let announced = RateLimit(requests: 1, per: .zero)
}

/// The requests that one server accepts at a time. It has no clock of its own.
package struct RateBalance: Sendable {
  /// The time at which all requests so far would have been sent at the average rate.
  private var scheduled: Duration?
  /// No request is sent before.
  private var pauseEnd = Duration.zero
  /// What is left of the quota that the server has announced, and when it is renewed.
  private var quota: (left: Int, end: Duration)?

  package init() {}

  /// Reserves the time at which a request may be sent.
  ///
  /// - Parameters:
  ///   - now: The time.
  ///   - limit: The limit.
  /// - Returns: The wait; `nil` if it would be too long. Nothing is reserved then.
  package mutating func reserve(at now: Duration, _ limit: RateLimit) -> Duration? {
    let earliest = now - limit.interval * (limit.burst - 1)
    let slot = max(scheduled ?? earliest, earliest)
    var time = max(slot, pauseEnd, now)
    if let quota, quota.end > time, quota.left <= 0 { time = quota.end }
    let wait = time - now
    guard wait <= limit.longestWait else { return nil }
    scheduled = slot + limit.interval
    if let left = quota?.left { quota?.left = left - 1 }
    return wait
  }

  /// Records what a response says about the quota.
  package mutating func record(_ announcement: RateAnnouncement, at now: Duration) {
    if let pause = announcement.pause { pauseEnd = max(pauseEnd, now + pause) }
    guard let remaining = announcement.remaining, let reset = announcement.reset else { return }
    let end = now + reset
    // Responses may arrive in another order. In the same window, the smallest number is the latest.
    let isSame = quota.map { $0.end > now && $0.left < remaining } ?? false
    if !isSame { quota = (remaining, end) }
  }
}
