import MartletCore
import NIOCore
import NIOHTTP2

/// What the peer may send: the windows of streams and connection (§6.9).
extension HTTP2Connection {
  /// Bytes have come on a stream.
  func credit(_ stream: HTTP2Stream, for count: Int) {
    let growth = stream.window.received(count)
    if stream.window.isPaused { budget.unreadChanged(by: count) }
    grow(stream.number, by: growth)
  }

  /// A stream is paused or resumed.
  func setPaused(_ isPaused: Bool, _ stream: HTTP2Stream) {
    guard !isPaused else { return stream.window.pause() }
    giveBackUnread(of: stream)
    let growth = stream.window.resume()
    if !stream.exchange.receiving.isWhole { grow(stream.number, by: growth) }
  }

  /// What lay unread for a stream does not any more.
  func giveBackUnread(of stream: HTTP2Stream) {
    guard stream.window.unread > 0 else { return }
    budget.unreadChanged(by: -stream.window.unread)
    // While frames are being read, the window that is known lags behind; their end refills it.
    if !isReading { grow(0, by: budget.refill()) }
  }

  /// Lets the peer send more on a stream, or on the connection as number 0.
  func grow(_ number: Int32, by count: Int) {
    guard count > 0 else { return }
    write(
      HTTP2Frame(
        streamID: HTTP2StreamID(number), payload: .windowUpdate(windowSizeIncrement: count)))
  }
}
