import EssentialFoundation
import HTTPTypes
import MartletCore
import MartletTesting
import MartletTransport
import TestTiming
import Testing

/// What an engine shows of its connections and waiting requests.
@Suite(.timeLimit(.minutes(5)))
struct EngineSnapshotTests {
  private func engine(_ configure: (inout HTTPTransportConfiguration) -> Void = { _ in })
    -> HTTPTransport
  {
    var configuration = HTTPTransportConfiguration()
    configure(&configuration)
    return HTTPTransport(configuration)
  }

  @Test func `an engine without requests has no connections`() async {
    let snapshot = await engine().snapshot()
    #expect(snapshot.servers.isEmpty)
    #expect("\(snapshot)" == "no connections")
  }

  @Test func `a connection is active while it carries a request, and others wait`() async throws {
    let server = try await ScriptedServer.start(
      Script([
        .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbo"),
        .readBytes(1_000_000),
      ]))
    let engine = engine { $0.connections.maximumPerOrigin = 1 }
    var request = Request(url: server.url())
    request.delivery = .stream
    let response = try await engine.send(request)
    let second = Task { try await engine.send(Request(url: server.url())) }
    var waiting = try #require(await engine.snapshot().servers.first)
    while waiting.waitingCount == 0 {
      waiting = try #require(await engine.snapshot().servers.first)
    }
    #expect(waiting.origin == (try request.origin))
    #expect(waiting.connections.map(\.state) == [.active])
    #expect(waiting.connections.first?.requestCount == 1)
    #expect(waiting.connectingCount == 0)
    #expect(
      "\(waiting)".hasPrefix(
        "\(try request.origin): 1 of at most 1 connection, 1 request waiting\n  http/1.1 to 127.0.0.1:"
      ))
    second.cancel()
    response.body.cancel()
    await server.stop()
  }

  @Test func `a connection is idle after its request`() async throws {
    let server = try await LoopbackServer.start()
    let engine = engine()
    _ = try await engine.send(Request(url: server.url("/get")))
    let idle = try #require(await engine.snapshot().servers.first?.connections.first)
    guard case .idle(let time) = idle.state else {
      Issue.record("it is \(idle.state)")
      return
    }
    #expect(time <= idle.age)
    #expect("\(idle)".contains(": idle for "))
    await server.stop()
  }

  @Test func `connections over HTTP/2 show how many requests they carry, and TLS its version`()
    async throws
  {
    let authority = try TemporaryAuthority()
    let server = try await LoopbackServer.start(tls: ServerTLS(authority.leaf()))
    let engine = engine { $0.tls.roots = .certificates([authority.root]) }
    _ = try await engine.send(Request(url: server.url("/get", host: "localhost")))
    let connection = try #require(await engine.snapshot().servers.first?.connections.first)
    #expect(connection.info.tlsVersion == "TLSv1.3")
    #expect("\(connection)".contains(", TLSv1.3: idle for "))
    await server.stop()
  }

  @Test func `suspended requests are counted`() async throws {
    let server = try await LoopbackServer.start()
    let engine = engine()
    let call = Call()
    call.suspend()
    var request = Request(url: server.url("/get"))
    request.call = call
    let sent = Task { [request] in try await engine.send(request) }
    try await eventually { await engine.snapshot().servers.first?.suspendedCount == 1 }
    call.resume()
    #expect(try await sent.value.status == .ok)
    await server.stop()
  }
}
