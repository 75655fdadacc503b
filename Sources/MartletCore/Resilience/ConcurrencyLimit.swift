/// The most requests to one server that are under way at the same time. Others wait for their turn.
///
/// Unlike a limit on connections, it also holds for the many streams of one HTTP/2 connection.
///
///     $0.resilience.concurrencyLimit = .fixed(20)
///     $0.resilience.concurrencyLimit = .adaptive()
public struct ConcurrencyLimit: Hashable, Sendable {
  /// The limit at the beginning.
  package let initial: Int
  /// The limits between which it moves.
  package let range: ClosedRange<Int>
  /// The most requests that wait. Further ones fail with code `limitReached`. The default is 1000.
  public var maximumQueueLength = 1000

  private static let highest = 1_000_000

  private init(_ initial: Int, in range: ClosedRange<Int>) {
    self.range = range.clamped(to: 1...Self.highest)
    self.initial = min(max(initial, self.range.lowerBound), self.range.upperBound)
  }

  /// A limit that does not change, from 1 to a million.
  public static func fixed(_ limit: Int) -> ConcurrencyLimit {
    let limit = min(max(limit, 1), highest)
    return ConcurrencyLimit(limit, in: limit...limit)
  }

  /// A limit that follows the latency: it falls when responses take longer than usual, or when the server refuses
  /// requests, and rises slowly otherwise.
  ///
  /// - Parameters:
  ///   - initial: The limit at the beginning. The default is 20.
  ///   - range: The limits between which it moves. The default is from 1 to 1000.
  /// - Returns: The limit.
  public static func adaptive(initial: Int = 20, in range: ClosedRange<Int> = 1...1000)
    -> ConcurrencyLimit
  {
    ConcurrencyLimit(initial, in: range)
  }
}

/// A concurrency limit that follows the latency of one server.
///
/// The averages of a few responses show how busy the server is, and the lowest of them how fast it is without a queue. When
/// an average is more than half as long again, the limit falls in proportion; when the server has refused some of the requests,
/// it falls by their share, but by a half at most. It rises by the square root of itself, so that it finds a new optimum soon.
package struct AdaptiveLimit: Sendable {
  /// The fewest responses of an average, so that fast and slow resources are mixed.
  private static let fewest = 10
  /// The part of a new estimate that enters the limit.
  private static let smoothing = 0.5
  /// How much longer than the lowest average is still usual.
  private static let tolerance = 1.5
  /// How much the lowest average rises each time, in case the server has become slower for good.
  private static let drift = 1.002

  /// What has happened since the last change of the limit.
  private struct Sample {
    var latencies = Duration.zero
    var answered = 0
    var refused = 0
    /// The most requests that were under way.
    var inUse = 0
  }

  private var estimate: Double
  private let range: ClosedRange<Int>
  private var sample = Sample()
  /// The lowest average, in seconds.
  private var lowest: Double?

  package init(_ limit: ConcurrencyLimit) {
    estimate = Double(limit.initial)
    range = limit.range
  }

  /// The limit.
  package var limit: Int { Int(estimate.rounded(.down)) }

  /// Adapts the limit to a response.
  ///
  /// - Parameters:
  ///   - latency: The time that it took.
  ///   - inUse: The number of requests that were under way.
  package mutating func record(latency: Duration, inUse: Int) {
    sample.latencies += max(latency, .microseconds(1)).boundedDelay
    sample.answered += 1
    sample.inUse = max(sample.inUse, inUse)
    adapt()
  }

  /// Adapts the limit to a request that the server has refused, or has not answered in time.
  package mutating func recordOverload() {
    sample.refused += 1
    adapt()
  }

  private mutating func adapt() {
    let count = sample.answered + sample.refused
    guard count >= max(Self.fewest, min(limit, 100)) else { return }
    defer { sample = Sample() }
    guard sample.refused == 0 else {
      return set(estimate * max(Double(sample.answered) / Double(count), 0.5))
    }
    let average = sample.latencies / .seconds(1) / Double(count)
    let lowest = min(lowest.map { $0 * Self.drift } ?? average, average)
    self.lowest = lowest
    // As long as few requests are under way, the latency does not depend on the limit.
    guard sample.inUse * 2 >= limit else { return }
    let gradient = min(max(Self.tolerance * lowest / average, 0.5), 1)
    let target = estimate * gradient + estimate.squareRoot()
    set(estimate + (target - estimate) * Self.smoothing)
  }

  private mutating func set(_ value: Double) {
    estimate = min(max(value, Double(range.lowerBound)), Double(range.upperBound))
  }
}
