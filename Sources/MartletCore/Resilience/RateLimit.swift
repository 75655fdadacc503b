/// The most requests to one server in a time. Others wait for their turn.
///
///     $0.resilience.rateLimit = RateLimit(requests: 100, per: .seconds(60))
///     $0.resilience.rateLimit = .announced            // only what the server says
///
/// Whatever the rate, requests also wait as long as the server requires: after a response 429, or 503, with `Retry-After`,
/// and when the fields `RateLimit` or `RateLimit-Remaining` show that its quota is used up.
public struct RateLimit: Hashable, Sendable {
  /// The time from one request to the next, on average.
  package let interval: Duration
  /// The number of requests that may be sent at once after a pause.
  public let burst: Int
  /// The longest wait. A request that would have to wait longer fails with code `limitReached`. The default is 60 s.
  public var maximumWait = Duration.seconds(60)

  /// A limit.
  ///
  /// - Parameters:
  ///   - requests: The most requests in the time, at least 1.
  ///   - duration: The time, at most a year.
  ///   - burst: The number of requests that may be sent at once after a pause, from 1 to a million. The default is a tenth
  ///     of the requests.
  public init(requests: Int, per duration: Duration, burst: Int? = nil) {
    interval = duration.boundedDelay / max(requests, 1)
    self.burst = min(max(burst ?? requests / 10, 1), 1_000_000)
  }

  /// No limit but what the server announces.
  public static let announced = RateLimit(requests: 1, per: .zero)
}

/// The requests that one server accepts at a time. It has no clock of its own.
package struct RateBalance: Sendable {
  /// What the server has announced: how many requests it accepts until when.
  private struct Quota {
    /// The number of requests that are left.
    var left: Int
    /// When more are accepted.
    var end: Duration
    /// The largest number that was left, and the longest time to the end: the same is expected after the end.
    var size: Int
    var window: Duration
  }

  /// After a pause, requests begin again at this interval, for as long as the pause was.
  private static let recoveryInterval = Duration.milliseconds(50)

  /// The time at which all requests so far would have been sent at the average rate.
  private var scheduled: Duration?
  private var pauseEnd = Duration.zero
  private var recoveryEnd = Duration.zero
  /// Before this time no request is sent.
  private var next = Duration.zero
  private var quota: Quota?

  package init() {}

  // MARK: The rate

  /// Reserves the next turn of the rate.
  ///
  /// - Parameters:
  ///   - now: The time.
  ///   - limit: The limit.
  ///   - longest: The longest wait.
  /// - Returns: The wait; `nil` if it would be too long. Nothing is reserved then.
  package mutating func reserve(at now: Duration, _ limit: RateLimit, longest: Duration)
    -> Duration?
  {
    let earliest = now - limit.interval * (limit.burst - 1)
    let turn = max(scheduled ?? earliest, earliest)
    let wait = max(turn - now, .zero)
    guard max(wait, announcedWait(at: now)) <= longest else { return nil }
    scheduled = turn + limit.interval
    return wait
  }

  /// Gives a turn back that is not used, because its request has been cancelled.
  package mutating func cancelReservation(_ limit: RateLimit) {
    scheduled = scheduled.map { $0 - limit.interval }
  }

  // MARK: What the server announces

  /// Returns how long a request whose turn it is still has to wait; zero for a request that is sent now.
  package mutating func admit(at now: Duration) -> Duration {
    let wait = announcedWait(at: now)
    guard wait <= .zero else { return wait }
    if now < recoveryEnd { next = now + Self.recoveryInterval }
    guard var quota else { return .zero }
    if now >= quota.end { (quota.left, quota.end) = (quota.size, now + quota.window) }
    quota.left -= 1
    // The second half of a quota is spread over the rest of its time.
    if quota.left * 2 < quota.size { next = max(next, now + (quota.end - now) / (quota.left + 1)) }
    self.quota = quota
    return .zero
  }

  private func announcedWait(at now: Duration) -> Duration {
    let isUsedUp = quota.map { $0.left <= 0 && now < $0.end } ?? false
    return max(pauseEnd, next, isUsedUp ? quota?.end ?? now : now) - now
  }

  /// Records what a response says about the quota.
  package mutating func record(_ announcement: RateAnnouncement, at now: Duration) {
    if let pause = announcement.pause, pause > .zero, now + pause > pauseEnd {
      pauseEnd = now + pause
      recoveryEnd = pauseEnd + pause
    }
    guard let remaining = announcement.remaining, let reset = announcement.reset else { return }
    let old = quota.flatMap { $0.end > now ? $0 : nil }
    // Responses may arrive in another order. In the same window, the smallest number is the latest.
    guard old.map({ remaining < $0.left }) ?? true else { return }
    quota = Quota(
      left: remaining, end: now + reset, size: max(quota?.size ?? 1, remaining),
      window: max(quota?.window ?? .zero, reset))
  }
}
