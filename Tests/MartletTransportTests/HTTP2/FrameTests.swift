import NIOCore
import NIOHPACK
import Testing

@testable import MartletTransport

/// The bytes of frames (RFC 9113 §4, §6), without a connection.
struct FrameTests {
  /// What a decoder makes of bytes: a line for each frame, with the parts of a body put together.
  private func reading(_ bytes: ByteBuffer, inPiecesOf size: Int) throws -> [String] {
    var decoder = FrameDecoder(headLimit: 64 << 10)
    var lines: [String] = []
    var body = ByteBuffer()
    var rest = bytes
    while var piece = rest.readSlice(length: min(size, rest.readableBytes)),
      piece.readableBytes > 0
    {
      while let frame = try decoder.next(from: &piece) {
        if case .data(let stream, let part, let length, let isEnd) = frame {
          body.writeImmutableBuffer(part)
          if isEnd { lines.append("data \(stream) \(String(buffer: body)) \(length > 0)") }
        } else {
          lines.append("\(frame)")
        }
      }
      #expect(piece.readableBytes == 0)
    }
    return lines
  }

  @Test func `a head that has arrived in part is known by its stream, and other frames are not`()
    throws
  {
    for (frame, stream) in [
      (RawFrame.headers(3), 3), (.windowUpdate(3, 1), nil), (.reset(3, .cancel), nil),
    ] as [(RawFrame, Int32?)] {
      var decoder = FrameDecoder(headLimit: 1 << 10)
      var bytes = frame.bytes
      var part = bytes.readSlice(length: bytes.readableBytes - 1) ?? ByteBuffer()
      #expect(try decoder.next(from: &part) == nil)
      #expect(decoder.incompleteStream == stream)
      #expect(try decoder.next(from: &bytes) != nil)
      #expect(decoder.incompleteStream == nil)
    }
  }

  private var peer: ByteBuffer {
    var padded = RawFrame.data(1, "padded ")
    padded.flags |= RawFrame.padded
    padded.payload = ByteBuffer(bytes: [3]) + padded.payload + ByteBuffer(bytes: [0, 0, 0])
    var first = RawFrame.headers(3, ["a": "b"])
    first.flags &= ~RawFrame.endHeaders
    let last = RawFrame(
      kind: .continuation, flags: RawFrame.endHeaders, stream: 3,
      payload: RawFrame.block(["c": "d"]))
    let frames: [RawFrame] = [
      .settings([.initialWindowSize: 70_000]), .headers(1), padded, .data(1, "and not", end: true),
      first, last, .ping(7), .windowUpdate(0, 9), .reset(3, .cancel), .goAway(3),
    ]
    return frames.reduce(into: ByteBuffer()) { $0.writeImmutableBuffer($1.bytes) }
  }

  @Test(arguments: [1, 2, 3, 8, 9, 10, 31, 1_000])
  func `frames mean the same however their bytes are cut`(size: Int) throws {
    let lines = try reading(peer, inPiecesOf: size)
    #expect(lines == (try reading(peer, inPiecesOf: .max)))
    #expect(lines.count == 8)
    #expect(lines.contains("data 1 padded and not true"))
  }

  @Test func `a peer of another protocol is noticed by its first byte (§4.2)`() throws {
    for text in ["H", "oops", "HTTP/1.1 400 Bad Request\r\n\r\n"] {
      var decoder = FrameDecoder(headLimit: 1_000)
      var bytes = ByteBuffer(string: text)
      let fault = #expect(throws: HTTP2Fault.self) { try decoder.next(from: &bytes) }
      #expect(fault?.code == .frameSizeError)
      #expect(!decoder.hasReadFrame)
    }
  }

  @Test func `the bytes of a body are handed on before their frame is complete`() throws {
    var decoder = FrameDecoder(headLimit: 1_000)
    var bytes = RawFrame.data(1, "hello", end: true).bytes
    var start = bytes.readSlice(length: FrameHeader.size + 2) ?? ByteBuffer()
    guard case .data(1, let part, 2, false)? = try decoder.next(from: &start) else {
      Issue.record("The first part of the body was not returned.")
      return
    }
    #expect(String(buffer: part) == "he")
    #expect(try decoder.next(from: &start) == nil)
    guard case .data(1, _, 3, true)? = try decoder.next(from: &bytes) else {
      Issue.record("The last part of the body does not end it.")
      return
    }
  }

