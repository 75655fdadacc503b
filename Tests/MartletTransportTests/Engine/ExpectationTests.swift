import EssentialFoundation
import HTTPTypes
import MartletCore
import MartletTesting
import NIOCore
import TestTiming
import Testing

@testable import MartletTransport

/// Servers that do not support `Expect: 100-continue` (RFC 9110 §10.1.1).
@Suite(.timeLimit(.minutes(5)))
struct ExpectationTests {
  private static let refusal = "HTTP/1.1 417 Expectation Failed\r\nContent-Length: 2\r\n\r\nno"

  private func post(_ server: ScriptedServer, _ body: RequestBody) -> Request {
    var request = Request(.post, url: server.url(), body: body)
    request.options.expectsContinue = true
    return request
  }

  @Test(arguments: [true, false])
  func `a request that is refused for its expectation goes out without it`(isReplayable: Bool)
    async throws
  {
    // After a second the body begins without an answer to the expectation.
    let refused = try await inTime(.seconds(1)) {
      try await sendRefused(isReplayable: isReplayable)
    }
    #expect(refused.text == "thanks")
    #expect(refused.heads == [200])
    #expect(refused.written == 1)
    #expect(refused.requests.map(\.text) == ["hello"])
    #expect(refused.requests.first?.header("Expect") == nil)
    #expect(refused.bytes.contains("Expect: 100-continue"))
  }

  /// What is left of a request whose expectation was refused.
  private struct Refused {
    /// The body of the response.
    let text: String
    /// The statuses that were reported.
    let heads: [Int]
    /// How often the body was produced.
    let written: Int
    let requests: [ReceivedRequest]
    /// What the server has received.
    let bytes: String
  }

  private func sendRefused(isReplayable: Bool) async throws -> Refused {
    let server = try await ScriptedServer.start(
      Script([
        .readHead, .send(Self.refusal),
        // Where the body has begun before the refusal came, the request may go out again here.
        .readRequest, .readRequest, .reply(CannedResponse(200, [:], "thanks")),
      ]),
      .text("thanks"))
    let (written, heads) = (Locked(0), Locked<[Int]>([]))
    let body = RequestBody.producer(length: 5, isReplayable: isReplayable) { write in
      written.withLock { $0 += 1 }
      try await write(ByteBuffer(string: "hello"))
    }
    var request = post(server, body)
    let call = Call()
    call.observe { event in
      guard case .responseReceived(let head) = event.kind else { return }
      heads.withLock { $0.append(head.status.code) }
    }
    request.call = call
    let response = try await HTTPTransport().send(request)
    let text = String(buffer: try await response.body.collect())
    await server.stop()
    return Refused(
      text: text, heads: heads.current, written: written.current,
      requests: server.receivedRequests, bytes: String(buffer: server.bytes()))
  }

  @Test func `a body that had begun by then goes out again if it can`() async throws {
    let server = try await ScriptedServer.start(
      Script([
        .readHead, .send("HTTP/1.1 100 Continue\r\n\r\n"), .readRequest, .send(Self.refusal),
        .readRequest, .reply(CannedResponse(200, [:], "thanks")),
      ]),
      // Where the refusal comes before the end of the request has been noted.
      .text("thanks"))
    let response = try await HTTPTransport().send(post(server, .text("hello")))
    #expect(String(buffer: try await response.body.collect()) == "thanks")
    #expect(server.receivedRequests.map(\.text) == ["hello", "hello"])
    #expect(server.receivedRequests.map { $0.header("Expect") } == ["100-continue", nil])
    await server.stop()
  }

  @Test func `the body of the refusal is not waited for`() async throws {
    let server = try await ScriptedServer.start(
      Script([
        .readHead, .send("HTTP/1.1 100 Continue\r\n\r\n"), .readRequest,
        .send("HTTP/1.1 417 Expectation Failed\r\nContent-Length: 100000\r\n\r\n"),
        .drip(ByteBuffer(repeating: 0x78, count: 10_000), every: .milliseconds(100)),
      ]), .text("thanks"))
    let start = ContinuousClock.now
    let response = try await HTTPTransport().send(post(server, .text("hello")))
    #expect(String(buffer: try await response.body.collect()) == "thanks")
    #expect(start.duration(to: .now) < .seconds(60))
    await server.stop()
  }

