/// The reason for which a stream or a connection ends, as it is sent (RFC 9113 §7).
struct HTTP2ErrorCode: RawRepresentable, Hashable, Sendable {
  let rawValue: UInt32

  static let noError = HTTP2ErrorCode(rawValue: 0x0)
  static let protocolError = HTTP2ErrorCode(rawValue: 0x1)
  static let internalError = HTTP2ErrorCode(rawValue: 0x2)
  static let flowControlError = HTTP2ErrorCode(rawValue: 0x3)
  static let streamClosed = HTTP2ErrorCode(rawValue: 0x5)
  static let frameSizeError = HTTP2ErrorCode(rawValue: 0x6)
  static let refusedStream = HTTP2ErrorCode(rawValue: 0x7)
  static let cancel = HTTP2ErrorCode(rawValue: 0x8)
  static let compressionError = HTTP2ErrorCode(rawValue: 0x9)
  static let enhanceYourCalm = HTTP2ErrorCode(rawValue: 0xB)
  static let inadequateSecurity = HTTP2ErrorCode(rawValue: 0xC)
  static let http11Required = HTTP2ErrorCode(rawValue: 0xD)

  /// The name of the code in RFC 9113 §7, or its number.
  var name: String {
    Self.names.indices.contains(Int(rawValue)) ? Self.names[Int(rawValue)] : "code \(rawValue)"
  }

  private static let names = [
    "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT",
    "STREAM_CLOSED", "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR",
    "CONNECT_ERROR", "ENHANCE_YOUR_CALM", "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
  ]
}

/// A fault of the peer that ends the whole connection (RFC 9113 §5.4.1).
struct HTTP2Fault: Error, Equatable, CustomStringConvertible {
  let code: HTTP2ErrorCode
  let description: String

  init(_ code: HTTP2ErrorCode, _ description: String) {
    self.code = code
    self.description = description
  }
}
