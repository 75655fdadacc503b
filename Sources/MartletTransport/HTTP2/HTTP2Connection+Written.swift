import NIOCore
import NIOHTTP2

/// What has become of the frames that were handed to the framing handler, which keeps some for a while, and to the socket.
extension HTTP2Connection: NIOHTTP2FrameDelegate {
  func wroteFrame(_ frame: HTTP2Frame) {
    switch frame.payload {
    case .headers: lastBegun = Int32(frame.streamID)
    case .data(let data):
      sendWindows.left(data.data.readableBytes, on: Int32(frame.streamID))
    case .rstStream(let code): wasBroken(Int32(frame.streamID), code)
    case .windowUpdate(let growth) where frame.streamID == .rootStream: budget.told(of: growth)
    case .goAway(_, let code, _): faults.note(.connection(code))
    default: break
    }
  }

  /// The framing handler has ended a stream that breaks the rules. Mostly it raises the error next; where
  /// the frame had to wait for room in the socket, that was before, and did not say which stream it was.
  private func wasBroken(_ number: Int32, _ code: HTTP2ErrorCode) {
    guard let stream = streams[number], !stream.isReset else { return }
    stream.isReset = true
    faults.note(.stream(number, code))
    // Nothing may be written while a frame is.
    loop.assumeIsolated().execute { [self] in
      faults.forget()
      if stream.isOpen { stream.exchange.fail(broken(code)) }
    }
  }

  /// Looks whether bytes of bodies have left the system: a sign of life for the connection, and for the streams that
  /// waited for them, whose own bytes they may be or lie behind.
  func lookAtSendQueue(_ now: NIODeadline) {
    let before = sendProgress
    guard sendProgress.look(at: context?.channel, now) else { return }
    liveness.left(now)
    for stream in streams.values {
      let clock = stream.exchange.clock
      guard let written = clock.lastWrite ?? clock.sentAt, !before.hasLeft(written) else {
        continue
      }
      stream.exchange.clock.markLeft(now)
    }
  }
}
