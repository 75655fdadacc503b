/// When a second request is sent because the first has no response yet. The first response counts, and the other request
/// is cancelled.
///
/// It shortens the longest latencies of a service with several machines. Only requests are sent twice that are idempotent,
/// or have an `Idempotency-Key`, whose bodies can be sent again, and whose responses are collected in memory.
///
///     $0.resilience.hedging = .after(.milliseconds(50))
///     $0.resilience.hedging = .afterPercentile(95)
public struct HedgePolicy: Hashable, Sendable {
  /// The time after which the second request is sent.
  package enum Delay: Hashable, Sendable {
    case fixed(Duration)
    /// The time within which this part of the recent responses has arrived.
    case observed(Double)
  }

  package let delay: Delay
  /// The share of requests to one server that may be sent twice. The default is a twentieth.
  public var budget = RequestBudget(share: 0.05, reserve: 5)

  /// A policy that sends a second request after a fixed time.
  public static func after(_ delay: Duration) -> HedgePolicy {
    HedgePolicy(delay: .fixed(delay.boundedDelay))
  }

  /// A policy that sends a second request when the first takes longer than most of the recent ones to the same server.
  ///
  /// - Parameter percentile: The percentage of recent requests that have been faster, such as 95. There is no second request
  ///   before 20 of them.
  /// - Returns: The policy.
  public static func afterPercentile(_ percentile: Double) -> HedgePolicy {
    HedgePolicy(delay: .observed(percentile > 0 ? min(percentile / 100, 1) : 0))
  }
}

/// The latencies of the latest requests to one server.
package struct RecentLatencies: Sendable {
  private static let capacity = 200
  private static let fewest = 20

  private var latencies: [Duration] = []
  private var oldest = 0

  package init() {}

  /// Adds the latency of a request, in place of the oldest one.
  package mutating func add(_ latency: Duration) {
    guard latencies.count == Self.capacity else { return latencies.append(latency) }
    latencies[oldest] = latency
    oldest = (oldest + 1) % Self.capacity
  }

  /// Returns the time after which a second request is sent; `nil` as long as too little is known.
  package func delay(_ policy: HedgePolicy) -> Duration? {
    switch policy.delay {
    case .fixed(let delay): return delay
    case .observed(let part):
      guard latencies.count >= Self.fewest else { return nil }
      let index = Int((Double(latencies.count - 1) * part).rounded())
      return latencies.sorted()[index]
    }
  }
}
