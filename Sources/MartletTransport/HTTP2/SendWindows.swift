/// How much of the requests' bodies the peer is ready to take (RFC 9113 §6.9), without any I/O.
///
/// Only streams that have a body to send are known here. A stream's window may fall below zero, when
/// the peer lowers its setting after the bytes have gone (§6.9.2).
///
/// A peer that opens its windows by a few bytes at a time would get as many frames. So what does not fit into the
/// windows as a whole waits until they are worth a frame, as TCP does it (RFC 9293 §3.8.6.2.1).
struct SendWindows {
  private struct Window {
    var size: Int
    /// The largest that the peer has made it.
    var largest: Int
    /// Whether its rest has been sent because it did not grow.
    var wasEmptied = false

    init(_ size: Int) {
      self.size = size
      largest = size
    }

    /// - Returns: Whether it grows only now that all of it is used, and by more than a frame.
    mutating func grow(by count: Int) -> Bool {
      let isLate = wasEmptied && size <= 0 && count >= SendWindows.frame
      wasEmptied = false
      size += count
      largest = max(largest, size)
      return isLate
    }

    /// A smaller setting says how much the peer offers, at its most.
    mutating func change(from old: Int, to new: Int) {
      size += new - old
      largest = max(new < old ? new : largest, size)
    }

    mutating func empty() {
      largest = size
      wasEmptied = true
    }
  }

  /// What every peer takes in one frame (§6.5.2).
  static let frame = 16_384

  private var connectionWindow = Window(65_535)
  private var initial = 65_535
  private var streams: [Int32: Window] = [:]
  /// Whether the rest of a window waits for growth when it is not worth a frame. It does not once the peer was seen to
  /// enlarge a window only when all of it was used, by more than a frame.
  private var holdsBack = true
  /// What of each stream waits within the framing handler.
  private var unwritten: [Int32: Int] = [:]

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

  /// How many bytes of those that a stream has to send should leave now: all, or enough for a frame, or for half of
  /// what the peer has offered if that is less; otherwise none.
  func allowance(of stream: Int32, for count: Int) -> Int {
    let allowed = allowance(of: stream)
    guard holdsBack, allowed < count, let window = streams[stream] else {
      return min(allowed, count)
    }
    let worthwhile = min(Self.frame, window.largest / 2, connectionWindow.largest / 2)
    return allowed >= worthwhile ? allowed : 0
  }

  /// The peer has not enlarged its windows for a while: what a stream may send now is all that it offers.
  mutating func acceptSmall(of stream: Int32) {
    guard allowance(of: stream) > 0 else { return }
    streams[stream]?.empty()
    connectionWindow.empty()
  }

  /// Bytes have been handed to the framing handler, which keeps them until the socket has room.
  mutating func sent(_ count: Int, on stream: Int32) {
    connectionWindow.size -= count
    streams[stream]?.size -= count
    unwritten[stream, default: 0] += count
  }

  /// The framing handler has written some of them, which may be after the stream was closed.
  mutating func written(_ count: Int, on stream: Int32) {
    guard let rest = unwritten[stream] else { return }
    unwritten[stream] = rest > count ? rest - count : nil
  }

  /// The framing handler has dropped the rest: the peer never counts it.
  mutating func dropUnwritten(of stream: Int32) {
    connectionWindow.size += unwritten.removeValue(forKey: stream) ?? 0
  }

  mutating func grow(_ stream: Int32, by count: Int) {
    if streams[stream]?.grow(by: count) == true { holdsBack = false }
  }

  mutating func growConnection(by count: Int) {
    if connectionWindow.grow(by: count) { holdsBack = false }
  }

  /// The peer has changed the window that streams begin with: those under way change with it.
  mutating func initialChanged(to size: Int) {
    for stream in streams.keys { streams[stream]?.change(from: initial, to: size) }
    initial = size
  }
}
