import NIOCore
import NIOHPACK

/// A frame of the peer, or a part of a DATA frame (RFC 9113 §6).
enum HTTP2Frame {
  /// Bytes of a body. `length` counts against the windows: the bytes, and the padding that follows them (§6.1).
  case data(Int32, ByteBuffer, length: Int, isEnd: Bool)
  /// A whole header section, which may have arrived in several frames.
  case headers(Int32, HPACKHeaders, isEnd: Bool)
  case reset(Int32, HTTP2ErrorCode)
  case settings(HTTP2Settings)
  case settingsAcknowledged
  case ping(UInt64)
  case pingAcknowledged
  case goAway(last: Int32, HTTP2ErrorCode, reason: ByteBuffer)
  case windowUpdate(Int32, Int)
  /// A frame without a meaning for a client: PRIORITY, and unknown types, which must be ignored (§5.5).
  case ignored
}

/// The nine bytes before the payload of a frame (RFC 9113 §4.1).
struct FrameHeader {
  enum Kind: UInt8 {
    case data, headers, priority, reset, settings, pushPromise, ping, goAway, windowUpdate
    case continuation
  }

  static let size = 9
  static let endStream: UInt8 = 0x1
  static let acknowledged: UInt8 = 0x1
  static let endHeaders: UInt8 = 0x4
  static let padded: UInt8 = 0x8
  static let hasPriority: UInt8 = 0x20
  /// The largest payload that is sent and accepted, in bytes, which every peer accepts (§4.2).
  static let maximumLength = 16_384

  let length: Int
  /// The type, or `nil` if it is not known.
  let kind: Kind?
  let flags: UInt8
  let stream: Int32

  init(_ bytes: (UInt8, UInt16, UInt8, UInt8, UInt32)) {
    length = Int(bytes.0) << 16 | Int(bytes.1)
    kind = Kind(rawValue: bytes.2)
    flags = bytes.3
    stream = Int32(bytes.4 & 0x7FFF_FFFF)
  }

  func has(_ flag: UInt8) -> Bool { flags & flag != 0 }

  /// Checks the first byte, which is zero in each frame that is accepted, before the header is whole: a peer of another protocol
  /// may send no more. A whole header is checked in the same way, so that the fault does not depend on how its bytes arrive.
  static func check(firstByte: UInt8) throws(HTTP2Fault) {
    guard firstByte == 0 else {
      throw HTTP2Fault(.frameSizeError, "a frame of 64 KiB or more (RFC 9113 §4.2)")
    }
  }

  /// Checks the length, and whether the frame belongs to a stream or to the connection.
  func check() throws(HTTP2Fault) {
    try Self.check(firstByte: UInt8(length >> 16))
    guard length <= Self.maximumLength else {
      throw HTTP2Fault(.frameSizeError, "a frame of \(length) bytes (RFC 9113 §4.2)")
    }
    switch kind {
    case .data, .headers, .priority, .reset, .continuation: try checkStream(stream != 0)
    case .settings, .ping, .goAway: try checkStream(stream == 0)
    case .pushPromise:
      throw HTTP2Fault(.protocolError, "PUSH_PROMISE, which the settings forbid (RFC 9113 §6.6)")
    case .windowUpdate, nil: break
    }
    switch kind {
    case .priority: try checkLength(length == 5)
    case .reset, .windowUpdate: try checkLength(length == 4)
    case .ping: try checkLength(length == 8)
    case .goAway: try checkLength(length >= 8)
    case .settings: try checkLength(length % 6 == 0 && (length == 0 || !has(Self.acknowledged)))
    case .data, .headers, .continuation, .pushPromise, nil: break
    }
  }

  private func checkStream(_ isRight: Bool) throws(HTTP2Fault) {
    guard isRight else { throw HTTP2Fault(.protocolError, "\(name) on stream \(stream)") }
  }

  private func checkLength(_ isRight: Bool) throws(HTTP2Fault) {
    guard isRight else { throw HTTP2Fault(.frameSizeError, "\(name) of \(length) bytes") }
  }

  private var name: String { kind.map { "the frame “\($0)”" } ?? "an unknown frame" }
}
