/// How long to wait before a failed request is retried.
///
/// The longest delay doubles with each failure, up to a maximum. The delay itself is a random part of it, so that clients
/// which have failed at the same time do not retry at the same time ("full jitter").
public struct Backoff: Hashable, Sendable {
  /// The longest delay after the first failure. The default is 0.2 s.
  public var initialDelay: Duration
  /// The longest delay after any failure. The default is 20 s.
  public var maximumDelay: Duration

  /// A back-off.
  ///
  /// - Parameters:
  ///   - initialDelay: The longest delay after the first failure. The default is 0.2 s.
  ///   - maximumDelay: The longest delay after any failure. The default is 20 s.
  public init(
    initialDelay: Duration = .milliseconds(200), maximumDelay: Duration = .seconds(20)
  ) {
    self.initialDelay = initialDelay
    self.maximumDelay = maximumDelay
  }

  /// Returns the delay after a failure.
  ///
  /// - Parameters:
  ///   - failures: The number of failures so far, from 1.
  ///   - random: A random number from 0 to 1.
  /// - Returns: The delay, from zero to a year.
  package func delay(after failures: Int, random: Double) -> Duration {
    let (first, limit) = (initialDelay.boundedDelay, maximumDelay.boundedDelay)
    // More doublings than these exceed any delay, and could exceed what a `Duration` holds.
    let factor = 1 << min(max(failures - 1, 0), 32)
    let longest = limit / Double(factor) < first ? limit : first * factor
    return longest * (random > 0 ? min(random, 1) : 0)
  }
}

extension Duration {
  /// The duration as a delay: not negative, and at most a year, because clocks trap for waits of centuries.
  package var boundedDelay: Duration { min(max(self, .zero), .seconds(31_536_000)) }
}