  @Test(arguments: [0, 1, 16_384, 16_385, 40_000])
  func `a body is cut into frames, of which the last one ends the stream (§6.1)`(count: Int) throws
  {
    var encoder = FrameEncoder()
    encoder.add(ByteBuffer(repeating: 0x78, count: count), on: 5, isEnd: true)
    var bytes = encoder.take()
    var decoder = FrameDecoder(headLimit: 1_000)
    var lengths: [Int] = []
    var ends: [Bool] = []
    while case .data(5, _, let length, let isEnd)? = try decoder.next(from: &bytes) {
      lengths.append(length)
      ends.append(isEnd)
    }
    #expect(lengths.reduce(0, +) == count)
    #expect(lengths.allSatisfy { $0 <= 16_384 })
    #expect(ends == Array(repeating: false, count: ends.count - 1) + [true])
  }

  @Test(arguments: [0, 10, 2_000])
  func `a header section is cut into frames that follow each other (§6.10)`(fields: Int) throws {
    var section = HPACKHeaders()
    for number in 0..<fields {
      section.add(name: "name-\(number)", value: "value, value, value \(number)")
    }
    var encoder = FrameEncoder()
    try encoder.add(section, on: 7, isEnd: true)
    encoder.addReset(7, .cancel)
    var bytes = encoder.take()
    var decoder = FrameDecoder(headLimit: 1 << 20)
    guard case .headers(7, let decoded, true)? = try decoder.next(from: &bytes) else {
      Issue.record("The section was not returned.")
      return
    }
    #expect(decoded == section)
    guard case .reset(7, .cancel)? = try decoder.next(from: &bytes) else {
      Issue.record("The next frame was not returned.")
      return
    }
  }

  @Test func `a head over the limit is a fault, however small its bytes are (§10.5.1)`() throws {
    var section = HPACKHeaders()
    for _ in 0..<100 { section.add(name: "name", value: String(repeating: "x", count: 50)) }
    var encoder = FrameEncoder()
    try encoder.add(section, on: 1, isEnd: true)
    var bytes = encoder.take()
    #expect(bytes.readableBytes < 1_000)
    var decoder = FrameDecoder(headLimit: 1_000)
    let fault = #expect(throws: HTTP2Fault.self) { try decoder.next(from: &bytes) }
    #expect(fault?.code == .protocolError)
  }

  @Test func `the memory of bytes that were sent is used again, unless others have been added`() {
    var encoder = FrameEncoder()
    encoder.addPing(1, isAcknowledgement: false)
    var sent = encoder.take()
    let memory = sent.withVeryUnsafeBytes { $0.baseAddress }
    encoder.reuse(&sent)
    #expect(encoder.output.readableBytes == 0)
    encoder.addReset(1, .cancel)
    #expect(encoder.output.withVeryUnsafeBytes { $0.baseAddress } == memory)
    encoder.reuse(&sent)
    #expect(encoder.output.readableBytes == FrameHeader.size + 4)
  }

  @Test func `empty frames are a flood only one after the other`() throws {
    var floodGuard = FloodGuard()
    let now = NIODeadline.now()
    func check(_ text: String) throws {
      let bytes = ByteBuffer(string: text)
      try floodGuard.check(
        .data(1, bytes, length: bytes.readableBytes, isEnd: false), at: now, isSocketFull: false)
    }
    for _ in 0..<2_000 {
      try check("")
      try check("x")
    }
    for _ in 0..<1_000 { try check("") }
    #expect(throws: HTTP2Fault.self) { try check("") }
  }

