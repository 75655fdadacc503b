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
  public var longestQueue = 1000

  /// A limit that does not change.
  public static func fixed(_ limit: Int) -> ConcurrencyLimit {
    let limit = max(limit, 1)
    return ConcurrencyLimit(initial: limit, range: limit...limit)
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
    let range = max(range.lowerBound, 1)...max(range.upperBound, 1)
    let initial = min(max(initial, range.lowerBound), range.upperBound)
    return ConcurrencyLimit(initial: initial, range: range)
  }
}

/// A concurrency limit that follows the latency of one server.
///
/// The shortest latencies show how fast the server is without a queue. When requests take half as long again, the limit
/// falls in proportion. It rises by the square root of itself, so that it finds a new optimum soon.
package struct AdaptiveLimit: Sendable {
  /// The part of a new estimate that enters the limit.
  private static let smoothing = 0.2
  /// How much longer than the shortest latency is still usual.
  private static let tolerance = 1.5

  private var estimate: Double
  private let range: ClosedRange<Int>
  /// The latency without a queue, in seconds. It rises slowly, in case the server has become slower for good: it doubles
  /// in 7 000 requests.
  private var shortest: Double?

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
    let latency = max(latency / .seconds(1), 1e-6)
    shortest = min(shortest.map { $0 * 1.0001 } ?? latency, latency)
    // As long as few requests are under way, the latency does not depend on the limit.
    guard inUse * 2 >= limit, let shortest else { return }
    let gradient = min(max(Self.tolerance * shortest / latency, 0.5), 1)
    let target = estimate * gradient + estimate.squareRoot()
    set(estimate + (target - estimate) * Self.smoothing)
  }

  /// Lowers the limit after the server has refused a request, or has not answered in time.
  package mutating func recordOverload() {
    set(estimate * 0.9)
  }

  private mutating func set(_ value: Double) {
    estimate = min(max(value, Double(range.lowerBound)), Double(range.upperBound))
  }
}
