import EssentialFoundation
import HTTPTypes
import MartletCore
import MartletTesting
import MartletTransport
import NIOCore
import TestTiming
import Testing

/// A socket that takes no more, so that frames wait within the engine.
@Suite(.timeLimit(.minutes(5)))
struct CongestionTests {
  @Test func `a request that waits behind a full socket goes elsewhere when the server goes away`()
    async throws
  {
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    let (upload, connection) = try await congested(peer, engine)
    let late = try await begun(peer.get("/late"), engine)
    connection.send(.goAway(3))
    let other = try await peer.accept()
    #expect(try await other.request()[":path"] == "/late")
    other.answer(1)
    #expect(try await late.value.status == .ok)
    try await connection.setReading(true)
    try await connection.waitForData(24 << 20, on: 3)
    connection.answer(3)
    #expect(try await upload.task.value.status == .ok)
    await peer.stop()
  }

  @Test func `a request that has not left goes elsewhere whatever the server would accept`()
    async throws
  {
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    let (upload, connection) = try await congested(peer, engine)
    let late = try await begun(peer.get("/late"), engine)
    connection.send(.goAway(0x7FFF_FFFF))
    let other = try await peer.accept()
    #expect(try await other.request()[":path"] == "/late")
    other.answer(1)
    #expect(try await late.value.status == .ok)
    try await connection.setReading(true)
    try await connection.waitForData(24 << 20, on: 3)
    connection.answer(3)
    #expect(try await upload.task.value.status == .ok)
    await peer.stop()
  }

  @Test func `uploads that are cancelled leave the connection's window to the others`() async throws
  {
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    let first = engine.begin(peer.get())
    let connection = try await peer.accept([.initialWindowSize: 1_000_000_000])
    _ = try await connection.request()
    connection.answer(1)
    _ = try await first.value
    let body = RequestBody.bytes(ByteBuffer(repeating: 0x78, count: 2 << 20))
    let uploads = (0..<20).map { _ in engine.begin(peer.post(body)) }
    for _ in uploads { _ = try await connection.request() }
    // All of them wait for the connection's window, which grows far beyond what the socket takes.
    try await connection.setReading(false)
    let window = 65_535 + (30 << 20)
    connection.send(.windowUpdate(0, 30 << 20))
    try await Task.sleep(for: .milliseconds(300))
    for upload in uploads { upload.cancel() }
    for upload in uploads { _ = await upload.result }
    try await connection.setReading(true)
    try await connection.settle()
    let rest = window - connection.log.data.values.reduce(0, +)
    let last = engine.begin(peer.post(.bytes(ByteBuffer(repeating: 0x78, count: rest))))
    let head = try await connection.request()
    try await connection.waitForData(rest, on: head.stream)
    connection.answer(head.stream)
    #expect(try await last.value.status == .ok)
    await peer.stop()
  }

