import NIOCore

/// A frame as it lies on the wire (RFC 9113 §4.1), whether it follows the rules or not.
struct RawFrame: Sendable {
  /// The types of RFC 9113 §6, by their numbers.
  enum Kind: UInt8, Sendable {
    case data, headers, priority, reset, settings, pushPromise, ping, goAway, windowUpdate
    case continuation
  }

  static let endStream: UInt8 = 0x1
  static let ack: UInt8 = 0x1
  static let endHeaders: UInt8 = 0x4
  static let padded: UInt8 = 0x8

  var kind: Kind
  var flags: UInt8 = 0
  var stream: UInt32 = 0
  var payload = ByteBuffer()
  /// Which of the reads from the socket brought it.
  var flight = 0
  /// What a received header block says.
  var fields: [(name: String, value: String)] = []

  var isEnd: Bool { (kind == .data || kind == .headers) && flags & Self.endStream != 0 }
  var isAck: Bool { flags & Self.ack != 0 }

  /// The first value of a field.
  subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

  /// The number that RST_STREAM and WINDOW_UPDATE consist of.
  var number: UInt32? { payload.getInteger(at: payload.readerIndex) }

  /// The code of RST_STREAM or GOAWAY.
  var code: Code? {
    let offset = kind == .goAway ? 4 : 0
    return payload.getInteger(at: payload.readerIndex + offset).flatMap { Code(rawValue: $0) }
  }

  /// The settings of a SETTINGS frame (§6.5.1).
  var settings: [Setting: UInt32] {
    var payload = payload
    var settings: [Setting: UInt32] = [:]
    while let (number, value) = payload.readMultipleIntegers(as: (UInt16, UInt32).self) {
      if let setting = Setting(rawValue: number) { settings[setting] = value }
    }
    return settings
  }

  /// All of it, as it is sent.
  var bytes: ByteBuffer {
    var bytes = ByteBuffer()
    bytes.writeInteger(UInt8(payload.readableBytes >> 16))
    bytes.writeInteger(UInt16(payload.readableBytes & 0xFFFF))
    bytes.writeMultipleIntegers(kind.rawValue, flags, stream)
    bytes.writeImmutableBuffer(payload)
    return bytes
  }
}

extension RawFrame {
  /// The codes of RFC 9113 §7.
  enum Code: UInt32, Sendable {
    case noError, protocolError, internalError, flowControlError, settingsTimeout, streamClosed
    case frameSizeError, refusedStream, cancel, compressionError, connectError, enhanceYourCalm

    /// As RFC 9113 spells it.
    var name: String {
      "\(self)".map { $0.isUppercase ? "_\($0)" : $0.uppercased() }.joined()
    }
  }

  /// The settings of RFC 9113 §6.5.2.
  enum Setting: UInt16, Sendable {
    case headerTableSize = 1, enablePush, maxConcurrentStreams, initialWindowSize, maxFrameSize
    case maxHeaderListSize
  }
}
