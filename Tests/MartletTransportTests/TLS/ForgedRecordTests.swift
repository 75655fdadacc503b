import EssentialFoundation
import HTTPTypes
import MartletCore
import MartletTesting
import NIOCore
import Testing

@testable import MartletTransport

/// Bytes that the network puts into a connection after its TLS handshake (RFC 8446 §5.2, §6.2).
@Suite(.timeLimit(.minutes(5)))
struct ForgedRecordTests {
  enum Forgery: CaseIterable {
    case text, alert, record

    var bytes: ByteBuffer {
      switch self {
      case .text: ByteBuffer(string: "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil")
      case .alert: ByteBuffer(bytes: [21, 3, 3, 0, 2, 1, 0])
      case .record: ByteBuffer(bytes: [23, 3, 3, 0, 40] + Array(repeating: 7, count: 40))
      }
    }
  }

  private static let wholeBody = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"
  private static let openBody = "HTTP/1.1 200 OK\r\n\r\nabc"

  @Test(arguments: Forgery.allCases, [ServerTLS.Version.tls12, .tls13])
  func `before the response they end the exchange`(forgery: Forgery, version: ServerTLS.Version)
    async throws
  {
    let (error, origin) = try await error(of: forgery, version, [.readRequest, .stall])
    #expect(error.code == .connectionLost)
    #expect(error.phase == .wait)
    #expect(!error.isSafeToRetry)
    #expect(
      error.message
        == "The connection to \(origin) was closed, because what arrived over it is not valid TLS: try again."
    )
    #expect(error.underlying != nil)
  }

  @Test(arguments: Forgery.allCases)
  func `over HTTP2 the error is the same`(forgery: Forgery) async throws {
    let authority = try TemporaryAuthority()
    let peer = try await FramePeer.start(tls: try authority.leaf())
    let relay = try await SlowRelay.start(to: try #require(peer.url().port), .unhindered)
    let engine = peer.engine { $0.tls.roots = .certificates([authority.root]) }
    let origin = "https://127.0.0.1:\(relay.port)"
    let exchange = engine.begin(try Request(.get, origin))
    let connection = try await peer.accept()
    _ = try await connection.request()
    relay.insertForClients(forgery.bytes)
    let error = await #expect(throws: MartletError.self) { try await exchange.value }
    #expect(error?.code == .connectionLost)
    #expect(
      error?.message
        == "The connection to \(origin) was closed, because what arrived over it is not valid TLS: try again."
    )
    await engine.close()
    try await relay.stop()
    await peer.stop()
  }

  @Test func `the error names the proxy, which may be the end that is spoken to by TLS`()
    async throws
  {
    let authority = try TemporaryAuthority()
    let server = try await ScriptedServer.start(
      Script([.readRequest, .stall]), tls: ServerTLS(try authority.leaf()))
    let relay = try await SlowRelay.start(to: server.port, .unhindered)
    let engine = HTTPTransport.through(try .local(.https, relay.port)) {
      $0.tls.roots = .certificates([authority.root])
    }
    let exchange = engine.begin(try Request(.get, "http://server.test/"))
    try await server.waitForRequests(1)
    relay.insertForClients(Forgery.record.bytes)
    let error = await #expect(throws: MartletError.self) { try await exchange.value }
    #expect(error?.code == .connectionLost)
    #expect(
      error?.message
        == "The connection to http://server.test through the proxy https://127.0.0.1:\(relay.port) was closed, because what arrived over it is not valid TLS: try again."
    )
    await engine.close()
    try await relay.stop()
    await server.stop()
  }

  @Test(arguments: Forgery.allCases, [wholeBody, openBody])
  func `within a body they end it, and are no part of it`(forgery: Forgery, response: String)
    async throws
  {
    let steps = [Script.Step.readRequest, .send(response), .stall]
    let (error, _) = try await error(of: forgery, .tls13, steps, duringBody: true)
    #expect(error.code == .bodyTruncated)
    #expect(error.message.hasPrefix("The connection ended after 3 "))
    #expect(error.underlying != nil)
  }

  @Test(.enabled(if: OpenSSLServer.isThere))
  func `a server that receives them ends the connection with an alert`() async throws {
    let authority = try TemporaryAuthority()
    let server = try await OpenSSLServer.start(try authority.leaf())
    defer { server.stop() }
    let relay = try await SlowRelay.start(to: server.port, .unhindered)
    let origin = "https://127.0.0.1:\(relay.port)"
    let engine = engine(trusting: authority)
    let exchange = engine.begin(try Request(.get, origin))
    try await server.waitForOutput("GET / HTTP/1.1")
    relay.insertForServer(Forgery.record.bytes)
    let error = await #expect(throws: MartletError.self) { try await exchange.value }
    #expect(error?.code == .connectionLost)
    #expect(error?.message == "\(origin) ended the connection with an alert of TLS: try again.")
    await engine.close()
    try await relay.stop()
  }

  private func engine(trusting authority: TemporaryAuthority) -> HTTPTransport {
    var configuration = HTTPTransportConfiguration()
    configuration.tls.roots = .certificates([authority.root])
    return HTTPTransport(configuration)
  }

  /// The error of an exchange over a relay, which inserts bytes when the request has arrived, or a part of the body.
  ///
  /// - Parameters:
  ///   - forgery: The bytes.
  ///   - version: The version of TLS.
  ///   - steps: What the server does.
  ///   - duringBody: Whether the bytes are inserted when a part of the body has arrived. The default is false.
  /// - Returns: The error, and the origin of the request.
  /// - Throws: What the servers throw.
  private func error(
    of forgery: Forgery, _ version: ServerTLS.Version, _ steps: [Script.Step],
    duringBody: Bool = false
  ) async throws -> (MartletError, origin: String) {
    let authority = try TemporaryAuthority()
    var tls = ServerTLS(try authority.leaf())
    tls.versions = version...version
    let server = try await ScriptedServer.start(Script(steps), tls: tls)
    let relay = try await SlowRelay.start(to: server.port, .unhindered)
    let engine = engine(trusting: authority)
    let origin = "https://127.0.0.1:\(relay.port)"
    var request = try Request(.get, origin)
    let call = Call()
    call.observe { event in
      if case .bodyReceived = event.kind, duringBody { relay.insertForClients(forgery.bytes) }
    }
    request.call = call
    let exchange = engine.begin(request)
    try await server.waitForRequests(1)
    if !duringBody { relay.insertForClients(forgery.bytes) }
    let result = await exchange.result
    await engine.close()
    try await relay.stop()
    await server.stop()
    return (try #require(throws: MartletError.self) { _ = try result.get() }, origin)
  }
}