  @Test func `a stream that is broken while the socket is full fails alone, with its code`()
    async throws
  {
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    let (upload, connection) = try await congested(
      peer, engine, beside: Array(repeating: peer.get(), count: 3))
    upload.others[0].cancel()
    _ = await upload.others[0].result
    // A body without a head: the reset that it deserves waits, as does that of what was cancelled.
    connection.send(.data(7, "x"))
    connection.answer(9)
    #expect(try await upload.others[2].value.status == .ok)
    try await connection.setReading(true)
    #expect(try await connection.next(.reset, on: 5).code == .cancel)
    #expect(try await connection.next(.reset, on: 7).code == .protocolError)
    let error = await #expect(throws: MartletError.self) { try await upload.others[1].value }
    #expect(
      error?.message
        == "The response of \(try peer.get().origin) breaks the rules of HTTP/2 (PROTOCOL_ERROR): report it to the operator of the server."
    )
    try await connection.waitForData(24 << 20, on: 3)
    connection.answer(3)
    #expect(try await upload.task.value.status == .ok)
    #expect(peer.connectionCount == 1)
    await peer.stop()
  }

  @Test(arguments: [true, false])
  func `a request that has not left goes elsewhere when the connection ends`(_ isBroken: Bool)
    async throws
  {
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    let (upload, connection) = try await congested(peer, engine)
    // Not idempotent: it may be sent again only because it provably never was.
    var request = peer.post(.text("x"))
    request.url = peer.url("/late")
    let late = try await begun(request, engine)
    if isBroken {
      connection.send(RawFrame(kind: .ping, payload: ByteBuffer(string: "short")))
    } else {
      await connection.close()
    }
    let other = try await peer.accept()
    #expect(try await other.request()[":path"] == "/late")
    other.answer(1)
    #expect(try await late.value.status == .ok)
    await #expect(throws: MartletError.self) { try await upload.task.value }
    await peer.stop()
  }

  @Test func `a request that is given up while the socket is full is released, and never sent`()
    async throws
  {
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    let (upload, connection) = try await congested(peer, engine)
    weak var content: Content?
    do {
      let body = Content()
      content = body
      let late = try await begun(
        peer.post(.producer(length: 5) { try await $0(body.bytes) }), engine)
      late.cancel()
      _ = await late.result
    }
    try await eventually { content == nil }
    try await connection.setReading(true)
    try await connection.waitForData(24 << 20, on: 3)
    connection.answer(3)
    #expect(try await upload.task.value.status == .ok)
    try await connection.settle()
    #expect(!connection.log.frames.contains { $0.stream == 5 })
    await peer.stop()
  }

  @Test func `a response to a request that was not sent ends the connection (§5.1)`() async throws {
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    let (upload, connection) = try await congested(peer, engine)
    let late = try await begun(peer.get("/late"), engine)
    connection.answer(5, "prophecy")
    let other = try await peer.accept()
    #expect(try await other.request()[":path"] == "/late")
    other.answer(1)
    #expect(String(buffer: try await late.value.body.collect()) == "ok")
    await #expect(throws: MartletError.self) { try await upload.task.value }
    await peer.stop()
  }

  @Test func `the connection's window grows once, however long the socket is full`() async throws {
    let peer = try await FramePeer.start()
    let engine = peer.engine { $0.http2.connectionWindowSize = 65_535 }
    let received = AwaitableValue(0)
    var download = peer.get()
    download.call = Call()
    download.call?.observe { event in
      if case .bodyReceived(let bytes, _) = event.kind { received.update { $0 += bytes } }
    }
    let (upload, connection) = try await congested(peer, engine, beside: [download])
    connection.send(.headers(5))
    for _ in 0..<3 { connection.send(.data(5, String(repeating: "x", count: 11_000))) }
    try await received.wait { $0 == 33_000 }
    // Each of these finds the window as it was, since its growth waits for the socket.
    for count in 1...20 {
      connection.send(.data(5, "y"))
      try await received.wait { $0 == 33_000 + count }
    }
    connection.send(.data(5, "", end: true))
    try await connection.setReading(true)
    try await connection.waitForData(24 << 20, on: 3)
    connection.answer(3)
    #expect(try await upload.task.value.status == .ok)
    #expect(try await upload.others[0].value.body.bytes?.readableBytes == 33_020)
    try await connection.settle()
    #expect(connection.log.credit[0, default: 0] <= 33_022)
    await peer.stop()
  }

  @Test func `long discarded bodies end their streams beside an upload that does not leave`()
    async throws
  {
    let peer = try await FramePeer.start()
    let engine = peer.engine { $0.limits.discardedBodySize = 10_000 }
    var (get, post) = (peer.get(), peer.post(.text("x")))
    (get.delivery, post.delivery) = (.discard, .discard)
    let (upload, connection) = try await congested(
      peer, engine, after: [post], beside: [get, post])
    for stream in [3, 7, 9] as [UInt32] {
      connection.send(.headers(stream), .data(stream, count: 10_001))
    }
    #expect(try await upload.earlier[0].value.status == .ok)
    #expect(try await upload.others[0].value.status == .ok)
    try await connection.setReading(true)
    // The body of the last request leaves after a part of the upload.
    #expect(try await upload.others[1].value.status == .ok)
    for stream in [3, 7, 9] as [UInt32] {
      #expect(try await connection.next(.reset, on: stream).code == .cancel)
    }
    try await connection.waitForData(24 << 20, on: 5)
    connection.answer(5)
    #expect(try await upload.task.value.status == .ok)
    await peer.stop()
  }

  @Test(arguments: [false, true])
  func `a long body that is discarded ends no upload on a connection that is about to close`(
    isGoAwayLate: Bool
  ) async throws {
    let peer = try await FramePeer.start(isSlow: true)
    let engine = peer.engine { $0.limits.discardedBodySize = 200_000 }
    let other = engine.begin(peer.get())
    // More than the peer's system takes, and not more than this one.
    let body = ByteBuffer(repeating: 0x78, count: 90_000)
    let (mayBegin, isWritten) = (AwaitableValue(false), AwaitableValue(false))
    var request = peer.post(
      .producer(length: 90_000) { write in
        try await mayBegin.wait { $0 }
        try await write(body)
        isWritten.update { $0 = true }
      })
    request.delivery = .discard
    let upload = engine.begin(request)
    let connection = try await peer.accept([.initialWindowSize: 1_000_000])
    connection.send(.windowUpdate(0, 1_000_000))
    _ = try await connection.next(.headers, on: 3)
    try await connection.settle()
    try await connection.setReading(false)
    mayBegin.update { $0 = true }
    try await isWritten.wait { $0 }
    connection.send(.headers(3))
    if !isGoAwayLate { connection.send(.goAway(3)) }
    for _ in 0..<20 { connection.send(.data(3, count: 16_000)) }
    if isGoAwayLate { connection.send(.goAway(3)) }
    connection.answer(1)
    // With bytes that are not read, a socket that is closed loses what it has not sent.
    for _ in 0..<100 { connection.send(.data(3, count: 16_000)) }
    // The connection would close with this response, if it were the last.
    #expect(try await other.value.status == .ok)
    try await connection.setReading(true)
    try await connection.waitForData(body.readableBytes, on: 3)
    #expect(try await upload.value.status == .ok)
    await peer.stop()
  }

  // MARK: Parts

  private final class Content: Sendable {
    let bytes = ByteBuffer(string: "hello")
  }

  private struct Upload {
    var task: Task<Response, any Error>
    /// Requests that had been sent before it.
    var earlier: [Task<Response, any Error>] = []
    /// Requests that had begun before the socket was full, on the streams after the upload's.
    var others: [Task<Response, any Error>] = []
  }

  /// A connection whose socket is full of an upload, on the first stream after those of the earlier requests.
  private func congested(
    _ peer: FramePeer, _ engine: HTTPTransport, after earlier: [Request] = [],
    beside others: [Request] = []
  ) async throws -> (Upload, FrameConnection) {
    let first = engine.begin(peer.get())
    let connection = try await peer.accept([.initialWindowSize: 1_000_000_000])
    _ = try await connection.request()
    connection.answer(1)
    _ = try await first.value
    var begun: [Task<Response, any Error>] = []
    for request in earlier {
      begun.append(engine.begin(request))
      try await connection.waitForData(1, on: try await connection.request().stream)
    }
    let produced = Locked(0)
    let chunk = ByteBuffer(repeating: 0x78, count: 64 << 10)
    let body = RequestBody.producer(length: 24 << 20) { write in
      for _ in 0..<24 << 4 {
        try await write(chunk)
        produced.withLock { $0 += chunk.readableBytes }
      }
    }
    var upload = Upload(task: engine.begin(peer.post(body)), earlier: begun)
    _ = try await connection.next(.headers, on: UInt32(3 + 2 * earlier.count))
    for other in others {
      upload.others.append(engine.begin(other))
      _ = try await connection.request()
    }
    try await connection.settle()
    try await connection.setReading(false)
    connection.send(.windowUpdate(0, 1_000_000_000))
    // The system's buffers hold some megabytes; once they are full, nothing moves.
    var last = 0
    var still = 0
    while still < 3 {
      try await Task.sleep(for: .milliseconds(200))
      // The engine's loop has had a turn: if nothing moves, the upload stands still, not the loop.
      await engine.runOnEventLoop {}
      still = last > 0 && last == produced.current ? still + 1 : 0
      last = produced.current
    }
    try #require(produced.current < 20 << 20)
    return (upload, connection)
  }

  /// A request that its connection has begun with.
  private func begun(_ request: Request, _ engine: HTTPTransport) async throws
    -> Task<Response, any Error>
  {
    var request = request
    let hasBegun = Locked(false)
    let call = Call()
    call.observe { event in
      if case .sending = event.kind { hasBegun.withLock { $0 = true } }
    }
    request.call = call
    let task = engine.begin(request)
    try await eventually { hasBegun.current }
    return task
  }
}
