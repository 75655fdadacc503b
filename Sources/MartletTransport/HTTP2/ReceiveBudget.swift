/// How much the peer may send on all streams of a connection together (RFC 9113 §6.9), without any I/O.
///
/// What arrives is credited at once, so that a stream that pauses does not hold up the others. Only what lies unread is kept back from the budget, and never so much that no stream
/// could go on: then the streams' own windows are the bound.
struct ReceiveBudget {
  /// What a connection begins with.
  private static let initialWindow = 65_535
  private let budget: Int
  private let reserve: Int
  private var left = initialWindow
  /// Growth that the peer has not been told of yet: while the socket is full, nothing leaves.
  private var untold = 0
  private var unread = 0

  /// - Parameters:
  ///   - budget: How much may lie unread.
  ///   - reserve: What the peer may send all the same.
  init(_ budget: Int, reserve: Int) {
    self.budget = min(max(budget, Self.initialWindow), ReceiveWindow.limit)
    self.reserve = min(reserve, self.budget)
  }

  /// By how much the window is to grow at the start.
  mutating func begin() -> Int { fill() }

  /// The window, as the peer knows it, is at `left` now.
  mutating func changed(to left: Int) {
    self.left = left + untold
  }

  /// The peer is being told of growth.
  mutating func told(of growth: Int) {
    untold -= growth
  }

  /// All that there was to read has been read; by how much the window is to grow.
  mutating func refill() -> Int { left <= target / 2 ? fill() : 0 }

  /// How much more, or less, lies unread than before.
  mutating func unreadChanged(by count: Int) {
    unread += count
  }

  private var target: Int { max(budget - unread, reserve) }

  private mutating func fill() -> Int {
    let growth = max(target - left, 0)
    left += growth
    untold += growth
    return growth
  }
}
