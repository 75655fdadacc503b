/// The share of requests to one server that may be retries, so that retries do not multiply the load of a server that
/// fails.
///
/// Each request earns a part of a retry, and each retry spends a whole one.
public struct RetryBudget: Hashable, Sendable {
  /// The part of a retry that each request earns. The default is 0.2: at most a fifth more requests are sent.
  public var share: Double
  /// The number of retries that are available at the beginning, and the largest number that can be saved. The default
  /// is 10.
  public var reserve: Int

  /// A budget.
  ///
  /// - Parameters:
  ///   - share: The part of a retry that each request earns. The default is 0.2.
  ///   - reserve: The number of retries that are available at the beginning, and the largest number that can be saved.
  ///     The default is 10.
  public init(share: Double = 0.2, reserve: Int = 10) {
    self.share = share
    self.reserve = reserve
  }
}

/// The retries to one server that a budget still allows.
package struct RetryBalance: Sendable {
  private var retries: Double?

  /// The balance before the first request.
  package init() {}

  /// Adds what one request earns.
  package mutating func earn(_ budget: RetryBudget) {
    let reserve = Double(budget.reserve)
    retries = min((retries ?? reserve) + max(budget.share, 0), reserve)
  }

  /// Takes one retry.
  ///
  /// - Returns: Whether there was one.
  package mutating func spend(_ budget: RetryBudget) -> Bool {
    let available = retries ?? Double(budget.reserve)
    // Sums of 0.2 are not exact.
    guard available > 1 - 1e-9 else { return false }
    retries = available - 1
    return true
  }
}
