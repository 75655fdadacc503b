/// The receive window of one stream (RFC 9113 §6.9), without any I/O.
///
/// The window is refilled when half of it is used, as long as the bytes are taken. It doubles, up to `largest`, each
/// time a whole window was taken without a pause, and is small again after a pause.
struct ReceiveWindow {
  /// The maximum size of a window (§6.9.1).
  static let limit = Int(Int32.max)
  /// The size of a window until a setting changes it (§6.9.2).
  static let initial = 65_535

  private let smallest: Int
  private let largest: Int
  private(set) var size: Int
  /// How many bytes the peer may still send.
  private(set) var remaining: Int
  private var takenSincePause = 0
  /// How many bytes have arrived since the pause.
  private(set) var unread = 0
  private(set) var isPaused = false

  init(smallest: Int, largest: Int) {
    self.smallest = smallest
    self.largest = max(min(largest, Self.limit), smallest)
    size = smallest
    remaining = smallest
  }

  /// Whether the peer has sent more than the window allowed. The peer has read the size of the window before the request, because
  /// the settings are sent first.
  var isOverrun: Bool { remaining < 0 }

  /// Records received bytes, including padding, and returns by how much the peer's window grows.
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

  /// Pauses the stream. The window does not grow meanwhile.
  mutating func pause() {
    isPaused = true
    takenSincePause = 0
    size = smallest
  }

  /// Resumes the stream, and returns by how much the peer's window grows.
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

/// The receive window of a connection, for all of its streams together (RFC 9113 §6.9), without any I/O.
///
/// Received bytes are credited at once, so that a paused stream does not hold up the others. Only unread bytes of
/// paused streams reduce the budget, and never below `reserve`. When the budget is used up, the windows of the streams
/// are the limit.
struct ReceiveBudget {
  private let budget: Int
  private let reserve: Int
  private var remaining = ReceiveWindow.initial
  private var unread = 0

  /// - Parameters:
  ///   - budget: How many bytes may be unread.
  ///   - reserve: How many bytes the peer may send even if more than `budget` bytes are unread.
  init(_ budget: Int, reserve: Int) {
    self.budget = min(max(budget, ReceiveWindow.initial), ReceiveWindow.limit)
    self.reserve = min(reserve, self.budget)
  }

  /// Returns by how much the window grows at the start.
  mutating func begin() -> Int { fill() }

  /// Records received bytes, including padding.
  ///
  /// - Throws: The fault of a peer that sends more than the window allowed (§6.9.1).
  mutating func received(_ count: Int) throws(HTTP2Fault) {
    remaining -= count
    guard remaining >= 0 else {
      throw HTTP2Fault(.flowControlError, "more bytes than the connection's window allows")
    }
  }

  /// Returns by how much the window grows, once half of it is used.
  mutating func refill() -> Int { remaining <= target / 2 ? fill() : 0 }

  /// Changes the number of unread bytes by `count`, which may be negative.
  mutating func unreadChanged(by count: Int) {
    unread += count
  }

  private var target: Int { max(budget - unread, reserve) }

  private mutating func fill() -> Int {
    defer { remaining = max(remaining, target) }
    return max(target - remaining, 0)
  }
}
