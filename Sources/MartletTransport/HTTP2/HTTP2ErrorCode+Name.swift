import NIOHTTP2

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
