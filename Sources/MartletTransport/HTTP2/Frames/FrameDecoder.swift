import NIOCore
import NIOHPACK

/// Turns the bytes of an HTTP/2 connection into frames (RFC 9113 §4), without any I/O.
///
/// The bytes of a body are handed on as they arrive. Of other frames, at most one is kept until it is complete.
struct FrameDecoder {
  /// A DATA frame whose payload has not arrived as a whole.
  private struct OpenData {
    let stream: Int32
    var rest: Int
    let isEnd: Bool
  }

  /// The bytes of a header or a payload that is not complete.
  private var partial = ByteBuffer()
  /// The frame whose payload is read next.
  private var header: FrameHeader?
  private var data: OpenData?
  private var block: HeaderBlock?
  /// Whether the beginning of a frame has been read: the peer uses HTTP/2.
  private(set) var hasReadFrame = false
  private let headLimit: Int
  private var hpack: HPACKDecoder

  /// - Parameter headLimit: The maximum size of a header section in bytes, counted as in §6.5.2. A larger one is a fault of the
  ///   connection.
  init(headLimit: Int) {
    self.headLimit = headLimit
    // A byte that is not UTF-8 counts as three for SwiftNIO, which repairs it. A table that is three times as large as the
    // peer's has every entry that the peer can refer to.
    hpack = HPACKDecoder(
      allocator: ByteBufferAllocator(), maxDynamicTableSize: 3 * HPACKDecoder.maxDynamicTableSize,
      maxHeaderListSize: max(headLimit, 1))
  }

  /// The stream of a header section, or of a padded part of a body, that has arrived in part.
  var incompleteStream: Int32? {
    switch header?.kind {
    case .headers, .continuation, .data: header?.stream
    default: block?.stream
    }
  }

  /// Takes the next frame from `bytes`.
  ///
  /// - Returns: The frame, or `nil` once all bytes are taken.
  mutating func next(from bytes: inout ByteBuffer) throws(HTTP2Fault) -> HTTP2Frame? {
    while true {
      if data != nil { return readData(from: &bytes) }
      guard let header = try readHeader(from: &bytes) else { return nil }
      if header.kind == .data, !header.has(FrameHeader.padded) {
        self.header = nil
        data = OpenData(
          stream: header.stream, rest: header.length, isEnd: header.has(FrameHeader.endStream))
        if header.length == 0 { return readData(from: &bytes) }
      } else {
        guard let payload = take(header.length, from: &bytes) else { return nil }
        self.header = nil
        if let frame = try frame(header, payload) { return frame }
      }
    }
  }

  // MARK: Bytes

  private mutating func readHeader(from bytes: inout ByteBuffer) throws(HTTP2Fault)
    -> FrameHeader?
  {
    if let header { return header }
    guard let next = readIntegers(from: &bytes) else {
      if let first = partial.readableBytesView.first { try FrameHeader.check(firstByte: first) }
      return nil
    }
    let header = FrameHeader(next)
    try header.check()
    try checkOrder(of: header)
    hasReadFrame = true
    self.header = header
    return header
  }

  private mutating func readIntegers(from bytes: inout ByteBuffer)
    -> (UInt8, UInt16, UInt8, UInt8, UInt32)?
  {
    if partial.readableBytes == 0, bytes.readableBytes >= FrameHeader.size {
      return bytes.readMultipleIntegers()
    }
    var header = take(FrameHeader.size, from: &bytes)
    return header?.readMultipleIntegers()
  }

  /// Returns the next `count` bytes once they have arrived. Fewer bytes are kept.
  private mutating func take(_ count: Int, from bytes: inout ByteBuffer) -> ByteBuffer? {
    if partial.readableBytes == 0, let whole = bytes.readSlice(length: count) { return whole }
    let missing = min(count - partial.readableBytes, bytes.readableBytes)
    if var next = bytes.readSlice(length: missing) { partial.writeBuffer(&next) }
    guard partial.readableBytes == count else { return nil }
    defer { partial = ByteBuffer() }
    return partial
  }

