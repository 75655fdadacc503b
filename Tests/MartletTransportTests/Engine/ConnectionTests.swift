import EssentialFoundation
import Foundation
import HTTPTypes
import MartletCore
import MartletTesting
import MartletTransport
import NIOCore
import TestTiming
import Testing

/// Which connection a request goes over, and what happens when it turns out to be gone.
@Suite(.timeLimit(.minutes(5)))
struct ConnectionTests {
  private let engine = HTTPTransport()

  @Test func `a stale connection is replaced silently`() async throws {
    // The first connection answers once and closes upon the second request, as a server does whose
    // patience ended in that moment.
    let server = try await ScriptedServer.start(
      Script([
        .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst"), .readHead, .close,
      ]),
      .text("second"))
    #expect(try await text(Request(url: server.url("/1"))) == "first")
    #expect(try await text(Request(url: server.url("/2"))) == "second")
    #expect(server.connectionCount == 2)
    await server.stop()
  }

  @Test func `a POST that may have been processed is not sent again`() async throws {
    let server = try await ScriptedServer.start(
      Script([
        .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), .readRequest, .close,
      ]),
      .text("never"))
    _ = try await engine.send(Request(url: server.url()))
    await #expect {
      try await engine.send(Request(.post, url: server.url(), body: .text("x")))
    } throws: { error in
      let error = error as? MartletError
      return error?.code == .connectionLost && error?.isSafeToRetry == false
    }
    #expect(server.connectionCount == 1)
    await server.stop()
  }

  @Test func `a connection that the server closed while idle is not used`() async throws {
    let server = try await ScriptedServer.start(
      Script([.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), .close]),
      .text("second"))
    _ = try await engine.send(Request(url: server.url()))
    try await eventually { await engine.snapshot().servers.isEmpty }
    let request = Request(.post, url: server.url(), body: .text("x"))
    #expect(try await text(request) == "second")
    await server.stop()
  }

  @Test func `after a fresh connection that is closed at once, no other is tried`() async throws {
    let server = try await ScriptedServer.start(Script([.readRequest, .close]), repeatsLast: true)
    await #expect {
      try await engine.send(Request(url: server.url()))
    } throws: { ($0 as? MartletError)?.code == .connectionLost }
    #expect(server.connectionCount == 1)
    await server.stop()
  }

  @Test func `an answer that comes before the body has been sent ends the sending`() async throws {
    let server = try await ScriptedServer.start(
      Script([
        .readHead, .send("HTTP/1.1 413 Content Too Large\r\nContent-Length: 3\r\n\r\nno!"), .stall,
      ]),
      .text("second"))
    let chunk = ByteBuffer(repeating: 0x78, count: 1 << 16)
    let body = RequestBody.producer(length: nil) { write in
      while true { try await write(chunk) }
    }
    let response = try await engine.send(Request(.post, url: server.url(), body: body))
    #expect(response.status.code == 413)
    #expect(String(buffer: try await response.body.collect()) == "no!")
    try await server.waitForConnectionsClosed()
    #expect(try await text(Request(url: server.url())) == "second")
    await server.stop()
  }

  @Test func `the body waits for the server's leave when asked to (RFC 9110 §10.1.1)`() async throws
  {
    let server = try await ScriptedServer.start(
      Script([
        .readHead, .send("HTTP/1.1 100 Continue\r\n\r\n"), .readRequest,
        .reply(CannedResponse(200, [:], "thanks")),
      ]))
    var request = Request(.post, url: server.url(), body: .text("hello"))
    request.options.expectsContinue = true
    #expect(try await text(request) == "thanks")
    #expect(server.receivedRequests.first?.header("Expect") == "100-continue")
    #expect(server.receivedRequests.first?.text == "hello")
    await server.stop()
  }

  @Test func `a refusal spares the body`() async throws {
    let server = try await ScriptedServer.start(
      Script([.readHead, .send("HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n"), .stall]))
    // Endless, so that it is not sent whole even if a busy machine takes the second after which it is
    // sent all the same.
    let chunk = ByteBuffer(repeating: 0x78, count: 1_000)
    let body = RequestBody.producer(length: nil) { write in while true { try await write(chunk) } }
    var request = Request(.post, url: server.url(), body: body)
    request.options.expectsContinue = true
    #expect(try await engine.send(request).status.code == 403)
    try await server.waitForConnectionsClosed()
    #expect(server.receivedRequests.isEmpty)
    await server.stop()
  }

  @Test func `a server that agrees without a word of leave is sent the body all the same`()
    async throws
  {
    let server = try await ScriptedServer.start(
      Script([
        .readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n"), .readRequest,
        .send("thanks"), .stall,
      ]))
    var request = Request(.post, url: server.url(), body: .text("hello"))
    request.options.expectsContinue = true
    #expect(try await text(request) == "thanks")
    #expect(server.receivedRequests.first?.text == "hello")
    await server.stop()
  }

  @Test func `a body of less than no bytes is an error`() async throws {
    let server = try await ScriptedServer.start(Script([.readHead, .stall]))
    let body = RequestBody.producer(length: -1) { try await $0(ByteBuffer(string: "abc")) }
    let error = await #expect(throws: MartletError.self) {
      try await engine.send(Request(.post, url: server.url(), body: body))
    }
    #expect(error?.code == .invalidRequest)
    #expect(
      error?.message
        == "The body's length is given as -1: give the number of its bytes, or `nil` if it is not known in advance."
    )
    await server.stop()
  }

  @Test func `a body of another length than announced is an error`() async throws {
    for (announced, sent) in [(10, 3), (2, 3)] {
      let server = try await ScriptedServer.start(Script([.readHead, .stall]))
      let body = RequestBody.producer(length: Int64(announced)) {
        try await $0(ByteBuffer(string: "abc"))
      }
      await #expect {
        try await engine.send(Request(.post, url: server.url(), body: body))
      } throws: { error in
        (error as? MartletError)?.message
          == "The body was announced with \(announced) bytes but gave \(sent): the request was not completed."
      }
      try await server.waitForConnectionsClosed()
      await server.stop()
    }
  }

  @Test func `a body that fails ends the exchange with its error`() async throws {
    struct Broken: Error {}
    let server = try await ScriptedServer.start(Script([.readHead, .stall]))
    let body = RequestBody.producer(length: nil) { _ in throw Broken() }
    await #expect {
      try await engine.send(Request(.post, url: server.url(), body: body))
    } throws: { ($0 as? MartletError)?.underlying is Broken }
    try await server.waitForConnectionsClosed()
    await server.stop()
  }

  @Test func `trailers are there when the body has ended`() async throws {
    let wire =
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 7\r\n\r\n"
    let server = try await ScriptedServer.start(.respond(wire), .respond(wire))
    let name = try HTTPField.Name(validating: "X-Sum")
    #expect(try await engine.send(Request(url: server.url())).trailers?[name] == "7")
    var request = Request(url: server.url())
    request.delivery = .stream
    let response = try await engine.send(request)
    #expect(response.trailers == nil)
    _ = try await response.body.collect()
    #expect(response.trailers?[name] == "7")
    await server.stop()
  }

  @Test func `interim responses are events, not answers`() async throws {
    let server = try await ScriptedServer.start(
      .respond(
        "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
      ))
    let seen = Locked<[Int]>([])
    var request = Request(url: server.url())
    let call = Call()
    call.observe { event in
      if case .informationalResponse(let head) = event.kind {
        seen.withLock { $0.append(head.status.code) }
      }
    }
    request.call = call
    #expect(try await engine.send(request).status == .ok)
    #expect(seen.current == [103])
    await server.stop()
  }

  @Test func `a long body that is discarded costs its connection, a short one does not`()
    async throws
  {
    let server = try await LoopbackServer.start()
    for (path, connections) in [
      ("/bytes/1000", 1), ("/get", 1), ("/stream-bytes/9000000", 1), ("/get", 2),
    ] {
      var request = Request(url: server.url(path))
      request.delivery = .discard
      #expect(try await engine.send(request).status == .ok)
      #expect(server.connectionCount == connections)
    }
    await server.stop()
  }

  @Test(arguments: [(302, true), (401, true), (500, true), (200, false)])
  func `a discarded body that is cut short is missed with success only`(
    status: Int, isEnough: Bool
  ) async throws {
    let server = try await ScriptedServer.start(
      .respond("HTTP/1.1 \(status) X\r\nContent-Length: 10\r\n\r\nabc"))
    var request = Request(url: server.url())
    request.delivery = .discard
    if isEnough {
      #expect(try await engine.send(request).status.code == status)
    } else {
      let error = await #expect(throws: MartletError.self) { try await engine.send(request) }
      #expect(error?.code == .bodyTruncated)
    }
    await server.stop()
  }

  @Test func `a long body that is discarded ends no upload that the server accepts`() async throws {
    let answer = ByteBuffer(repeating: 0x78, count: 100_000)
    let server = try await ScriptedServer.start(
      Script([
        .readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 100001\r\n\r\n"), .sendBytes(answer),
        .readBytes(400_000), .send("x"), .stall,
      ]))
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let body = RequestBody.producer(length: 400_000) { write in
      try await write(ByteBuffer(repeating: 0x79, count: 100_000))
      for await _ in begun { break }
      try await write(ByteBuffer(repeating: 0x79, count: 300_000))
    }
    var request = Request(.put, url: server.url(), body: body)
    request.delivery = .discard
    let call = Call()
    call.observe { if case .responseReceived = $0.kind { begin.yield() } }
    request.call = call
    #expect(try await engine.send(request).status == .ok)
    try await server.waitForBytes(400_000)
    await server.stop()
  }

  @Test func `a long body that is discarded ends no upload that is still on its way`() async throws
  {
    let half = ByteBuffer(repeating: 0x78, count: 60_000)
    let server = try await ScriptedServer.start(
      Script([
        .readHead, .stopReading, .send("HTTP/1.1 100 Continue\r\n\r\n"),
        .send("HTTP/1.1 200 OK\r\nContent-Length: 120001\r\n\r\n"), .sendBytes(half),
        .wait(.milliseconds(200)), .sendBytes(half), .wait(.milliseconds(200)),
        .resumeReading, .readBytes(400_000), .stall,
      ]))
    let body = RequestBody.bytes(ByteBuffer(repeating: 0x79, count: 400_000))
    var request = Request(.put, url: server.url(), body: body)
    request.options.expectsContinue = true
    request.options.timeouts = Timeouts(connect: .seconds(30), idle: .seconds(30))
    request.delivery = .discard
    #expect(try await engine.send(request).status == .ok)
    try await server.waitForBytes(400_000)
    await server.stop()
  }

  @Test func `a body that is discarded without end is given up although the upload goes on`()
    async throws
  {
    let server = try await ScriptedServer.start(
      Script([
        .readHead, .stopReading, .send("HTTP/1.1 200 OK\r\n\r\n"),
        .send(String(repeating: "x", count: 2_000_000)), .stall,
      ]))
    let body = RequestBody.bytes(ByteBuffer(repeating: 0x78, count: 20_000_000))
    var request = Request(.put, url: server.url(), body: body)
    request.delivery = .discard
    #expect(try await engine.send(request).status == .ok)
    try await server.waitForConnectionsClosed()
    await server.stop()
  }

  @Test func `a body that cannot be written to its file ends the exchange`() async throws {
    let server = try await LoopbackServer.start()
    var request = Request(url: server.url("/stream-bytes/9000000"))
    request.delivery = .file(at: URL(fileURLWithPath: "/nowhere/at/all"))
    await #expect {
      try await engine.send(request)
    } throws: { error in
      (error as? MartletError)?.message
        == "“/nowhere/at/all” could not be written: No such file or directory."
    }
    try await server.waitForOpenConnections(0)
    await server.stop()
  }

  private func text(_ request: Request) async throws -> String {
    String(buffer: try await engine.send(request).body.collect())
  }
}
