/// The windows of the peer for the bodies of requests (RFC 9113 §6.9), without any I/O.
///
/// Only streams with a body to send have a window here. A window may fall below zero, if the peer lowers its setting
/// after bytes were sent (§6.9.2).
///
/// If a peer enlarges its windows by a few bytes at a time, each step would cost a frame. So bytes that do not fit into
/// the windows as a whole wait until the windows allow a frame, as in TCP (RFC 9293 §3.8.6.2.1).
struct SendWindows {
  private struct Window {
    var size: Int
    /// The largest size that the peer has allowed.
    var largest: Int
    /// Whether the rest of the window was used because the window did not grow.
    var wasUsedUp = false

    init(_ size: Int) {
      self.size = size
      largest = size
    }

    /// Enlarges the window.
    ///
    /// - Returns: Whether the window grows only after all of it was used, and by at least a frame.
    mutating func grow(by count: Int) -> Bool {
      let isLate = wasUsedUp && size <= 0 && count >= SendWindows.frame
      wasUsedUp = false
      size += count
      largest = max(largest, size)
      return isLate
    }

    /// Applies a new setting. A smaller setting becomes the largest size, unless the window is larger.
    mutating func change(from old: Int, to new: Int) {
      size += new - old
      largest = max(new < old ? new : largest, size)
    }

    func check() throws(HTTP2Fault) {
      guard size <= ReceiveWindow.limit else {
        throw HTTP2Fault(.flowControlError, "a window of \(size) bytes (RFC 9113 §6.9.1)")
      }
    }

    mutating func empty() {
      largest = size
      wasUsedUp = true
    }
  }

  /// The frame size that every peer accepts (§6.5.2).
  static let frame = FrameHeader.maximumLength

  private var connectionWindow = Window(ReceiveWindow.initial)
  private var initial = ReceiveWindow.initial
  private var streams: [Int32: Window] = [:]
  /// Whether a rest of a window that is too small for a frame is held back until the window grows. This ends when the
  /// peer enlarges a window only after all of it was used, and by at least a frame.
  private var avoidsSmallWindows = true

  /// How many bytes all streams together may send.
  var connection: Int { connectionWindow.size }

  mutating func open(_ stream: Int32) {
    streams[stream] = Window(initial)
  }

  mutating func close(_ stream: Int32) {
    streams[stream] = nil
  }

  /// How many bytes a stream may send now.
  func allowance(of stream: Int32) -> Int {
    max(min(connection, streams[stream]?.size ?? 0), 0)
  }

  /// Returns how many of the bytes that a stream has to send should be sent now. If the windows do not allow all of
  /// them, they must allow a frame, or half of the largest window if that is less. Otherwise the result is 0.
  func allowance(of stream: Int32, for count: Int) -> Int {
    let allowed = allowance(of: stream)
    guard avoidsSmallWindows, allowed < count, let window = streams[stream] else {
      return min(allowed, count)
    }
    let worthwhile = min(Self.frame, window.largest / 2, connectionWindow.largest / 2)
    return allowed >= worthwhile ? allowed : 0
  }

  /// Uses what the windows allow a stream now, because the peer has not enlarged them for a while.
  mutating func useSmallWindow(of stream: Int32) {
    guard allowance(of: stream) > 0 else { return }
    streams[stream]?.empty()
    connectionWindow.empty()
  }

  /// Records bytes that have been sent.
  mutating func sent(_ count: Int, on stream: Int32) {
    connectionWindow.size -= count
    streams[stream]?.size -= count
  }

  /// Enlarges the window of a stream.
  ///
  /// - Throws: The fault of a peer that enlarges it by nothing (§6.9), or beyond the limit (§6.9.1).
  mutating func grow(_ stream: Int32, by count: Int) throws(HTTP2Fault) {
    guard count > 0 else { throw Self.growthOfNothing }
    if streams[stream]?.grow(by: count) == true { avoidsSmallWindows = false }
    try streams[stream]?.check()
  }

  /// Enlarges the window of the connection. It throws as ``grow(_:by:)`` does.
  mutating func growConnection(by count: Int) throws(HTTP2Fault) {
    guard count > 0 else { throw Self.growthOfNothing }
    if connectionWindow.grow(by: count) { avoidsSmallWindows = false }
    try connectionWindow.check()
  }

  /// Applies a new initial window, which also changes the windows of the streams under way.
  ///
  /// - Throws: The fault of a peer that enlarges a window beyond the limit (§6.9.2).
  mutating func initialChanged(to size: Int) throws(HTTP2Fault) {
    for stream in streams.keys {
      streams[stream]?.change(from: initial, to: size)
      try streams[stream]?.check()
    }
    initial = size
  }

  private static let growthOfNothing = HTTP2Fault(
    .protocolError, "a window grows by 0 (RFC 9113 §6.9)")
}
