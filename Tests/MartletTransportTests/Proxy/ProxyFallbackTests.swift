import EssentialFoundation
import Foundation
import HTTPTypes
import MartletCore
import MartletTesting
import MartletTransport
import NIOCore
import Testing

/// Lists of ways, the next of which is tried when one cannot be taken.
@Suite(.timeLimit(.minutes(5)))
struct ProxyFallbackTests {
  private static let url = "http://example.com/"

  @Test func `the next proxy is tried, and the one that failed comes last`() async throws {
    let port = try ReservedPort.refusing()
    let proxy = try await ScriptedServer.start(.text("one"), .text("two"))
    let tried = Locked<[String]>([])
    let engine = HTTPTransport.through(
      try .local(.http, port.port), try .local(.http, proxy.port))
    for _ in 0..<2 {
      let call = Call()
      call.observe { event in
        if case .connecting(let address) = event.kind { tried.withLock { $0.append(address) } }
      }
      var request = try Request(.get, Self.url)
      request.call = call
      #expect(try await engine.send(request).status == .ok)
    }
    let works = "127.0.0.1:\(proxy.port)"
    #expect(tried.current == ["127.0.0.1:\(port.port)", works, works])
    await proxy.stop()
  }

  @Test func `the way without a proxy can be the last`() async throws {
    let port = try ReservedPort.refusing()
    let server = try await LoopbackServer.start()
    let engine = HTTPTransport.through(try .local(.socks5, port.port), .direct)
    let response = try await engine.send(Request(url: server.url("/get")))
    #expect(response.status == .ok)
    #expect(response.metrics.connection?.proxy == nil)
    await server.stop()
  }

  @Test func `or the first`() async throws {
    let port = try ReservedPort.refusing()
    let proxy = try await ScriptedServer.start(.text("one"))
    let engine = HTTPTransport.through(.direct, try .local(.http, proxy.port))
    let response = try await engine.send(Request(.get, "http://127.0.0.1:\(port.port)/"))
    #expect(response.metrics.connection?.proxy == "http://127.0.0.1:\(proxy.port)")
    await proxy.stop()
  }

  @Test(
    arguments: [
      [
        .readBytes(3), .sendBytes(ByteBuffer(bytes: [5, 0])), .readBytes(21),
        .sendBytes(ByteBuffer(bytes: [5, 1])), .stall,
      ],
      [.readBytes(3), .close], [.readBytes(3), .send("garbage"), .stall],
    ] as [[Script.Step]])
  func `a proxy that fails gives way to the next`(steps: [Script.Step]) async throws {
    try await expectNext(after: steps) { $0.timeouts.connect = .seconds(60) }
  }

  @Test func `a proxy that hangs gives way to the next`() async throws {
    // Long enough for the next, even on a machine that has much else to do.
    try await expectNext(after: [.stall]) { $0.timeouts.connect = .seconds(3) }
  }

  @Test func `a proxy that hangs in its TLS handshake gives way to the next`() async throws {
    try await expectNext(after: [.stall], of: .https) { $0.timeouts.tls = .seconds(3) }
  }

  @Test(
    arguments: [[.readBytes(3), .close], [.readBytes(3), .reset]] as [[Script.Step]])
  func `a proxy that closes in its TLS handshake gives way to the next`(steps: [Script.Step])
    async throws
  {
    try await expectNext(after: steps, of: .https) { $0.timeouts.tls = .seconds(60) }
  }

  private func expectNext(
    after steps: [Script.Step], of kind: Proxy.Kind = .socks5,
    set: (inout HTTPTransportConfiguration) -> Void
  ) async throws {
    let broken = try await ScriptedServer.start(Script(steps))
    let proxy = try await ScriptedServer.start(.text("one"))
    let engine = HTTPTransport.through(
      try .local(kind, broken.port), try .local(.http, proxy.port), set: set)
    #expect(try await engine.send(Request(.get, Self.url)).status == .ok)
    try await broken.waitForConnectionsClosed()
    await broken.stop()
    await proxy.stop()
  }

  @Test func `a proxy that says no is not passed over`() async throws {
    let strict = try await ScriptedServer.start(
      .respond("HTTP/1.1 403 Forbidden\r\n\r\n"))
    let other = try await ScriptedServer.start(.text("one"))
    let engine = HTTPTransport.through(
      try .local(.http, strict.port), try .local(.http, other.port), .direct)
    #expect(await engine.failure("https://example.com/")?.code == .proxyRefused)
    #expect(other.connectionCount == 0)
    await strict.stop()
    await other.stop()
  }

  @Test func `nor one whose certificate is not trusted`() async throws {
    let authority = try TemporaryAuthority()
    let impostor = try await ScriptedServer.start(.text("one"), tls: ServerTLS(authority.leaf()))
    let engine = HTTPTransport.through(try .local(.https, impostor.port), .direct)
    #expect(await engine.failure(Self.url)?.code == .certificateUntrusted)
    await impostor.stop()
  }

  @Test func `the last way's error is the error, with all addresses`() async throws {
    let (first, second) = (try ReservedPort.refusing(), try ReservedPort.refusing())
    let engine = HTTPTransport.through(
      try .local(.http, first.port), try .local(.socks5, second.port))
    let error = await engine.failure(Self.url)
    #expect(
      error?.message
        == "Could not connect to the proxy socks5://127.0.0.1:\(second.port): nothing listens there."
    )
    #expect(error?.addresses == ["127.0.0.1:\(first.port)", "127.0.0.1:\(second.port)"])
  }

  // MARK: Which ways there are

  @Test func `what the environment says is for others than this machine`() async throws {
    let server = try await LoopbackServer.start()
    // Whatever it says here: the way is direct.
    let response = try await HTTPTransport().send(Request(url: server.url("/get")))
    #expect(response.metrics.connection?.proxy == nil)
    await server.stop()
  }

  @Test func `sockets are never asked for through a proxy`() async throws {
    let port = try ReservedPort.refusing()
    let path = "/tmp/martlet-\(UUID()).sock"
    let server = try await LoopbackServer.start(unixSocket: path)
    let engine = HTTPTransport.through(try .local(.http, port.port))
    let url = try #require(server.socketURL("/get"))
    #expect(try await engine.send(Request(url: url)).status == .ok)
    await server.stop()
  }

  // MARK: The address policy

  @Test func `an address that is not allowed is not asked for through a proxy, either`()
    async throws
  {
    let proxy = try await ScriptedServer.start(.text("one"), .text("two"))
    let engine = HTTPTransport.through(try .local(.http, proxy.port)) {
      $0.addressPolicy = .publicOnly
    }
    for url in ["http://10.0.0.1/", "https://[::1]/", "http://169.254.169.254/"] {
      let error = await engine.failure(url)
      #expect(error?.code == .addressNotAllowed)
    }
    #expect(proxy.connectionCount == 0)
    // The proxy's own address is the application's choice, and what names stand for is not known here.
    #expect(try await engine.send(Request(.get, Self.url)).status == .ok)
    #expect(try await engine.send(Request(.get, "http://1.2.3.4/")).status == .ok)
    await proxy.stop()
  }
}
