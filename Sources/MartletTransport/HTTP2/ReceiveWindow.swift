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
  private var left: Int
  private var takenSincePause = 0
  /// How many bytes came since the pause.
  private(set) var unread = 0
  private(set) var isPaused = false

  init(smallest: Int, largest: Int) {
    self.smallest = smallest
    self.largest = max(min(largest, Self.limit), smallest)
    size = smallest
    left = smallest
  }

  /// Bytes have come, padding included; by how much the peer's window is to grow.
  mutating func received(_ count: Int) -> Int {
    left -= count
    guard !isPaused else {
      unread += count
      return 0
    }
    takenSincePause += count
    if takenSincePause >= size {
      takenSincePause = 0
      size = min(size * 2, largest)
    }
    return left <= size / 2 ? fill() : 0
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
    return left <= size / 2 ? fill() : 0
  }

  private mutating func fill() -> Int {
    defer { left = max(left, size) }
    return max(size - left, 0)
  }
}
