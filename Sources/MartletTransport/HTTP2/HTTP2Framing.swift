import MartletCore
import NIOCore
import NIOHTTP2

/// Sets up the handler that turns bytes into frames and back, and holds it to our limits.
///
/// It acknowledges SETTINGS and PING, checks every frame against the state of its stream, and guards
/// against floods. It leaves the windows to us, and tells of its own resets only by an error without a
/// stream's number, which `FaultLog` makes up for.
enum HTTP2Framing {
  /// The largest frame payload we accept, which is also what headers are cut at (RFC 9113 §4.2).
  private static let frameSize = 16 << 10

  static func handler(
    _ configuration: HTTPTransportConfiguration, delegate: any NIOHTTP2FrameDelegate
  ) -> NIOHTTP2Handler {
    // A head over the limit ends its own stream; only one over twice the limit ends the connection.
    let headLimit = min(max(configuration.limits.responseHeadSize, 0), 1 << 30) * 2
    var connection = NIOHTTP2Handler.ConnectionConfiguration()
    // `ResponseFields` and the bodies' lengths are checked by us, in the pass that reads them anyway.
    connection.headerBlockValidation = .disabled
    connection.contentLengthValidation = .disabled
    connection.initialSettings = [
      HTTP2Setting(parameter: .enablePush, value: 0),
      HTTP2Setting(
        parameter: .initialWindowSize, value: configuration.http2.clampedStreamWindowSize),
      HTTP2Setting(parameter: .maxHeaderListSize, value: headLimit),
    ]
    connection.maximumSequentialContinuationFrames = headLimit / frameSize + 8
    // Frames of streams that we have reset keep coming for a while. One that is not remembered would
    // end the connection.
    connection.maximumRecentlyResetStreams = 4096
    // Counted over the life of a stream, so a server that flushes nothing now and then must be let be.
    connection.maximumSequentialEmptyDataFrames = 1000
    connection.maximumConnectionGlitches = 1000
    connection.controlFrameRateLimit.maximumCount = 1000
    var stream = NIOHTTP2Handler.StreamConfiguration()
    // A server resets the stream of every upload that it answers early (RFC 9113 §8.1), thousands a second if
    // there are as many; each costs it an answer. Only what no exchange can explain is a flood.
    stream.streamResetFrameRateLimit.maximumCount = 100_000
    stream.streamErrorRateLimit.maximumCount = 1000
    return NIOHTTP2Handler(
      mode: .client, frameDelegate: delegate, connectionConfiguration: connection,
      streamConfiguration: stream)
  }
}

/// Remembers the last fault for which the framing handler ended a stream or the connection.
///
/// The error that it raises next does not say which it was.
final class FaultLog {
  enum Fault: Equatable {
    case stream(Int32, HTTP2ErrorCode)
    case connection(HTTP2ErrorCode)
  }

  private var last: Fault?

  func note(_ fault: Fault) {
    last = fault
  }

  /// No error is to come for what was noted last.
  func clear() {
    last = nil
  }

  /// The fault behind an error that has just been raised.
  func take() -> Fault? {
    defer { last = nil }
    return last
  }
}

extension HTTP2ErrorCode {
  /// The code as RFC 9113 §7 writes it, or its number.
  var name: String {
    Self.names.indices.contains(networkCode) ? Self.names[networkCode] : "code \(networkCode)"
  }

  private static let names = [
    "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT",
    "STREAM_CLOSED", "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR",
    "CONNECT_ERROR", "ENHANCE_YOUR_CALM", "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
  ]
}
