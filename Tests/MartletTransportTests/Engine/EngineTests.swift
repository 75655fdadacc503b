import EssentialFoundation
import Foundation
import HTTPTypes
import MartletCore
import MartletTesting
import MartletTransport
import NIOCore
import TestTiming
import Testing

/// The engine against a server that behaves.
@Suite(.timeLimit(.minutes(5)))
struct EngineTests {
  private let engine = HTTPTransport()

  @Test func `one connection serves one request after another`() async throws {
    let server = try await LoopbackServer.start()
    for number in 0..<5 {
      let response = try await engine.send(Request(url: server.url("/get")))
      #expect(response.metrics.isConnectionReused == (number > 0))
    }
    #expect(server.connectionCount == 1)
    await server.stop()
  }

  @Test func `no more connections are opened than the limit allows`() async throws {
    let server = try await LoopbackServer.start()
    var configuration = HTTPTransportConfiguration()
    configuration.connections.maximumPerOrigin = 3
    let engine = HTTPTransport(configuration)
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<50 {
        group.addTask { try await engine.send(Request(url: server.url("/get"))).status.code }
      }
      for try await code in group { #expect(code == 200) }
    }
    #expect(server.connectionCount <= 3)
    await server.stop()
  }

  @Test func `the limit in all holds across origins, and idle connections make room`() async throws
  {
    let servers = [
      try await LoopbackServer.start(), try await LoopbackServer.start(),
      try await LoopbackServer.start(),
    ]
    var configuration = HTTPTransportConfiguration()
    configuration.connections.maximumTotal = 2
    let engine = HTTPTransport(configuration)
    for _ in 0..<3 {
      for server in servers {
        #expect(try await engine.send(Request(url: server.url("/get"))).status == .ok)
      }
    }
    try await eventually { servers.map(\.openConnectionCount).reduce(0, +) <= 2 }
    for server in servers { await server.stop() }
  }

  @Test func `a Unix-domain socket is an origin like any other`() async throws {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("\(UUID().uuidString.prefix(8)).sock").path
    let server = try await LoopbackServer.start(unixSocket: path)
    let url = try #require(server.socketURL("/get?a=1"))
    let response = try await engine.send(Request(url: url))
    #expect(response.status == .ok)
    #expect(String(buffer: try await response.body.collect()).contains("\"a\" : \"1\""))
    await server.stop()
  }

  @Test func `a body is sent whole from memory, from a file and from a sequence`() async throws {
    let server = try await LoopbackServer.start()
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    let text = String(repeating: "0123456789", count: 100_000)
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let chunks = AsyncStream<ByteBuffer> { continuation in
      let line = ByteBuffer(string: String(repeating: "0123456789", count: 1000))
      for _ in 0..<100 { continuation.yield(line) }
      continuation.finish()
    }
    for body in [RequestBody.text(text), try .file(at: file), .sequence(chunks)] {
      var request = Request(.post, url: server.url("/post"), body: body)
      request.headers[.contentType] = "text/plain"
      let call = Call()
      request.call = call
      let response = try await engine.send(request)
      let echo = try await response.body.collect()
      #expect(echo.readableBytes > text.utf8.count)
      #expect(call.uploadTransfer.completed == 1_000_000)
    }
    await server.stop()
  }

  @Test func `a part of a file is sent alone`() async throws {
    let server = try await LoopbackServer.start()
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data("before, middle, after".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    var request = Request(
      .post, url: server.url("/post"), body: try .file(at: file, offset: 8, length: 6))
    request.headers[.contentType] = "text/plain"
    let echo = String(buffer: try await engine.send(request).body.collect())
    #expect(echo.contains("\"data\" : \"middle\""))
    await server.stop()
  }

  @Test func `a reader that does not read stops the server`() async throws {
    let server = try await LoopbackServer.start()
    var request = Request(url: server.url("/stream-bytes/20000000?chunk_size=65536"))
    request.delivery = .stream
    let call = Call()
    request.call = call
    let response = try await engine.send(request)
    var chunks = response.body.makeAsyncIterator()
    _ = try await chunks.next()
    // Another exchange on the same loop shows that the loop had time to read on.
    for _ in 0..<20 { _ = try await engine.send(Request(url: server.url("/get"))) }
    #expect(call.downloadTransfer.completed < 4 << 20)
    var count = 0
    while let chunk = try await chunks.next() { count += chunk.readableBytes }
    #expect(call.downloadTransfer.completed == 20_000_000)
    await server.stop()
  }

  @Test func `dropping a body closes its connection`() async throws {
    let server = try await LoopbackServer.start()
    var request = Request(url: server.url("/stream-bytes/20000000"))
    request.delivery = .stream
    do {
      let response = try await engine.send(request)
      #expect(response.status == .ok)
    }
    try await server.waitForOpenConnections(0)
    await server.stop()
  }

  @Test func `dropping the engine closes its connections`() async throws {
    let server = try await LoopbackServer.start()
    do {
      let engine = HTTPTransport()
      _ = try await engine.send(Request(url: server.url("/get")))
      #expect(server.openConnectionCount == 1)
    }
    try await server.waitForOpenConnections(0)
    await server.stop()
  }

  @Test func `a suspended exchange goes on when it is resumed`() async throws {
    let server = try await LoopbackServer.start()
    let call = Call()
    call.suspend()
    var request = Request(url: server.url("/get"))
    request.call = call
    let sent = request
    async let response = engine.send(sent)
    for _ in 0..<20 { _ = try await engine.send(Request(url: server.url("/get"))) }
    #expect(server.requestCount == 20)
    call.resume()
    #expect(try await response.status == .ok)
    await server.stop()
  }

  @Test func `events come in the order of happening`() async throws {
    let server = try await LoopbackServer.start()
    let names = Locked<[String]>([])
    let call = Call()
    call.observe { event in
      let name = "\(event)".prefix { $0 != "(" }
      names.withLock { $0.append(String(name)) }
    }
    var request = Request(.post, url: server.url("/post", host: "localhost"), body: .text("abc"))
    request.call = call
    _ = try await engine.send(request)
    #expect(
      names.current.filter { $0 != "bodySent" }
        == [
          "attemptStarted", "resolving", "resolved", "connecting", "connected", "sending",
          "requestSent",
          "responseReceived", "bodyReceived", "attemptFinished",
        ])
    await server.stop()
  }

  @Test func `an unknown host and a closed port have errors of their own`() async throws {
    await #expect {
      try await engine.send(Request(.get, "http://no-such-host.invalid/"))
    } throws: { error in
      let error = error as? MartletError
      return error?.code == .unknownHost && error?.phase == .resolve
        && error?.message
          == "The host “no-such-host.invalid” has no address: check the name and the network."
    }
    await #expect {
      try await engine.send(Request(.get, "http://127.0.0.1:1/"))
    } throws: { error in
      let error = error as? MartletError
      return error?.code == .connectionFailed && error?.isSafeToRetry == true
        && error?.addresses == ["127.0.0.1:1"]
        && error?.message
          == "Could not connect to http://127.0.0.1:1 (tried 127.0.0.1:1): nothing listens there."
    }
  }
}
