import NIOCore

/// How many bytes are read at once, which depends on ``ReceiveLowWaterMark``.
///
/// The mark is raised for the body of a single stream only. The server can always send more bytes than the mark: its windows are
/// refilled when half of them is used, and the mark is a quarter of them at most.
extension HTTP2Connection {
  /// Adjusts the low-water mark after bytes of a body have arrived, which is not complete.
  func adjustMark(after count: Int, of stream: HTTP2Stream) {
    let exchange = stream.exchange
    // Frames that enlarge the windows for a body that is sent must not wait for the one that is received.
    guard streams.count == 1, exchange.sending.isWhole, !stream.window.isPaused,
      let length = exchange.receiving.bodyLength
    else { return lowerMark() }
    let limit = min(stream.window.size, options.connectionWindowSize) / 4
    set(
      receiveLowWaterMark.received(
        count, rest: length - exchange.receiving.bodyBytes, at: readAt, limit: limit))
  }

  /// Adjusts the mark after some time has passed.
  func checkMark(_ now: NIODeadline) { set(receiveLowWaterMark.waited(until: now)) }

  /// Lowers the mark, because the single fast stream has ended, has been paused or is not single any more.
  func lowerMark() { set(receiveLowWaterMark.reset()) }

  private func set(_ mark: Int?) {
    if let mark { ReceiveLowWaterMark.set(mark, on: context?.channel) }
  }
}
