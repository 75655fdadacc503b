import NIOCore
import NIOHPACK

/// Turns frames into the bytes of an HTTP/2 connection (RFC 9113 §4), without any I/O.
///
/// The bytes are collected until ``take()``, so that all frames of one turn of the loop are one write.
struct FrameEncoder {
  private(set) var output = ByteBuffer()
  private var hpack = HPACKEncoder(allocator: ByteBufferAllocator())

  /// Adds what a client sends first: the preface and its settings (§3.4).
  mutating func begin(_ settings: [(HTTP2Settings.Name, Int)]) {
    output.writeStaticString("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
    addHeader(.settings, length: settings.count * 6)
    for (name, value) in settings {
      output.writeMultipleIntegers(name.rawValue, UInt32(clamping: value))
    }
  }

  /// Adds a header section. If it is larger than a frame, CONTINUATION frames follow (§6.10).
  mutating func add(_ section: HPACKHeaders, on stream: Int32, isEnd: Bool) throws(HTTP2Fault) {
    let start = output.writerIndex
    let flags = isEnd ? FrameHeader.endStream : 0
    addHeader(.headers, flags: flags | FrameHeader.endHeaders, stream: stream, length: 0)
    do { try hpack.encode(headers: section, to: &output) } catch { throw Self.fault(error) }
    let length = output.writerIndex - start - FrameHeader.size
    guard length > FrameHeader.maximumLength else {
      output.setInteger(UInt16(length), at: start + 1)
      return
    }
    var block = output.getSlice(at: start + FrameHeader.size, length: length) ?? ByteBuffer()
    output.moveWriterIndex(to: start)
    add(&block, as: .headers, flags: flags, lastFlag: FrameHeader.endHeaders, on: stream)
  }

  /// Adds bytes of a body, in as many frames as they need. The last frame ends the stream if `isEnd`.
  mutating func add(_ bytes: ByteBuffer, on stream: Int32, isEnd: Bool) {
    var rest = bytes
    let frames = rest.readableBytes / FrameHeader.maximumLength + 1
    output.reserveCapacity(minimumWritableBytes: rest.readableBytes + frames * FrameHeader.size)
    add(&rest, as: .data, lastFlag: isEnd ? FrameHeader.endStream : 0, on: stream)
  }

  mutating func addReset(_ stream: Int32, _ code: HTTP2ErrorCode) {
    addHeader(.reset, stream: stream, length: 4)
    output.writeInteger(code.rawValue)
  }

  mutating func addWindowUpdate(_ stream: Int32, by growth: Int) {
    addHeader(.windowUpdate, stream: stream, length: 4)
    output.writeInteger(UInt32(clamping: growth))
  }

  mutating func addSettingsAcknowledgement() {
    addHeader(.settings, flags: FrameHeader.acknowledged, length: 0)
  }

  mutating func addPing(_ number: UInt64, isAcknowledgement: Bool) {
    addHeader(.ping, flags: isAcknowledgement ? FrameHeader.acknowledged : 0, length: 8)
    output.writeInteger(number)
  }

  /// Adds the end of the connection. No stream of the server's was accepted, so the last one is 0.
  mutating func addGoAway(_ code: HTTP2ErrorCode) {
    addHeader(.goAway, length: 8)
    output.writeMultipleIntegers(UInt32(0), code.rawValue)
  }

  /// Limits the table of the peer's decoder (§6.5.2). A larger table than the default is not used.
  mutating func limitTable(to size: Int) throws(HTTP2Fault) {
    do {
      try hpack.setDynamicTableSize(min(size, HPACKEncoder.defaultDynamicTableSize))
    } catch {
      throw Self.fault(error)
    }
  }

  private static func fault(_ error: any Error) -> HTTP2Fault {
    HTTP2Fault(.internalError, "the header section cannot be compressed: \(error)")
  }

  /// Returns the collected bytes, and begins anew.
  mutating func take() -> ByteBuffer {
    defer { output = ByteBuffer() }
    return output
  }

  /// Uses the memory of bytes that have been sent for the next ones, if there are none yet and nothing else refers to it.
  mutating func reuse(_ sent: inout ByteBuffer) {
    guard output.readableBytes == 0, sent.capacity <= 64 << 10 else { return }
    sent.clear()
    swap(&output, &sent)
  }

  private mutating func add(
    _ payload: inout ByteBuffer, as first: FrameHeader.Kind, flags: UInt8 = 0, lastFlag: UInt8,
    on stream: Int32
  ) {
    var kind = first
    var flags = flags
    repeat {
      let length = min(payload.readableBytes, FrameHeader.maximumLength)
      let isLast = length == payload.readableBytes
      addHeader(kind, flags: flags | (isLast ? lastFlag : 0), stream: stream, length: length)
      if var part = payload.readSlice(length: length) { output.writeBuffer(&part) }
      if kind == .headers { kind = .continuation }
      flags = 0
    } while payload.readableBytes > 0
  }

  private mutating func addHeader(
    _ kind: FrameHeader.Kind, flags: UInt8 = 0, stream: Int32 = 0, length: Int
  ) {
    output.writeMultipleIntegers(
      UInt8(length >> 16), UInt16(truncatingIfNeeded: length), kind.rawValue, flags, stream)
  }
}
