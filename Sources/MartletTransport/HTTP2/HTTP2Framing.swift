import MartletCore
import NIOCore
import NIOHTTP2

/// Creates the handler that turns bytes into frames and back, with the configured limits.
///
/// The handler acknowledges SETTINGS and PING, checks every frame against the state of its stream, and guards against
/// floods. It does not enlarge the receive windows. It reports its own resets only by an error without a stream's
/// number, so `LastFault` records the number.
enum HTTP2Framing {
  /// The largest frame payload that is accepted, in bytes (RFC 9113 §4.2). A larger header section takes several
  /// frames.
  private static let frameSize = 16 << 10

  static func handler(
    _ configuration: HTTPTransportConfiguration, delegate: any NIOHTTP2FrameDelegate
  ) -> NIOHTTP2Handler {
    // A head over the limit ends its own stream. Only a head over twice the limit ends the connection.
    let headLimit = min(max(configuration.limits.responseHeadSize, 0), 1 << 30) * 2
    var connection = NIOHTTP2Handler.ConnectionConfiguration()
    // `ResponseFields` and `HTTP2Connection` check the fields and the lengths of bodies when they read them.
    connection.headerBlockValidation = .disabled
    connection.contentLengthValidation = .disabled
    connection.initialSettings = [
      HTTP2Setting(parameter: .enablePush, value: 0),
      HTTP2Setting(
        parameter: .initialWindowSize, value: configuration.http2.clampedStreamWindowSize),
      HTTP2Setting(parameter: .maxHeaderListSize, value: headLimit),
    ]
    connection.maximumSequentialContinuationFrames = headLimit / frameSize + 8
    // Frames of a stream keep arriving for a while after its reset. If the stream is not remembered, they end the
    // connection.
    connection.maximumRecentlyResetStreams = 4096
    // The count restarts only when a response begins or ends, so a server must be allowed an empty frame now and then.
    connection.maximumSequentialEmptyDataFrames = 1000
    connection.maximumConnectionGlitches = 1000
    connection.controlFrameRateLimit.maximumCount = 1000
    var stream = NIOHTTP2Handler.StreamConfiguration()
    // A server resets the stream of every upload that it answers early (RFC 9113 §8.1), perhaps thousands a second.
    // Each reset costs the server a response. Only resets that exchanges cannot explain are a flood.
    stream.streamResetFrameRateLimit.maximumCount = 100_000
    stream.streamErrorRateLimit.maximumCount = 1000
    return NIOHTTP2Handler(
      mode: .client, frameDelegate: delegate, connectionConfiguration: connection,
      streamConfiguration: stream)
  }
}

/// Records the last fault for which the framing handler ended a stream or the connection.
///
/// The error that the handler raises next does not state which fault it was.
final class LastFault {
  enum Fault: Equatable {
    case stream(Int32, HTTP2ErrorCode)
    case connection(HTTP2ErrorCode)
  }

  private var last: Fault?

  func record(_ fault: Fault) {
    last = fault
  }

  /// Forgets the last fault, because no error will follow it.
  func clear() {
    last = nil
  }

  /// Removes and returns the fault that caused the error that has just been raised.
  func take() -> Fault? {
    defer { last = nil }
    return last
  }
}

extension HTTP2ErrorCode {
  /// The name of the code in RFC 9113 §7, or its number.
  var name: String {
    Self.names.indices.contains(networkCode) ? Self.names[networkCode] : "code \(networkCode)"
  }

  private static let names = [
    "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT",
    "STREAM_CLOSED", "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR",
    "CONNECT_ERROR", "ENHANCE_YOUR_CALM", "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
  ]
}