  @Test func `a body that had begun and cannot be sent again leaves the answer to the caller`()
    async throws
  {
    let server = try await ScriptedServer.start(
      Script([
        .readHead, .send("HTTP/1.1 100 Continue\r\n\r\n"), .readRequest, .send(Self.refusal),
        .stall,
      ]))
    let body = RequestBody.producer(length: 5, isReplayable: false) {
      try await $0(ByteBuffer(string: "hello"))
    }
    let response = try await HTTPTransport().send(post(server, body))
    #expect(response.status.code == 417)
    #expect(String(buffer: try await response.body.collect()) == "no")
    #expect(server.receivedRequests.count == 1)
    await server.stop()
  }

  @Test func `a request that expected nothing, or no more, is answered with the refusal`()
    async throws
  {
    let server = try await ScriptedServer.start(
      .respond(Self.refusal),
      Script([
        .readHead, .send(Self.refusal), .readRequest, .readRequest, .send(Self.refusal), .stall,
      ]),
      .respond(Self.refusal))
    let engine = HTTPTransport()
    let plain = Request(.post, url: server.url(), body: .text("hello"))
    #expect(try await engine.send(plain).status.code == 417)
    // The engine knows that the server has closed the connection, too.
    try await eventually { await engine.snapshot().servers.isEmpty }
    #expect(try await engine.send(post(server, .text("hello"))).status.code == 417)
    // Where the body had begun before the refusal came, the request went out again on the same connection.
    let hasBegun = server.receivedRequests.first?.text == "hello" && server.connectionCount == 2
    #expect(hasBegun || server.connectionCount == 3)
    await server.stop()
  }

  @Test(arguments: [true, false])
  func `over HTTP_2 it goes out on the same connection`(hasBody: Bool) async throws {
    let peer = try await FramePeer.start()
    var request = peer.post(.text("hello"))
    request.options.expectsContinue = true
    let task = peer.engine().begin(request)
    let connection = try await peer.accept()
    #expect(try await connection.request()["expect"] == "100-continue")
    connection.send(.headers(1, [":status": "417"], end: !hasBody))
    if hasBody { #expect(try await connection.next(.reset, on: 1).code == .cancel) }
    #expect(try await connection.next(.headers, on: 3)["expect"] == nil)
    try await connection.waitForData(5, on: 3)
    connection.answer(3)
    #expect(try await task.value.status == .ok)
    #expect(peer.connectionCount == 1)
    await peer.stop()
  }

  /// Sends a request whose body the peer asks for, and receives all of it.
  private func sendWhole(_ engine: HTTPTransport, to peer: FramePeer) async throws
    -> (Task<Response, any Error>, FrameConnection)
  {
    var request = peer.post(.text("hello"))
    request.options.expectsContinue = true
    let task = engine.begin(request)
    let connection = try await peer.accept()
    try await connection.next(.headers, on: 1)
    connection.send(.headers(1, [":status": "100"]))
    try await connection.waitForData(5, on: 1)
    return (task, connection)
  }

  @Test(arguments: [false, true])
  func `over HTTP2 the body of a refusal is not waited for`(hasBody: Bool) async throws {
    // A second is what the body of a refusal has over HTTP/1.1.
    let status = try await inTime(.milliseconds(900)) {
      let peer = try await FramePeer.start()
      let engine = peer.engine()
      let (task, connection) = try await sendWhole(engine, to: peer)
      connection.send(.headers(1, [":status": "417"]))
      if hasBody { connection.send(.data(1, "no")) }
      try await connection.next(.headers, on: 3)
      try await connection.next(.reset, on: 1)
      connection.answer(3)
      let status = try await task.value.status
      engine.shutDown()
      await peer.stop()
      return status
    }
    #expect(status == .ok)
  }

  @Test func `over HTTP2 a refusal that has ended is not reset`() async throws {
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    let (task, connection) = try await sendWhole(engine, to: peer)
    connection.send(.headers(1, [":status": "417"], end: true))
    try await connection.next(.headers, on: 3)
    connection.answer(3)
    #expect(try await task.value.status == .ok)
    try await connection.settle()
    #expect(!connection.log.frames.contains { $0.kind == .reset })
    engine.shutDown()
    await peer.stop()
  }
}