  private mutating func readData(from bytes: inout ByteBuffer) -> HTTP2Frame? {
    guard var open = data, open.rest == 0 || bytes.readableBytes > 0,
      let part = bytes.readSlice(length: min(open.rest, bytes.readableBytes))
    else { return nil }
    open.rest -= part.readableBytes
    data = open.rest > 0 ? open : nil
    return .data(
      open.stream, part, length: part.readableBytes, isEnd: open.isEnd && open.rest == 0)
  }

  // MARK: Frames

  /// §6.10 — the frames of a header section follow each other directly.
  private func checkOrder(of header: FrameHeader) throws(HTTP2Fault) {
    let isExpected =
      if let block { header.kind == .continuation && header.stream == block.stream } else {
        header.kind != .continuation
      }
    guard isExpected else {
      throw HTTP2Fault(.protocolError, "a header section in the wrong order (RFC 9113 §6.10)")
    }
  }

  private mutating func frame(_ header: FrameHeader, _ payload: ByteBuffer) throws(HTTP2Fault)
    -> HTTP2Frame?
  {
    var payload = payload
    switch header.kind {
    case .data:
      try removePadding(of: header, from: &payload)
      return .data(
        header.stream, payload, length: header.length, isEnd: header.has(FrameHeader.endStream))
    case .headers:
      try removePadding(of: header, from: &payload)
      try removePriority(of: header, from: &payload)
      return try headers(
        header,
        HeaderBlock(
          payload, on: header.stream, isEnd: header.has(FrameHeader.endStream), limit: headLimit))
    case .continuation:
      guard var block else { return nil }
      self.block = nil
      try block.append(payload)
      return try headers(header, block)
    case .settings:
      return header.has(FrameHeader.acknowledged)
        ? .settingsAcknowledged : .settings(try HTTP2Settings(payload))
    case .ping:
      let number: UInt64? = payload.readInteger()
      return header.has(FrameHeader.acknowledged) ? .pingAcknowledged : .ping(number ?? 0)
    case .reset: return .reset(header.stream, HTTP2ErrorCode(rawValue: Self.number(&payload)))
    case .windowUpdate:
      return .windowUpdate(header.stream, Int(Self.number(&payload) & 0x7FFF_FFFF))
    case .goAway:
      let last = Int32(Self.number(&payload) & 0x7FFF_FFFF)
      let code = HTTP2ErrorCode(rawValue: Self.number(&payload))
      return .goAway(last: last, code, reason: payload)
    case .priority, .pushPromise, nil: return .ignored
    }
  }

  /// Reads a number of a payload whose length has been checked.
  private static func number(_ payload: inout ByteBuffer) -> UInt32 { payload.readInteger() ?? 0 }

  private mutating func headers(_ header: FrameHeader, _ block: HeaderBlock) throws(HTTP2Fault)
    -> HTTP2Frame?
  {
    guard header.has(FrameHeader.endHeaders) else {
      self.block = block
      return nil
    }
    var bytes = block.bytes
    do {
      return .headers(
        block.stream, try hpack.decodeHeaders(from: &bytes), isEnd: block.isEnd)
    } catch is NIOHPACKErrors.MaxHeaderListSizeViolation {
      throw HTTP2Fault(.protocolError, "a header section of more than \(headLimit) bytes")
    } catch {
      throw HTTP2Fault(.compressionError, "\(error) (RFC 9113 §4.3)")
    }
  }

  /// §6.1, §6.2 — the first byte is the length of the padding at the end.
  private func removePadding(of header: FrameHeader, from payload: inout ByteBuffer)
    throws(HTTP2Fault)
  {
    guard header.has(FrameHeader.padded) else { return }
    guard let padding: UInt8 = payload.readInteger(),
      let rest = payload.readSlice(length: payload.readableBytes - Int(padding))
    else { throw HTTP2Fault(.protocolError, "more padding than payload (RFC 9113 §6.1)") }
    payload = rest
  }

  /// §6.2 — the priority is out of use, and skipped.
  private func removePriority(of header: FrameHeader, from payload: inout ByteBuffer)
    throws(HTTP2Fault)
  {
    guard header.has(FrameHeader.hasPriority) else { return }
    guard payload.readSlice(length: 5) != nil else {
      throw HTTP2Fault(.frameSizeError, "a HEADERS frame without its priority (RFC 9113 §6.2)")
    }
  }
}
