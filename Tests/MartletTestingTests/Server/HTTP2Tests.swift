import HTTPTypes
import MartletCore
import MartletTesting
import MartletTransport
import NIOCore
import Testing

/// The loopback server over HTTP/2.
@Suite(.timeLimit(.minutes(5)))
struct HTTP2Tests {
  /// Prior knowledge, and one event loop: while a loop is busy, the next one opens a connection of its own.
  private static var oneLoop: HTTPTransportConfiguration {
    var configuration = HTTPTransportConfiguration()
    configuration.versions = .http2
    configuration.eventLoopCount = 1
    return configuration
  }

  @Test(arguments: [["h2"], ["h2", "http/1.1"], ["http/1.1", "h2"]])
  func `over TLS the handshake decides (RFC 7301)`(_ protocols: [String]) async throws {
    let authority = try TemporaryAuthority()
    var tls = ServerTLS(try authority.leaf())
    tls.protocols = protocols
    let server = try await LoopbackServer.start(tls: tls)
    var configuration = HTTPTransportConfiguration()
    configuration.tls.roots = .certificates([authority.root])
    let response = try await HTTPTransport(configuration).send(Request(url: server.url("/ip")))
    #expect(String(buffer: try await response.body.collect()).contains("127.0.0.1"))
    #expect(response.metrics.connection?.protocolName == protocols[0])
    configuration.versions = .http1
    if protocols.count == 2 {
      let older = try await HTTPTransport(configuration).send(Request(url: server.url("/get")))
      #expect(older.metrics.connection?.protocolName == "http/1.1")
    }
    await server.stop()
  }

  @Test func `without TLS it is spoken by prior knowledge (RFC 9113 §3.3)`() async throws {
    let server = try await LoopbackServer.start(priorKnowledge: true)
    let engine = HTTPTransport(Self.oneLoop)
    for (path, status) in [("/headers", 200), ("/status/418", 418), ("/nowhere", 404)] {
      let response = try await engine.send(Request(url: server.url(path)))
      #expect(response.status.code == status)
      #expect(response.metrics.connection?.protocolName == "h2c")
    }
    #expect(server.requestCount == 3)
    #expect(server.connectionCount == 1)
    await server.stop()
  }

  @Test func `an answer that cannot be completed ends its stream alone`() async throws {
    struct Broken: Error {}
    let route = ServerRoute([.get], "/broken") { _ in
      ServerResponse(
        body: .producer(length: nil) { write in
          try await write(.init(string: "some"))
          throw Broken()
        })
    }
    let server = try await LoopbackServer.start(
      priorKnowledge: true, router: ServerRouter([route] + ServerRouter.httpbin().routes))
    let engine = HTTPTransport(Self.oneLoop)
    let error = await #expect(throws: MartletError.self) {
      try await engine.send(Request(url: server.url("/broken")))
    }
    #expect(error?.code == .streamReset)
    #expect(try await engine.send(Request(url: server.url("/get"))).status == .ok)
    #expect(server.connectionCount == 1)
    await server.stop()
  }
}
