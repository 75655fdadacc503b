import NIOCore
import NIOHTTP2

/// What has become of the frames that were handed to the framing handler, which keeps some for a while.
extension HTTP2Connection: NIOHTTP2FrameDelegate {
  func wroteFrame(_ frame: HTTP2Frame) {
    switch frame.payload {
    case .headers: lastBegun = Int32(frame.streamID)
    case .data(let data):
      sendWindows.left(data.data.readableBytes, on: Int32(frame.streamID))
    default: faults.wroteFrame(frame)
    }
  }
}
