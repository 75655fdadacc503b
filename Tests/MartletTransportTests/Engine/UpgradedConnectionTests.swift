import EssentialFoundation
import HTTPTypes
import MartletCore
import MartletTesting
import NIOCore
import NIOPosix
import TestTiming
import Testing

@testable import MartletTransport

/// Connections that leave HTTP, after `101 Switching Protocols` or `CONNECT` (RFC 9110 §7.8, §9.3.6).
@Suite(.timeLimit(.minutes(5)))
struct UpgradedConnectionTests {
  private static let switching =
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: lines\r\nConnection: Upgrade\r\n\r\n"

  private func upgrade(_ server: ScriptedServer, body: RequestBody = .empty) -> Request {
    var request = Request(.post, url: server.url(), body: body)
    request.headers[.upgrade] = "lines"
    request.headers[.connection] = "Upgrade"
    return request
  }

  /// All that comes until the server closes.
  private func rest(of stream: any ByteStream) async throws -> String {
    var heard = ByteBuffer()
    while let bytes = try await stream.read() { heard.writeImmutableBuffer(bytes) }
    return String(buffer: heard)
  }

  @Test func `one that has ended does not use its event loop, which may have been shut down`()
    async throws
  {
    let server = try await ScriptedServer.start(
      Script([.readRequest, .send(Self.switching), .close]))
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let engine = HTTPTransport(.loops(1, of: group))
    let stream = try #require(try await engine.send(upgrade(server)).upgradedConnection)
    #expect(try await stream.read() == nil)
    await engine.close()
    try await group.shutdownGracefully()
    let error = await #expect(throws: MartletError.self) {
      try await stream.write(ByteBuffer(string: "late"))
    }
    #expect(error?.code == .connectionLost)
    stream.close()
    await server.stop()
  }

  @Test(arguments: [false, true])
  func `what comes behind the head is kept for the reader of the connection`(isSecure: Bool)
    async throws
  {
    let authority = try TemporaryAuthority()
    let server = try await ScriptedServer.start(
      Script([
        .readRequest, .send(Self.switching + "one "), .wait(.milliseconds(20)), .send("two"),
        .close,
      ]),
      tls: isSecure ? ServerTLS(authority.leaf()) : nil)
    var configuration = HTTPTransportConfiguration.oneLoop
    configuration.tls.roots = .certificates([authority.root])
    let response = try await HTTPTransport(configuration).send(upgrade(server))
    #expect(response.status == .switchingProtocols)
    #expect(response.headers[.upgrade] == "lines")
    #expect(String(buffer: try await response.body.collect()) == "")
    let stream = try #require(response.upgradedConnection)
    // The server may have gone by now: what it has said is still there.
    try await Task.sleep(for: .milliseconds(50))
    #expect(try await rest(of: stream) == "one two")
    await server.stop()
  }

  @Test func `a success to CONNECT is a tunnel, whatever length it names`() async throws {
    let server = try await ScriptedServer.start(
      Script([
        .readRequest, .send("HTTP/1.1 200 Fine\r\nContent-Length: 3\r\n\r\n"), .send("hello"),
        .close,
      ]))
    var request = Request(.connect, url: server.url())
    request.headers[try #require(HTTPField.Name("Host"))] = "example.com:443"
    let response = try await HTTPTransport(.oneLoop).send(request)
    #expect(try await rest(of: try #require(response.upgradedConnection)) == "hello")
    #expect(server.receivedRequests.map(\.line) == ["CONNECT example.com:443 HTTP/1.1"])
    #expect(server.receivedRequests.first?.header("Host") == "example.com:443")
    await server.stop()
  }

  @Test func `a refused CONNECT is answered as any request is`() async throws {
    let server = try await ScriptedServer.start(
      .keepAlive([.reply(CannedResponse(403, [:], "not there")), .text("fine")]))
    let engine = HTTPTransport(.oneLoop)
    var request = Request(.connect, url: server.url())
    request.headers[try #require(HTTPField.Name("Host"))] = "example.com:443"
    let response = try await engine.send(request)
    #expect(response.upgradedConnection == nil)
    #expect(String(buffer: try await response.body.collect()) == "not there")
    _ = try await engine.send(Request(url: server.url()))
    #expect(server.connectionCount == 1)
    await server.stop()
  }

  @Test func `the pool has its place back while the connection is used`() async throws {
    let server = try await ScriptedServer.start(
      Script([.readRequest, .send(Self.switching), .readBytes(1 << 10), .send("end"), .close]),
      .text("another"))
    var configuration = HTTPTransportConfiguration.oneLoop
    configuration.connections.maximumPerOrigin = 1
    configuration.connections.maximumTotal = 1
    let engine = HTTPTransport(configuration)
    let stream = try #require(try await engine.send(upgrade(server)).upgradedConnection)
    let other = try await engine.send(Request(url: server.url()))
    #expect(String(buffer: try await other.body.collect()) == "another")
    // Nor does the engine's end concern it.
    engine.shutDown()
    try await stream.write(ByteBuffer(repeating: 0, count: 1 << 10))
    #expect(try await rest(of: stream) == "end")
    await server.stop()
  }

  @Test func `the exchange ends once, with the head`() async throws {
    let server = try await ScriptedServer.start(
      Script([.readRequest, .send(Self.switching + "and more"), .stall]))
    let events = Locked<[String]>([])
    let call = Call()
    call.observe { event in
      switch event.kind {
      case .responseReceived(let head): events.withLock { $0.append("\(head.status.code)") }
      case .attemptFinished(let metrics):
        events.withLock { $0.append(metrics.bytesReceived > 0 ? "finished" : "nothing") }
      case .attemptFailed: events.withLock { $0.append("failed") }
      default: break
      }
    }
    var request = upgrade(server)
    request.call = call
    let response = try await HTTPTransport(.oneLoop).send(request)
    call.cancel()
    withExtendedLifetime(response) {}
    #expect(events.current == ["101", "finished"])
    #expect(response.metrics.bytesReceived == Int64(Self.switching.utf8.count))
    await server.stop()
  }

  @Test func `a request has ended when its last byte has left, whatever its producer does then`()
    async throws
  {
    let server = try await ScriptedServer.start(
      Script([.readRequest, .send(Self.switching + "fine"), .close]))
    let body = RequestBody.producer(length: 100_000) { write in
      try await write(ByteBuffer(repeating: 0x61, count: 100_000))
      try await Task.sleep(for: .seconds(60))
    }
    let response = try await HTTPTransport(.oneLoop).send(upgrade(server, body: body))
    #expect(try await rest(of: try #require(response.upgradedConnection)) == "fine")
    await server.stop()
  }

  @Test func `a connection that is not taken is closed`() async throws {
    let server = try await ScriptedServer.start(
      Script([.readRequest, .send(Self.switching), .stall]))
    let engine = HTTPTransport(.oneLoop)
    let pool = try engine.directory.onlyPool(for: upgrade(server).origin)
    let channel = Locked<(any Channel)?>(nil)
    var request = upgrade(server)
    let call = Call()
    call.observe { event in
      guard case .sending = event.kind else { return }
      let connection = pool.connections.values.first as? HTTP1Connection
      channel.withLock { $0 = connection?.channel }
    }
    request.call = call
    do {
      let response = try await engine.send(request)
      #expect(response.upgradedConnection != nil)
      #expect(channel.current?.isActive == true)
    }
    try await channel.current?.closeFuture.get()
    await server.stop()
  }

  @Test(arguments: [Script.Step.stall, .close])
  func `one that is closed reads and writes no more`(end: Script.Step) async throws {
    let server = try await ScriptedServer.start(
      Script([.readRequest, .send(Self.switching + "unread"), end]))
    let stream = try #require(
      try await HTTPTransport(.oneLoop).send(upgrade(server)).upgradedConnection)
    try await Task.sleep(for: .milliseconds(20))
    stream.close()
    let reading = await #expect(throws: MartletError.self) { _ = try await stream.read() }
    #expect(reading?.code == .cancelled)
    let writing = await #expect(throws: MartletError.self) {
      try await stream.write(ByteBuffer(string: "x"))
    }
    #expect(writing?.code == .cancelled)
    await server.stop()
  }

  @Test func `a reset breaks the reading, after what had come`() async throws {
    let server = try await ScriptedServer.start(
      Script([.readRequest, .send(Self.switching + "one"), .readBytes(1 << 10), .reset]))
    let stream = try #require(
      try await HTTPTransport(.oneLoop).send(upgrade(server)).upgradedConnection)
    try await stream.write(ByteBuffer(repeating: 0, count: 1 << 10))
    #expect(try await stream.read() == ByteBuffer(string: "one"))
    let error = await #expect(throws: MartletError.self) { _ = try await stream.read() }
    #expect(error?.code == .connectionLost)
    #expect(
      error?.message
        == "http://127.0.0.1:\(server.port) closed the connection, which had been upgraded to another protocol: send the request again to open another."
    )
    let writing = await #expect(throws: MartletError.self) {
      try await stream.write(ByteBuffer(string: "x"))
    }
    #expect(writing?.message == error?.message)
    await server.stop()
  }

  @Test(arguments: [true, false], [true, false])
  func `a cancelled reader, or writer, closes the connection at once`(
    isReading: Bool, isSecure: Bool
  ) async throws {
    let authority = try TemporaryAuthority()
    // What was written and not taken is not waited for, which TLS would do for a second.
    try await unlessLate(by: .milliseconds(100)) {
      let duration = try await durationOfCancelling(isReading, isSecure, authority)
      guard duration < .milliseconds(900) else { throw SlowCancelling(duration: duration) }
    }
  }

  private struct SlowCancelling: Error {
    let duration: Duration
  }

  private func durationOfCancelling(
    _ isReading: Bool, _ isSecure: Bool, _ authority: TemporaryAuthority
  ) async throws -> Duration {
    let server = try await ScriptedServer.start(
      Script([.readRequest, .send(Self.switching), .stopReading, .stall]),
      tls: isSecure ? ServerTLS(authority.leaf()) : nil)
    var configuration = HTTPTransportConfiguration.oneLoop
    configuration.tls.roots = .certificates([authority.root])
    let stream = try #require(
      try await HTTPTransport(configuration).send(upgrade(server)).upgradedConnection)
    let task = Task {
      if isReading { return _ = try await stream.read() }
      while true { try await stream.write(ByteBuffer(repeating: 0, count: 4 << 20)) }
    }
    try await Task.sleep(for: .milliseconds(100))
    let start = ContinuousClock.now
    task.cancel()
    let error = await #expect(throws: MartletError.self) { try await task.value }
    #expect(error?.code == .cancelled)
    await #expect(throws: MartletError.self) { try await stream.write(ByteBuffer(string: "x")) }
    let duration = start.duration(to: .now)
    await server.stop()
    return duration
  }

  @Test func `a peer that is faster than its reader is held back`() async throws {
    let megabytes = 16
    let server = try await ScriptedServer.start(
      Script(
        [.readRequest, .send(Self.switching)]
          + (0..<megabytes).map { _ in .sendBytes(ByteBuffer(repeating: 1, count: 1 << 20)) }
          + [.close]))
    let stream = try #require(
      try await HTTPTransport(.oneLoop).send(upgrade(server)).upgradedConnection)
    try await Task.sleep(for: .milliseconds(50))
    var count = 0
    while let bytes = try await stream.read() { count += bytes.readableBytes }
    #expect(count == megabytes << 20)
    await server.stop()
  }

  @Test func `a proxy that passes requests on passes a switch on as well`() async throws {
    let proxy = try await ScriptedServer.start(
      Script([.readRequest, .send(Self.switching + "one"), .readBytes(1 << 10), .reset]))
    let engine = HTTPTransport.through(try .local(.http, proxy.port))
    var request = try Request(.get, "http://example.com/live")
    request.headers[.upgrade] = "lines"
    request.headers[.connection] = "Upgrade"
    let stream = try #require(try await engine.send(request).upgradedConnection)
    #expect(proxy.receivedRequests.map(\.line) == ["GET http://example.com/live HTTP/1.1"])
    #expect(try await stream.read() == ByteBuffer(string: "one"))
    try await stream.write(ByteBuffer(repeating: 0, count: 1 << 10))
    let error = await #expect(throws: MartletError.self) { _ = try await stream.read() }
    #expect(error?.code == .connectionLost)
    #expect(
      error?.message
        == "The proxy http://127.0.0.1:\(proxy.port), or http://example.com behind it, closed the connection, which had been upgraded to another protocol: send the request again to open another."
    )
    await proxy.stop()
  }

  // MARK: What is refused

  @Test func `a switch that was not asked for is refused`() async throws {
    let server = try await ScriptedServer.start(
      Script([.readRequest, .send(Self.switching), .stall]))
    let error = await #expect(throws: MartletError.self) {
      try await HTTPTransport(.oneLoop).send(Request(url: server.url()))
    }
    #expect(error?.code == .malformedResponse)
    #expect(error?.message.contains("it switches to a protocol that was not asked for") == true)
    await server.stop()
  }

  @Test func `a switch is refused if the connection option is missing`() async throws {
    let server = try await ScriptedServer.start(
      Script([.readRequest, .send(Self.switching), .stall]))
    var request = Request(url: server.url())
    request.headers[.upgrade] = "lines"
    let task = HTTPTransport(.oneLoop).begin(request)
    let error = await #expect(throws: MartletError.self) { try await task.value }
    #expect(error?.code == .malformedResponse)
    await server.stop()
  }

  @Test func `a switch before the request has ended is refused`() async throws {
    let server = try await ScriptedServer.start(Script([.readHead, .send(Self.switching), .stall]))
    let body = RequestBody.producer(length: 5) { write in
      try await write(ByteBuffer(string: "he"))
      try await Task.sleep(for: .seconds(60))
    }
    let error = await #expect(throws: MartletError.self) {
      try await HTTPTransport(.oneLoop).send(upgrade(server, body: body))
    }
    #expect(error?.code == .malformedResponse)
    #expect(error?.message.contains("before the request has ended") == true)
    await server.stop()
  }

  @Test func `CONNECT without a target is not sent, and the error says why`() async throws {
    let error = await #expect(throws: MartletError.self) {
      try await HTTPTransport(.oneLoop).send(Request(.connect, "http://127.0.0.1:1/"))
    }
    #expect(error?.code == .invalidRequest)
    #expect(
      error?.message
        == "CONNECT names the server that is to be reached in its Host field, such as “example.com:443”: set that field, or set a proxy to send requests through a tunnel."
    )
  }

  @Test func `CONNECT is not sent over HTTP2, and harms no other exchange there`() async throws {
    let (server, engine) = try await Wire.h2c.start()
    var request = Request(.connect, url: server.url("/get"))
    request.headers[try #require(HTTPField.Name("Host"))] = "example.com:443"
    let error = await #expect(throws: MartletError.self) { try await engine.send(request) }
    #expect(error?.code == .protocolNotSupported)
    #expect(
      error?.message.hasPrefix("CONNECT is sent over HTTP/1.1 only, and http://127.0.0.1") == true)
    #expect(try await engine.send(Request(url: server.url("/get"))).status == .ok)
    #expect(server.openConnectionCount == 1)
    engine.shutDown()
    await server.stop()
  }

  @Test
  func `CONNECT is not sent through a proxy that passes requests on, nor costs its connection`()
    async throws
  {
    let proxy = try await ScriptedServer.start(.keepAlive([.text("one"), .text("two")]))
    let engine = HTTPTransport.through(try .local(.http, proxy.port))
    _ = try await engine.send(Request(.get, "http://example.com/"))
    var request = try Request(.connect, "http://example.com/")
    request.headers[try #require(HTTPField.Name("Host"))] = "example.com:443"
    let error = await #expect(throws: MartletError.self) { try await engine.send(request) }
    #expect(error?.code == .invalidRequest)
    #expect(error?.isSafeToRetry == false)
    #expect(
      error?.message
        == "CONNECT cannot be sent through http://127.0.0.1:\(proxy.port), which passes requests on: send it to the proxy itself, or to an https URL."
    )
    _ = try await engine.send(Request(.get, "http://example.com/"))
    #expect(proxy.receivedRequests.map(\.line).filter { $0.hasPrefix("GET") }.count == 2)
    #expect(proxy.connectionCount == 1)
    await proxy.stop()
  }
}
