import EssentialFoundation
import Foundation
import HTTPTypes
import MartletCore
import MartletTesting
import MartletTransport
import NIOCore
import Testing

/// What must be the same whatever is spoken.
enum Wire: String, CaseIterable, Sendable {
  case http1 = "http/1.1"
  case http1TLS = "http/1.1 over TLS"
  case h2c
  case h2

  var protocolName: String { self == .http1TLS ? "http/1.1" : rawValue }

  /// A server, and an engine that trusts it and speaks with it in this way.
  func start(
    router: ServerRouter = .httpbin(),
    _ change: (inout HTTPTransportConfiguration) -> Void = { _ in }
  ) async throws -> (LoopbackServer, HTTPTransport) {
    var configuration = HTTPTransportConfiguration.oneLoop
    var tls: ServerTLS?
    if self == .h2 || self == .http1TLS {
      let authority = try TemporaryAuthority()
      var server = ServerTLS(try authority.leaf())
      if self == .h2 { server.protocols = ["h2", "http/1.1"] }
      tls = server
      configuration.tls.roots = .certificates([authority.root])
    }
    if self == .h2c { configuration.versions = .http2 }
    change(&configuration)
    let server = try await LoopbackServer.start(
      tls: tls, priorKnowledge: self == .h2c, router: router)
    return (server, HTTPTransport(configuration))
  }
}

/// The engine against httpbin's routes, over every protocol that it speaks.
@Suite(.timeLimit(.minutes(5)))
struct ProtocolTests {
  @Test(arguments: Wire.allCases)
  func `a request is answered, and metrics show its connection`(_ wire: Wire) async throws {
    let (server, engine) = try await wire.start()
    for number in 0..<3 {
      let response = try await engine.send(Request(url: server.url("/get?q=terns")))
      #expect(response.status == .ok)
      #expect(String(buffer: try await response.body.collect()).contains("terns"))
      let metrics = response.metrics
      #expect(metrics.connection?.protocolName == wire.protocolName)
      #expect(metrics.isConnectionReused == (number > 0))
      #expect(metrics.bytesSent > 30)
      #expect(metrics.bytesReceived > 100)
      #expect((metrics.connection?.tlsVersion == nil) == (server.url("/").scheme == "http"))
    }
    #expect(server.connectionCount == 1)
    #expect(server.requestCount == 3)
    await server.stop()
  }

  @Test(arguments: Wire.allCases)
  func `observers receive the connection over which a request goes out`(_ wire: Wire) async throws {
    let (server, engine) = try await wire.start()
    for number in 0..<2 {
      let heard = Locked<(ConnectionInfo?, Bool)?>(nil)
      var request = Request(url: server.url("/get"))
      let call = Call()
      call.observe { event in
        guard case .sending(_, let connection, let isReused) = event.kind else { return }
        heard.withLock { $0 = (connection, isReused) }
      }
      request.call = call
      let response = try await engine.send(request)
      let (connection, isReused) = try #require(heard.current)
      #expect(connection === response.metrics.connection)
      #expect(connection?.protocolName == wire.protocolName)
      #expect(isReused == (number > 0))
    }
    await server.stop()
  }

  @Test(arguments: Wire.allCases)
  func `bodies of every kind are sent whole`(_ wire: Wire) async throws {
    let (server, engine) = try await wire.start()
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    let text = String(repeating: "0123456789", count: 20_000)
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let bytes = ByteBuffer(string: text)
    let bodies: [RequestBody] = [
      .text(text), try .file(at: file), .producer(length: nil) { try await $0(bytes) },
      .text("small"),
    ]
    for body in bodies {
      var request = Request(.post, url: server.url("/post"), body: body)
      request.headers[.contentType] = "text/plain"
      let call = Call()
      request.call = call
      let echo = try await engine.send(request).body.collect()
      #expect(echo.readableBytes > Int(body.length ?? 200_000))
      #expect(call.uploadTransfer.completed == body.length ?? 200_000)
    }
    await server.stop()
  }

  @Test(arguments: Wire.allCases)
  func `a body comes buffered, as a stream, into a file or not at all`(_ wire: Wire) async throws {
    let (server, engine) = try await wire.start()
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    for path in ["/bytes/300000?seed=7", "/stream-bytes/300000?seed=7"] {
      let url = server.url(path)
      let whole = try await engine.send(Request(url: url)).body.collect()
      #expect(whole.readableBytes == 300_000)
      var request = Request(url: url)
      request.delivery = .stream
      #expect(try await engine.send(request).body.collect() == whole)
      request.delivery = .file(at: file)
      #expect(try await engine.send(request).body.file == file)
      #expect(try Data(contentsOf: file) == Data(whole.readableBytesView))
      request.delivery = .discard
      #expect(try await engine.send(request).body.bytes?.readableBytes == 0)
    }
    await server.stop()
  }

