import EssentialFoundation
import Foundation
import HTTPTypes
import MartletCore
import MartletTesting
import MartletTransport
import NIOCore
import Testing

/// Requests that go to their servers through tunnels.
@Suite(.timeLimit(.minutes(5)))
struct TunnelTests {
  private static let host = "tern.invalid"
  private let authority: TemporaryAuthority

  init() throws {
    authority = try TemporaryAuthority()
  }

  /// Sends two GETs for a host that only the proxy knows, through a proxy of some kind.
  private func send(
    _ kind: Proxy.Kind, protocols: [String] = ["http/1.1"], isSecure: Bool = true,
    versions: HTTPTransportConfiguration.Versions = .automatic
  ) async throws -> (responses: [Response], asked: [String]) {
    var tls = ServerTLS(try authority.leaf(for: [Self.host]))
    tls.protocols = protocols
    let server = try await LoopbackServer.start(
      tls: isSecure ? tls : nil, priorKnowledge: versions == .http2)
    let proxy = try await TunnelProxy.start(tls: kind == .https ? authority.leaf() : nil)
    let engine = HTTPTransport.through(try .local(kind, proxy.port)) {
      $0.tls.roots = .certificates([authority.root])
      $0.versions = versions
    }
    let url = server.url("/get?a=b", host: Self.host)
    let responses = [
      try await engine.send(Request(url: url)), try await engine.send(Request(url: url)),
    ]
    #expect(
      responses[0].metrics.connection?.proxy == "\(kind.rawValue)://127.0.0.1:\(proxy.port)")
    #expect(responses[0].metrics.connection?.remoteAddress == "127.0.0.1:\(proxy.port)")
    #expect(proxy.asked == ["\(Self.host):\(server.port)"])
    #expect(responses.allSatisfy { $0.status == .ok })
    #expect(responses[1].metrics.isConnectionReused)
    await server.stop()
    await proxy.stop()
    return (responses, proxy.asked)
  }

  @Test(arguments: Proxy.Kind.allCases)
  func `https goes through a tunnel, with TLS to the server inside`(kind: Proxy.Kind) async throws {
    let (responses, _) = try await send(kind)
    let connection = try #require(responses[0].metrics.connection)
    #expect(connection.protocolName == "http/1.1")
    #expect(connection.tlsVersion == "TLSv1.3")
    #expect(connection.tlsDuration != nil)
  }

  @Test(arguments: Proxy.Kind.allCases)
  func `HTTP_2 is agreed on with the server, not with the proxy`(kind: Proxy.Kind) async throws {
    let (responses, _) = try await send(kind, protocols: ["h2"])
    #expect(responses[0].metrics.connection?.protocolName == "h2")
  }

  /// Such a server speaks first.
  @Test(arguments: Proxy.Kind.allCases)
  func `HTTP_2 by prior knowledge goes through a tunnel, too`(kind: Proxy.Kind) async throws {
    let (responses, _) = try await send(kind, isSecure: false, versions: .http2)
    #expect(responses[0].metrics.connection?.protocolName == "h2c")
  }

  @Test func `http goes through SOCKS as it would go without`() async throws {
    _ = try await send(.socks5, isSecure: false)
    let proxy = try await ScriptedServer.start(
      Script([
        .readBytes(3), .sendBytes(ByteBuffer(bytes: [5, 0])), .readBytes(3 + 18),
        .sendBytes(ByteBuffer(bytes: [5, 0, 0, 1, 0, 0, 0, 0, 0, 0])),
        .readBytes(21 + 20), .send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ntern"),
      ]))
    let engine = HTTPTransport.through(try .local(.socks5, proxy.port))
    let response = try await engine.send(Request(.get, "http://example.com/a"))
    #expect(String(buffer: try await response.body.collect()) == "tern")
    let heard = String(buffer: proxy.bytes())
    #expect(heard.contains("GET /a HTTP/1.1\r\nHost: example.com\r\n"))
    await proxy.stop()
  }

  /// The bytes leave with the proxy's last word, so that they are there before any request is.
  @Test func `what a server sends before the first request is no answer (RFC 9112 §9.2)`()
    async throws
  {
    let granted: [UInt8] = [5, 0, 0, 1, 0, 0, 0, 0, 0, 0]
    let volunteered = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"
    let proxy = try await ScriptedServer.start(
      Script([
        .readBytes(3), .sendBytes(ByteBuffer(bytes: [5, 0])), .readBytes(3 + 18),
        .sendBytes(ByteBuffer(bytes: granted + volunteered.utf8)), .stall,
      ]), repeatsLast: true)
    let engine = HTTPTransport.through(try .local(.socks5, proxy.port))
    let error = await engine.failure("http://example.com/a")
    #expect(error?.code == .malformedResponse)
    #expect(error?.isSafeToRetry == true)
    #expect(
      error?.message
        == "The proxy socks5://127.0.0.1:\(proxy.port), or http://example.com behind it, sent “HTTP/1.1 200 OK\\u{d}\\u{a}Content-Length: 4\\u{d}\\u{a}\\u{d}\\u{a}evil” before any request: try again later."
    )
    try await proxy.waitForConnectionsClosed()
    #expect(proxy.connectionCount == 1)
    #expect(!String(buffer: proxy.bytes()).contains("GET"))
    await proxy.stop()
  }

  @Test(arguments: Proxy.Kind.allCases, ["http/1.1", "h2"])
  func `what is for a proxy stays out of tunnels`(
    kind: Proxy.Kind, version: String
  ) async throws {
    var tls = ServerTLS(try authority.leaf(for: [Self.host]))
    tls.protocols = [version]
    let server = try await LoopbackServer.start(tls: tls)
    let proxy = try await TunnelProxy.start(tls: kind == .https ? authority.leaf() : nil)
    let own = try ProxyRoute.local(kind, proxy.port, user: "wren", password: "canary")
    let engine = HTTPTransport.through(own) {
      $0.tls.roots = .certificates([authority.root])
    }
    let url = server.url("/headers", host: Self.host)
    let fields: HTTPFields = [.proxyAuthorization: "Basic canary", .accept: "text/tern"]
    for headers in [fields, [.accept: "text/tern"]] {
      let response = try await engine.send(Request(url: url, headers: headers))
      #expect(response.metrics.connection?.protocolName == version)
      let heard = String(buffer: try await response.body.collect())
      #expect(heard.contains("text/tern") && !heard.contains("canary"))
      #expect(!heard.lowercased().contains("authorization"))
    }
    await server.stop()
    await proxy.stop()
  }

  @Test func `what the server says at once behind the proxy's answer is not lost`() async throws {
    let authority = authority
    let server = try await LoopbackServer.start(tls: ServerTLS(try authority.leaf()))
    // An answer in pieces, one byte at a time, and the tunnel's end does not speak TLS.
    let proxy = try await ScriptedServer.start(
      Script([
        .readHead,
        .drip(ByteBuffer(string: "HTTP/1.1 200 OK\r\n\r\nnot TLS"), every: .milliseconds(1)),
        .stall,
      ]))
    let engine = HTTPTransport.through(try .local(.http, proxy.port))
    let error = await engine.failure("https://localhost:\(server.port)/get")
    #expect(error?.code == .tlsFailed)
    try await proxy.waitForConnectionsClosed()
    await server.stop()
    await proxy.stop()
  }

  @Test func `the evaluator for servers does not decide which proxy is trusted`() async throws {
    struct Nobody: TrustEvaluating {
      func evaluate(_ trust: ServerTrust) async throws {
        guard trust.host == "tern.invalid" else { throw CancellationError() }
      }
    }
    let server = try await LoopbackServer.start(tls: ServerTLS(try authority.leaf()))
    let proxy = try await TunnelProxy.start(tls: authority.leaf())
    let url = server.url("/get", host: Self.host)
    var roots = TLSOptions.Roots.certificates([authority.root])
    let engine = { (roots: TLSOptions.Roots) throws in
      HTTPTransport.through(try .local(.https, proxy.port)) {
        $0.tls.evaluator = Nobody()
        $0.tls.roots = roots
      }
    }
    #expect(try await engine(roots).send(Request(url: url)).status == .ok)
    roots = .certificates([try TemporaryAuthority().root])
    let error = await #expect(throws: MartletError.self) {
      try await engine(roots).send(Request(url: url))
    }
    #expect(error?.code == .certificateUntrusted)
    #expect(error?.message.contains("“127.0.0.1”") == true)
    #expect(proxy.asked.count == 1)
    await server.stop()
    await proxy.stop()
  }

  @Test func `events name the proxy's address`() async throws {
    let server = try await LoopbackServer.start(tls: ServerTLS(try authority.leaf()))
    let proxy = try await TunnelProxy.start()
    let events = Locked<[String]>([])
    let call = Call()
    call.observe { event in events.withLock { $0.append("\(event)") } }
    let engine = HTTPTransport.through(try .local(.http, proxy.port)) {
      $0.tls.roots = .certificates([authority.root])
    }
    var request = Request(url: server.url("/get", host: "localhost"))
    request.call = call
    _ = try await engine.send(request)
    #expect(
      events.current.dropFirst().prefix(4) == [
        "connecting(127.0.0.1:\(proxy.port))", "connected(127.0.0.1:\(proxy.port))",
        "securing(localhost)", "secured(localhost)",
      ])
    await server.stop()
    await proxy.stop()
  }
}
