import HTTPTypes
import MartletCore
import MartletTransport
import NIOCore
import Testing

/// A peer that keeps the engine busy with nothing loses its connection (RFC 9113 §10.5).
@Suite(.timeLimit(.minutes(5)))
struct FloodTests {
  struct Flood: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var code = "ENHANCE_YOUR_CALM"
    /// What comes first, and what comes again and again.
    var start: [RawFrame] = []
    var frame: RawFrame
    var count = 2_000
  }

  private static let floods = [
    Flood(testDescription: "GOAWAY", frame: .goAway(0x7FFF_FFFF)),
    Flood(testDescription: "SETTINGS", frame: .settings()),
    Flood(
      testDescription: "PRIORITY",
      frame: RawFrame(kind: .priority, stream: 1, payload: ByteBuffer(bytes: [0, 0, 0, 0, 1]))),
    Flood(testDescription: "RST_STREAM", start: [], frame: .reset(3, .cancel), count: 101_000),
    Flood(testDescription: "empty DATA", start: [.headers(1)], frame: .data(1, "")),
    Flood(
      testDescription: "CONTINUATION",
      start: [RawFrame(kind: .headers, stream: 1, payload: RawFrame.block([":status": "200"]))],
      frame: RawFrame(kind: .continuation, stream: 1, payload: RawFrame.block(["a": "b"])),
      count: 3_000),
    Flood(
      testDescription: "a head without end", code: "PROTOCOL_ERROR",
      start: [RawFrame(kind: .headers, stream: 1, payload: RawFrame.block([":status": "200"]))],
      frame: RawFrame(
        kind: .continuation, stream: 1, payload: ByteBuffer(repeating: 0x78, count: 16_000))),
  ]

  @Test(arguments: floods)
  func `a flood ends the connection with the code, and requests go on elsewhere`(_ flood: Flood)
    async throws
  {
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    let pending = engine.begin(peer.get())
    let connection = try await peer.accept()
    _ = try await connection.request()
    let over = engine.begin(peer.get())
    _ = try await connection.request()
    connection.answer(3)
    _ = try await over.value

    for frame in flood.start { connection.send(frame) }
    var bytes = ByteBuffer()
    for _ in 0..<flood.count { bytes.writeImmutableBuffer(flood.frame.bytes) }
    connection.send(bytes)
    let error = await #expect(throws: MartletError.self) { try await pending.value }
    #expect(
      error?.message
        == "\(try peer.get().origin) broke the rules of HTTP/2 (\(flood.code)), so the connection was closed: set `versions` to `.http1` to use HTTP/1.1 instead."
    )
    #expect(try await connection.next(.goAway).code?.name == flood.code)
    try await connection.closed()

    let next = engine.begin(peer.get())
    let other = try await peer.accept()
    _ = try await other.request()
    other.answer(1)
    #expect(try await next.value.status == .ok)
    await peer.stop()
  }

  @Test func `a flood of interim responses ends its stream alone`() async throws {
    let peer = try await FramePeer.start()
    let engine = peer.engine { $0.limits.responseHeadSize = 30_000 }
    let flooded = engine.begin(peer.get())
    let connection = try await peer.accept()
    _ = try await connection.request()
    let other = engine.begin(peer.get())
    _ = try await connection.request()
    for _ in 0..<4000 { connection.send(.headers(1, [":status": "103"])) }
    #expect(try await connection.next(.reset, on: 1).code == .cancel)
    let error = await #expect(throws: MartletError.self) { try await flooded.value }
    #expect(error?.code == .headTooLarge)
    #expect(
      error?.message
        == "The interim responses before the final one are larger than 30000 bytes: raise `limits.responseHeadSize` if the server is to be trusted."
    )
    connection.answer(3)
    #expect(try await other.value.status == .ok)
    #expect(peer.connectionCount == 1)
    await peer.stop()
  }

  @Test func `a server may report its progress in a thousand interim responses`() async throws {
    let peer = try await FramePeer.start()
    let response = peer.engine().begin(peer.get())
    let connection = try await peer.accept()
    _ = try await connection.request()
    for _ in 0..<1000 { connection.send(.headers(1, [":status": "102"])) }
    connection.answer(1)
    #expect(try await response.value.status == .ok)
    await peer.stop()
  }

  @Test func `five hundred PINGs are no flood`() async throws {
    let peer = try await FramePeer.start()
    let response = peer.engine().begin(peer.get())
    let connection = try await peer.accept()
    _ = try await connection.request()
    for number in 0..<500 as Range<UInt64> { connection.send(.ping(number)) }
    var answers = 0
    // After a silence, the client sends a PING of its own.
    while answers < 500 { if try await connection.next(.ping).isAck { answers += 1 } }
    connection.answer(1)
    #expect(try await response.value.status == .ok)
    await peer.stop()
  }

  @Test func `answers to a hundred requests that were given up are no fault`() async throws {
    let peer = try await FramePeer.start()
    let engine = peer.engine { $0.connections.maximumPerOrigin = 1 }
    let first = engine.begin(peer.get())
    let connection = try await peer.accept()
    _ = try await connection.request()
    connection.answer(1)
    _ = try await first.value
    let late = (0..<90).map { _ in engine.begin(peer.get()) }
    for _ in late { _ = try await connection.request() }
    for task in late { task.cancel() }
    let streams = (1...90).map { UInt32($0 * 2 + 1) }
    for stream in streams { _ = try await connection.next(.reset, on: stream) }
    for stream in streams { connection.answer(stream) }
    try await connection.settle()
    let next = engine.begin(peer.get())
    _ = try await connection.request()
    connection.answer(183)
    #expect(try await next.value.status == .ok)
    #expect(peer.connectionCount == 1)
    await peer.stop()
  }

  @Test func `uploads that are answered early and reset are no flood`() async throws {
    let peer = try await FramePeer.start()
    let engine = peer.engine { $0.connections.maximumPerOrigin = 1 }
    var connection: FrameConnection?
    for number in 0..<1_200 as Range<UInt32> {
      let response = engine.begin(peer.get())
      if connection == nil { connection = try await peer.accept() }
      let connection = try #require(connection)
      _ = try await connection.request()
      connection.answer(number * 2 + 1)
      connection.send(.reset(number * 2 + 1, .noError))
      #expect(try await response.value.status == .ok)
    }
    #expect(peer.connectionCount == 1)
    await peer.stop()
  }

  @Test func `a few empty frames of DATA are no flood`() async throws {
    let peer = try await FramePeer.start()
    let response = peer.engine().begin(peer.get())
    let connection = try await peer.accept()
    _ = try await connection.request()
    connection.send(.headers(1))
    for _ in 0..<20 { connection.send(.data(1, ""), .data(1, "x")) }
    connection.send(.data(1, "", end: true))
    #expect(try await response.value.body.collect().readableBytes == 20)
    await peer.stop()
  }

  @Test func `a header block in many small frames is no flood`() async throws {
    let peer = try await FramePeer.start()
    let response = peer.engine().begin(peer.get())
    let connection = try await peer.accept()
    _ = try await connection.request()
    var start = RawFrame.headers(1, end: true)
    start.flags &= ~RawFrame.endHeaders
    connection.send(start)
    for number in 0..<20 {
      connection.send(
        RawFrame(
          kind: .continuation, flags: number == 19 ? RawFrame.endHeaders : 0, stream: 1,
          payload: RawFrame.block(["a": "b"])))
    }
    #expect(try await response.value.headers.count == 20)
    await peer.stop()
  }
}
