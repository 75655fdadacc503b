import HTTPTypes
import MartletCore
import MartletTransport
import NIOCore
import Testing

/// Streams that the server ends (RFC 9113 §6.4, §8.7), and streams that we end.
@Suite(.timeLimit(.minutes(5)))
struct ResetTests {
  @Test func `a time-out ends its stream alone`() async throws {
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    var silent = peer.get()
    silent.options.timeouts = Timeouts(connect: .seconds(30), idle: .milliseconds(100))
    let task = engine.begin(silent)
    let connection = try await peer.accept()
    _ = try await connection.request()
    let other = engine.begin(peer.get())
    _ = try await connection.request()
    #expect(try await connection.next(.reset, on: 1).code == .cancel)
    let error = await #expect(throws: MartletError.self) { try await task.value }
    #expect(error?.code == .timedOut)
    connection.answer(3)
    #expect(try await other.value.status == .ok)
    #expect(peer.connectionCount == 1)
    await peer.stop()
  }

  @Test func `a reset ends its stream alone, and the error shows its code`() async throws {
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    let broken = engine.begin(peer.get())
    let connection = try await peer.accept()
    _ = try await connection.request()
    let whole = engine.begin(peer.get())
    _ = try await connection.request()
    connection.send(.headers(1), .data(1, "some"), .reset(1, .internalError))
    let error = await #expect(throws: MartletError.self) { try await broken.value }
    #expect(
      error?.message
        == "\(try peer.get().origin) reset the stream of the request (INTERNAL_ERROR): try again later."
    )
    #expect(error?.code == .streamReset)
    #expect(error?.phase == .receive)
    #expect(error?.response?.status == .ok)
    connection.answer(3)
    #expect(try await whole.value.status == .ok)
    await peer.stop()
  }

  @Test func `a code without a name is shown as its number`() async throws {
    let peer = try await FramePeer.start()
    let task = peer.engine().begin(peer.get())
    let connection = try await peer.accept()
    _ = try await connection.request()
    connection.send(
      RawFrame(kind: .reset, stream: 1, payload: ByteBuffer(integer: UInt32(0xABCDEF))))
    let error = await #expect(throws: MartletError.self) { try await task.value }
    #expect(
      error?.message
        == "\(try peer.get().origin) reset the stream of the request (code 11259375): try again later."
    )
    await peer.stop()
  }

  @Test func `a refused stream goes out again, three times, and then the caller may (§8.7)`()
    async throws
  {
    let peer = try await FramePeer.start()
    let task = peer.engine().begin(peer.post(.text("x")))
    let connection = try await peer.accept()
    for stream: UInt32 in [1, 3, 5, 7] {
      _ = try await connection.next(.headers, on: stream)
      connection.send(.reset(stream, .refusedStream))
    }
    let error = await #expect(throws: MartletError.self) { try await task.value }
    #expect(
      error?.message
        == "\(try peer.get().origin) reset the stream of the request (REFUSED_STREAM): try again later."
    )
    #expect(error?.isSafeToRetry == true)
    #expect(peer.connectionCount == 1)
    await peer.stop()
  }

  @Test func `a refused stream succeeds when it is accepted the second time`() async throws {
    let peer = try await FramePeer.start()
    let task = peer.engine().begin(peer.post(.text("hello")))
    let connection = try await peer.accept()
    _ = try await connection.request()
    connection.send(.reset(1, .refusedStream))
    _ = try await connection.next(.headers, on: 3)
    try await connection.waitForData(5, on: 3)
    connection.answer(3)
    #expect(try await task.value.status == .ok)
    await peer.stop()
  }

  @Test func `a refusal of a body that cannot be sent twice leaves that to the caller`()
    async throws
  {
    let peer = try await FramePeer.start()
    let body = RequestBody.producer(length: nil, isReplayable: false) {
      try await $0(ByteBuffer(string: "once"))
    }
    let task = peer.engine().begin(peer.post(body))
    let connection = try await peer.accept()
    try await connection.waitForData(4, on: 1)
    connection.send(.reset(1, .refusedStream))
    let error = await #expect(throws: MartletError.self) { try await task.value }
    #expect(error?.isSafeToRetry == true)
    await peer.stop()
  }

  @Test func `a whole answer before the whole request ends the upload, and counts (§8.1)`()
    async throws
  {
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    let chunk = ByteBuffer(repeating: 0x78, count: 10_000)
    let body = RequestBody.producer(length: nil) { write in while true { try await write(chunk) } }
    let task = engine.begin(peer.post(body))
    let connection = try await peer.accept()
    try await connection.waitForData(10_000, on: 1)
    connection.send(
      .headers(1, [":status": "413"]), .data(1, "no!", end: true), .reset(1, .noError))
    let response = try await task.value
    #expect(response.status.code == 413)
    #expect(String(buffer: try await response.body.collect()) == "no!")
    #expect(try await connection.next(.reset, on: 1).code == .noError)
    let next = engine.begin(peer.get())
    _ = try await connection.next(.headers, on: 3)
    connection.answer(3)
    #expect(try await next.value.status == .ok)
    #expect(peer.connectionCount == 1)
    await peer.stop()
  }

  @Test func `no more of a body is sent on a stream that was reset after its response (§8.1)`()
    async throws
  {
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    var request = peer.post(.bytes(ByteBuffer(repeating: 0x78, count: 1 << 20)))
    request.delivery = .undecided
    let task = engine.begin(request)
    let connection = try await peer.accept()
    try await connection.waitForData(65_535, on: 1)
    connection.send(.headers(1), .data(1, "ok", end: true), .reset(1, .noError))
    connection.send(.windowUpdate(0, 10_000_000))
    try await connection.settle()
    #expect(connection.log.data[1] == 65_535)
    #expect(try await task.value.status == .ok)
    await peer.stop()
  }

  @Test func `a discarded body ends an upload with one reset`() async throws {
    let peer = try await FramePeer.start()
    let engine = peer.engine { $0.limits.discardedBodySize = 1_000 }
    let chunk = ByteBuffer(repeating: 0x78, count: 10_000)
    let body = RequestBody.producer(length: nil) { write in while true { try await write(chunk) } }
    var request = peer.post(body)
    request.delivery = .discard
    let task = engine.begin(request)
    let connection = try await peer.accept()
    try await connection.waitForData(10_000, on: 1)
    connection.send(
      .headers(1, [":status": "302", "location": "/there"]), .data(1, count: 5_000))
    #expect(try await task.value.status == .found)
    try await connection.settle()
    let resets = connection.log.frames.filter { $0.kind == .reset }
    #expect(resets.map(\.code) == [.cancel])
    await peer.stop()
  }

  @Test func `a reset without error does not make half an answer whole`() async throws {
    let peer = try await FramePeer.start()
    let task = peer.engine().begin(peer.get())
    let connection = try await peer.accept()
    _ = try await connection.request()
    connection.send(.headers(1), .data(1, "half"), .reset(1, .noError))
    let error = await #expect(throws: MartletError.self) { try await task.value }
    #expect(
      error?.message
        == "\(try peer.get().origin) reset the stream of the request (NO_ERROR): try again later.")
    await peer.stop()
  }

  @Test func `cancelling resets the stream, and the connection serves the next request`()
    async throws
  {
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    let task = engine.begin(peer.get())
    let connection = try await peer.accept()
    _ = try await connection.request()
    task.cancel()
    let error = await #expect(throws: MartletError.self) { try await task.value }
    #expect(error?.code == .cancelled)
    #expect(try await connection.next(.reset, on: 1).code == .cancel)
    // What the server had sent before it received the reset harms nothing (§5.1).
    connection.send(.headers(1), .data(1, "late"), .windowUpdate(1, 5), .data(1, "", end: true))
    let next = engine.begin(peer.get())
    _ = try await connection.next(.headers, on: 3)
    connection.answer(3)
    #expect(try await next.value.metrics.isConnectionReused)
    #expect(peer.connectionCount == 1)
    await peer.stop()
  }
}
