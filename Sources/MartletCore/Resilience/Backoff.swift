/// How long to wait before a failed request is sent again.
///
/// The longest pause doubles with each failure, up to a limit. The pause itself is a random part of it, so that clients
/// which have failed at the same time do not come back at the same time ("full jitter").
public struct Backoff: Hashable, Sendable {
  /// The longest pause after the first failure. The default is 0.2 s.
  public var first: Duration
  /// The longest pause after any failure. The default is 20 s.
  public var longest: Duration

  /// A back-off.
  ///
  /// - Parameters:
  ///   - first: The longest pause after the first failure. The default is 0.2 s.
  ///   - longest: The longest pause after any failure. The default is 20 s.
  public init(first: Duration = .milliseconds(200), longest: Duration = .seconds(20)) {
    self.first = first
    self.longest = longest
  }

  /// Returns the pause after a failure.
  ///
  /// - Parameters:
  ///   - failures: The number of failures so far, from 1.
  ///   - random: A random number from 0 to 1.
  /// - Returns: The pause, never negative.
  package func pause(after failures: Int, random: Double) -> Duration {
    let limit = max(longest, .zero)
    // More doublings than these exceed any pause, and could exceed what a `Duration` holds.
    let doublings = min(max(failures - 1, 0), 32)
    let pause = limit / Double(1 << doublings) < first ? limit : first * (1 << doublings)
    return max(pause, .zero) * random
  }
}
