/// How much of the requests' bodies the peer is ready to take (RFC 9113 §6.9), without any I/O.
///
/// Only streams that have a body to send are known here. A stream's window may fall below zero, when
/// the peer lowers its setting after the bytes have gone (§6.9.2).
struct SendWindows {
  private(set) var connection = 65_535
  private var initial = 65_535
  private var streams: [Int32: Int] = [:]
  /// What of each stream waits within the framing handler.
  private var unwritten: [Int32: Int] = [:]

  mutating func open(_ stream: Int32) {
    streams[stream] = initial
  }

  mutating func close(_ stream: Int32) {
    streams[stream] = nil
  }

  /// How many bytes a stream may send now.
  func allowance(of stream: Int32) -> Int {
    max(min(connection, streams[stream] ?? 0), 0)
  }

  /// Bytes have been handed to the framing handler, which keeps them until the socket has room.
  mutating func sent(_ count: Int, on stream: Int32) {
    connection -= count
    streams[stream]? -= count
    unwritten[stream, default: 0] += count
  }

  /// The framing handler has written some of them, which may be after the stream was closed.
  mutating func left(_ count: Int, on stream: Int32) {
    guard let rest = unwritten[stream] else { return }
    unwritten[stream] = rest > count ? rest - count : nil
  }

  /// The framing handler has dropped the rest: the peer never counts it.
  mutating func dropUnwritten(of stream: Int32) {
    connection += unwritten.removeValue(forKey: stream) ?? 0
  }

  mutating func grow(_ stream: Int32, by count: Int) {
    streams[stream]? += count
  }

  mutating func growConnection(by count: Int) {
    connection += count
  }

  /// The peer has changed the window that streams begin with: those under way change with it.
  mutating func initialChanged(to size: Int) {
    for stream in streams.keys { streams[stream]? += size - initial }
    initial = size
  }
}