  @Test func `a PING for each round trip is no flood, unless its answers cannot be sent`() throws {
    var floodGuard = FloodGuard()
    let now = NIODeadline.now()
    for _ in 0..<100_000 { try floodGuard.check(.ping(0), at: now, isSocketFull: false) }
    #expect(throws: HTTP2Fault.self) {
      try floodGuard.check(.ping(0), at: now, isSocketFull: false)
    }
    for _ in 0..<1_000 { try floodGuard.check(.ping(0), at: now, isSocketFull: true) }
    #expect(throws: HTTP2Fault.self) {
      try floodGuard.check(.ping(0), at: now, isSocketFull: true)
    }
  }

  @Test func `a setting that is stated twice has its last value, and the effect of the first`()
    throws
  {
    var payload = ByteBuffer()
    for (name, value) in [(1, 0), (1, 4_096), (4, 70_000), (4, 100), (3, 5), (3, 7)] {
      payload.writeMultipleIntegers(UInt16(name), UInt32(value))
    }
    let settings = try HTTP2Settings(payload)
    #expect(settings.headerTable ?? (1, 1) == (0, 4_096))
    #expect(settings.initialWindow ?? (1, 1) == (70_000, 100))
    #expect(settings.maximumStreams == 7)
  }

  @Test func `a header section in many small frames is read`() throws {
    var decoder = FrameDecoder(headLimit: 128 << 10)
    var first = RawFrame.headers(1)
    first.flags &= ~RawFrame.endHeaders
    var bytes = first.bytes
    for number in 1...200 {
      let value = String(repeating: "v", count: 500)
      bytes.writeImmutableBuffer(
        RawFrame(
          kind: .continuation, flags: number == 200 ? RawFrame.endHeaders : 0, stream: 1,
          payload: RawFrame.block(["name-\(number)": value])
        ).bytes)
    }
    guard case .headers(1, let section, _)? = try decoder.next(from: &bytes) else {
      Issue.record("The section was not returned.")
      return
    }
    #expect(section.count == 201)
  }

  @Test(arguments: [(256, 33), (510, 33), (512, 34)])
  func `a header section has as many frames as its limit allows (§10.5.1)`(limit: Int, most: Int)
    throws
  {
    var block = HeaderBlock(ByteBuffer(), on: 1, isEnd: true, limit: limit)
    for _ in 2...most { try block.append(ByteBuffer()) }
    let fault = #expect(throws: HTTP2Fault.self) { try block.append(ByteBuffer()) }
    #expect(fault?.code == .enhanceYourCalm)
  }

  @Test func `a header section has as many bytes as its limit allows (§10.5.1)`() throws {
    let part = ByteBuffer(repeating: 0, count: 128)
    var block = HeaderBlock(part, on: 1, isEnd: true, limit: 256)
    try block.append(part)
    let fault = #expect(throws: HTTP2Fault.self) { try block.append(ByteBuffer(bytes: [0])) }
    #expect(fault?.code == .protocolError)
    #expect(block.bytes.readableBytes == 256)
  }

  @Test func `values that are not UTF-8 do not push others out of the table (RFC 7541 §4.1)`()
    throws
  {
    // 30 fields of 133 bytes each, as the peer counts them, fill its table of 4096 bytes.
    let field = [0x40, 1, 0x78, 100] + [UInt8](repeating: 0xE9, count: 100)
    let first = Array(repeating: field, count: 30).flatMap { $0 }
    // The field that was added first is the last of the table.
    let oldest: [UInt8] = [0x80 | (61 + 30)]
    var decoder = FrameDecoder(headLimit: 64 << 10)
    for block in [first, oldest] {
      var bytes = RawFrame(
        kind: .headers, flags: RawFrame.endHeaders, stream: 1, payload: ByteBuffer(bytes: block)
      ).bytes
      guard case .headers(1, let section, _)? = try decoder.next(from: &bytes) else {
        Issue.record("There is no header section.")
        return
      }
      #expect(section.allSatisfy { $0.name == "x" })
      #expect(section.count == (block == oldest ? 1 : 30))
    }
  }

  @Test func `as many events are a flood in half a minute, and none in more`() throws {
    var floodGuard = FloodGuard()
    let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)
    func check(after seconds: Int64) throws {
      try floodGuard.check(.ignored, at: start + .seconds(seconds), isSocketFull: false)
    }
    for _ in 0..<1_000 { try check(after: 0) }
    #expect(throws: HTTP2Fault.self) { try check(after: 29) }
    for _ in 0..<1_000 { try check(after: 30) }
    #expect(throws: HTTP2Fault.self) { try check(after: 31) }
  }

  @Test func `as much is skipped after a stream as its window had allowed`() throws {
    var frames = LateFrames()
    #expect(throws: HTTP2Fault.self) { try frames.skip(bytes: 1) }
    frames = LateFrames()
    frames.allow(window: 100_000, headLimit: 1 << 10)
    frames.allow(window: -5, headLimit: 1 << 10)
    try frames.skip(bytes: 100_000)
    try frames.skip(bytes: 65_535)
    let fault = #expect(throws: HTTP2Fault.self) { try frames.skip(bytes: 1) }
    #expect(fault?.code == .streamClosed)
    for _ in 0..<2_000 { try frames.skipSection() }
    #expect(throws: HTTP2Fault.self) { try frames.skipSection() }
    // As many heads as may be in a stream: those with a status only have 14 bytes.
    frames = LateFrames()
    frames.allow(window: 0, headLimit: 28_000)
    for _ in 0..<2_000 { try frames.skipSection() }
    #expect(throws: HTTP2Fault.self) { try frames.skipSection() }
  }
}

extension ByteBuffer {
  fileprivate static func + (left: ByteBuffer, right: ByteBuffer) -> ByteBuffer {
    var both = left
    both.writeImmutableBuffer(right)
    return both
  }
}
