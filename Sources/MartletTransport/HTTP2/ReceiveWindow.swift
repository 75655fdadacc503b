/// How much of one response's body the peer may send ahead (RFC 9113 §6.9), without any I/O.
///
/// The window is filled again when half of it is used up, as long as the bytes are taken. It
/// doubles with every window that was taken without a pause, and is small again after one.
struct ReceiveWindow {
  /// The most that a window may hold (§6.9.1).
  static let limit = Int(Int32.max)

  private let smallest: Int
  private let largest: Int
  private var size: Int
  /// How much the peer may still send.
  private var remaining: Int
  private var takenSincePause = 0
  /// How many bytes came since the pause.
  private(set) var unread = 0
  private(set) var isPaused = false

  init(smallest: Int, largest: Int) {
    self.smallest = smallest
    self.largest = max(min(largest, Self.limit), smallest)
    size = smallest
    remaining = smallest
  }

  /// Bytes have come, padding included; by how much the peer's window is to grow.
  mutating func received(_ count: Int) -> Int {
    remaining -= count
    guard !isPaused else {
      unread += count
      return 0
    }
    takenSincePause += count
    if takenSincePause >= size {
      takenSincePause = 0
      size = min(size * 2, largest)
    }
    return remaining <= size / 2 ? fill() : 0
  }

  /// The stream is paused: the window does not grow.
  mutating func pause() {
    isPaused = true
    takenSincePause = 0
    size = smallest
  }

  /// The stream is resumed; by how much the peer's window is to grow.
  mutating func resume() -> Int {
    isPaused = false
    unread = 0
    return remaining <= size / 2 ? fill() : 0
  }

  private mutating func fill() -> Int {
    defer { remaining = max(remaining, size) }
    return max(size - remaining, 0)
  }
}

/// How much the peer may send on all streams of a connection together (RFC 9113 §6.9), without any I/O.
///
/// What arrives is credited at once, so that a stream that pauses does not hold up the others. Only what lies unread is kept back from the budget, and never so much that no stream
/// could go on: then the streams' own windows are the bound.
struct ReceiveBudget {
  /// What a connection begins with.
  private static let initialWindow = 65_535
  private let budget: Int
  private let reserve: Int
  private var remaining = initialWindow
  /// Growth that the peer has not been told of yet: while the socket is full, nothing leaves.
  private var unannounced = 0
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
    self.remaining = left + unannounced
  }

  /// The peer is being told of growth.
  mutating func announced(_ growth: Int) {
    unannounced -= growth
  }

  /// All that there was to read has been read; by how much the window is to grow.
  mutating func refill() -> Int { remaining <= target / 2 ? fill() : 0 }

  /// How much more, or less, lies unread than before.
  mutating func unreadChanged(by count: Int) {
    unread += count
  }

  private var target: Int { max(budget - unread, reserve) }

  private mutating func fill() -> Int {
    let growth = max(target - remaining, 0)
    remaining += growth
    unannounced += growth
    return growth
  }
}
