import NIOCore

/// Frames to send. For a wrong one, change a right one.
extension RawFrame {
  static func settings(_ settings: KeyValuePairs<Setting, UInt32> = [:]) -> RawFrame {
    var payload = ByteBuffer()
    for (setting, value) in settings { payload.writeMultipleIntegers(setting.rawValue, value) }
    return RawFrame(kind: .settings, payload: payload)
  }

  static let settingsAck = RawFrame(kind: .settings, flags: ack)

  static func ping(_ number: UInt64 = 0, isAck: Bool = false) -> RawFrame {
    RawFrame(kind: .ping, flags: isAck ? ack : 0, payload: ByteBuffer(integer: number))
  }

  static func headers(
    _ stream: UInt32, _ fields: KeyValuePairs<String, String> = [":status": "200"],
    end: Bool = false
  ) -> RawFrame {
    RawFrame(
      kind: .headers, flags: endHeaders | (end ? endStream : 0), stream: stream,
      payload: block(fields))
  }

  static func data(_ stream: UInt32, _ text: String, end: Bool = false) -> RawFrame {
    data(stream, ByteBuffer(string: text), end: end)
  }

  static func data(_ stream: UInt32, count: Int, end: Bool = false) -> RawFrame {
    data(stream, ByteBuffer(repeating: 0x78, count: count), end: end)
  }

  static func data(_ stream: UInt32, _ bytes: ByteBuffer, end: Bool = false) -> RawFrame {
    RawFrame(kind: .data, flags: end ? endStream : 0, stream: stream, payload: bytes)
  }

  static func reset(_ stream: UInt32, _ code: Code) -> RawFrame {
    RawFrame(kind: .reset, stream: stream, payload: ByteBuffer(integer: code.rawValue))
  }

  static func windowUpdate(_ stream: UInt32, _ count: UInt32) -> RawFrame {
    RawFrame(kind: .windowUpdate, stream: stream, payload: ByteBuffer(integer: count))
  }

  static func goAway(_ last: UInt32, _ code: Code = .noError, _ text: String = "") -> RawFrame {
    var payload = ByteBuffer()
    payload.writeMultipleIntegers(last, code.rawValue)
    payload.writeString(text)
    return RawFrame(kind: .goAway, payload: payload)
  }

  /// The frame with `count` bytes of padding (§6.1).
  func padded(by count: UInt8) -> RawFrame {
    var frame = self
    frame.flags |= Self.padded
    frame.payload = ByteBuffer(integer: count)
    frame.payload.writeImmutableBuffer(payload)
    frame.payload.writeRepeatingByte(0, count: Int(count))
    return frame
  }

  /// A header block of literals that enter no table (RFC 7541 §6.2.2), which may say anything.
  static func block(_ fields: KeyValuePairs<String, String>) -> ByteBuffer {
    var block = ByteBuffer()
    for (name, value) in fields {
      block.writeInteger(UInt8(0))
      block.writeLiteral(name)
      block.writeLiteral(value)
    }
    return block
  }
}

extension ByteBuffer {
  /// A string after its length in seven bits and as many bytes more as that takes (RFC 7541 §5).
  fileprivate mutating func writeLiteral(_ text: String) {
    var rest = text.utf8.count
    if rest < 127 {
      writeInteger(UInt8(rest))
    } else {
      writeInteger(UInt8(127))
      rest -= 127
      while rest >= 128 {
        writeInteger(UInt8(rest & 127 | 128))
        rest >>= 7
      }
      writeInteger(UInt8(rest))
    }
    writeString(text)
  }
}