  @Test(arguments: Wire.allCases)
  func `answers without a body have none`(_ wire: Wire) async throws {
    let (server, engine) = try await wire.start()
    for (method, path, status) in [
      (HTTPRequest.Method.head, "/bytes/1000", 200), (.head, "/stream-bytes/1000", 200),
      (.get, "/status/204", 204), (.get, "/status/304", 304), (.delete, "/status/200", 200),
      (.get, "/bytes/0", 200),
    ] {
      let response = try await engine.send(Request(method, url: server.url(path)))
      #expect(response.status.code == status)
      #expect(response.body.bytes?.readableBytes == 0)
    }
    #expect(server.connectionCount == 1)
    await server.stop()
  }

  @Test(arguments: Wire.allCases)
  func `the server is asked before a body that waits for its leave`(_ wire: Wire) async throws {
    let (server, engine) = try await wire.start()
    var request = Request(.post, url: server.url("/post"), body: .text("hello"))
    request.options.expectsContinue = true
    let seen = Locked<[Int]>([])
    let call = Call()
    call.observe { event in
      if case .informationalResponse(let head) = event.kind {
        seen.withLock { $0.append(head.status.code) }
      }
    }
    request.call = call
    let echo = String(buffer: try await engine.send(request).body.collect())
    #expect(echo.contains("\"data\" : \"hello\""))
    #expect(seen.current == [100])
    await server.stop()
  }

  @Test(arguments: Wire.allCases)
  func `a body that the server refuses ends the upload with its answer`(_ wire: Wire) async throws {
    let (server, engine) = try await wire.start()
    let chunk = ByteBuffer(repeating: 0x78, count: 1 << 20)
    let body = RequestBody.producer(length: 70 << 20) { write in
      for _ in 0..<70 { try await write(chunk) }
    }
    let response = try await engine.send(Request(.post, url: server.url("/post"), body: body))
    #expect(response.status.code == 413)
    #expect(try await engine.send(Request(url: server.url("/get"))).status == .ok)
    await server.stop()
  }

  @Test(.timeLimit(.minutes(1)), arguments: Wire.allCases)
  func `dozens of requests at once all get their own answer`(_ wire: Wire) async throws {
    let (server, engine) = try await wire.start { $0.connections.maximumPerOrigin = 4 }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<60 {
        group.addTask {
          let response = try await engine.send(Request(url: server.url("/get?n=<\(number)>")))
          let text = String(buffer: try await response.body.collect())
          #expect(text.contains("<\(number)>"))
        }
      }
      try await group.waitForAll()
    }
    #expect(server.connectionCount <= 4)
    await server.stop()
  }

  @Test(arguments: Wire.allCases)
  func `dropping the engine closes its connections`(_ wire: Wire) async throws {
    let server: LoopbackServer
    do {
      let (started, engine) = try await wire.start()
      server = started
      _ = try await engine.send(Request(url: server.url("/get")))
      #expect(server.openConnectionCount == 1)
    }
    try await server.waitForOpenConnections(0)
    await server.stop()
  }

  @Test(arguments: Wire.allCases)
  func `shutting down fails what is under way and closes the rest`(_ wire: Wire) async throws {
    let (server, engine) = try await wire.start()
    let pending = engine.begin(Request(url: server.url("/delay/10")))
    try await server.waitForOpenConnections(1)
    engine.shutDown()
    let error = await #expect(throws: MartletError.self) { try await pending.value }
    #expect(error?.code == .shutDown)
    try await server.waitForOpenConnections(0)
    await server.stop()
  }

  @Test(arguments: Wire.allCases)
  func `an idle connection is closed when its time is over`(_ wire: Wire) async throws {
    let (server, engine) = try await wire.start {
      $0.connections.keepAliveDuration = .milliseconds(50)
    }
    _ = try await engine.send(Request(url: server.url("/get")))
    try await server.waitForOpenConnections(0)
    await server.stop()
  }

  @Test(arguments: Wire.allCases)
  func `a connection that is too old takes no more requests`(_ wire: Wire) async throws {
    let (server, engine) = try await wire.start { $0.connections.maximumAge = .zero }
    for _ in 0..<3 { _ = try await engine.send(Request(url: server.url("/get"))) }
    #expect(server.connectionCount == 3)
    try await server.waitForOpenConnections(0)
    await server.stop()
  }
}
