/// The share of requests to one server that may be added to those of the application, so that retries do not multiply the
/// load of a server that fails.
///
/// Each request earns a part of an additional one. An additional request spends a whole one.
public struct RequestBudget: Hashable, Sendable {
  /// The part of an additional request that each request earns. The default is 0.2: a fifth.
  public var share: Double
  /// The number of additional requests that are available at the beginning, and the largest number that can be saved. The
  /// default is 10.
  public var reserve: Int

  /// A budget.
  ///
  /// - Parameters:
  ///   - share: The part of an additional request that each request earns. The default is 0.2.
  ///   - reserve: The number of additional requests that are available at the beginning, and the largest number that can
  ///     be saved. The default is 10.
  public init(share: Double = 0.2, reserve: Int = 10) {
    self.share = share
    self.reserve = reserve
  }
}

/// The additional requests to one server that a budget still allows.
package struct RequestBalance: Sendable {
  private var available: Double?

  /// The balance before the first request.
  package init() {}

  /// Adds what one request earns. What has been saved under a larger budget stays.
  package mutating func earn(_ budget: RequestBudget) {
    let (reserve, share) = (Double(budget.reserve), budget.share > 0 ? min(budget.share, 1) : 0)
    let saved = available ?? reserve
    available = max(saved, min(saved + share, reserve))
  }

  /// Takes one additional request.
  ///
  /// - Returns: Whether there was one.
  package mutating func spend(_ budget: RequestBudget) -> Bool {
    let saved = available ?? Double(budget.reserve)
    // Sums of 0.2 are not exact.
    guard saved > 1 - 1e-9 else { return false }
    available = saved - 1
    return true
  }
}
