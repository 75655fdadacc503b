import EssentialFoundation
import MartletCore
import MartletTesting
import MartletTransport
import Testing

/// A connection while the provider chooses a client certificate for it.
@Suite(.timeLimit(.minutes(2)))
struct IdentityProviderTests {
  private let authority: TemporaryAuthority
  private let ponderer = Ponderer()
  private let server: FloodingServer
  private let engine: HTTPTransport

  init() async throws {
    authority = try TemporaryAuthority()
    server = try await Self.server(authority)
    engine = Self.engine(authority) { [ponderer] tls in
      tls.clientIdentityProvider = { _ in try await ponderer.ponder() }
    }
  }

  /// A server that requests a client certificate, and goes on sending before it has one.
  private static func server(
    _ authority: TemporaryAuthority, _ version: ServerTLS.Version = .tls13
  ) async throws -> FloodingServer {
    var tls = ServerTLS(try authority.leaf())
    tls.versions = version...version
    tls.clientRoots = [authority.root]
    return try await FloodingServer.start(tls)
  }

  private static func engine(
    _ authority: TemporaryAuthority, _ change: (inout TLSOptions) -> Void
  ) -> HTTPTransport {
    var configuration = HTTPTransportConfiguration()
    configuration.tls.roots = .certificates([authority.root])
    configuration.timeouts.tls = nil
    change(&configuration.tls)
    return HTTPTransport(configuration)
  }

  /// Sends a request, and returns its task once the provider has been asked.
  private func ask() async throws -> Task<Response, any Error> {
    let url = try URL(escaping: "https://localhost:\(server.port)/")
    let task = Task { [engine] in try await engine.send(Request(url: url)) }
    _ = await ponderer.isOnEventLoop.stream.first { _ in true }
    return task
  }

  @Test func `nothing is read meanwhile, however much the server sends, and it is asked once`()
    async throws
  {
    let task = try await ask()
    #expect(try await server.untilBlocked() < 64 << 20)
    #expect(ponderer.questions.current == 1)
    task.cancel()
    await #expect(throws: MartletError.self) { try await task.value }
    engine.shutDown()
    try await server.stop()
  }

  @Test func `a request that is cancelled ends the provider's task`() async throws {
    let task = try await ask()
    task.cancel()
    #expect(await ponderer.isCancelled.stream.first { _ in true } == true)
    await #expect(throws: MartletError.self) { try await task.value }
    engine.shutDown()
    try await server.stop()
  }

  @Test func `a connection that the server resets fails at once`() async throws {
    let task = try await ask()
    try await server.reset()
    await #expect {
      try await task.value
    } throws: { ($0 as? MartletError)?.code == .tlsFailed }
    #expect(await ponderer.isCancelled.stream.first { _ in true } == true)
    engine.shutDown()
    try await server.stop()
  }

  @Test(arguments: [ServerTLS.Version.tls12, .tls13])
  func `what the server has sent meanwhile is read after the answer`(
    version: ServerTLS.Version
  ) async throws {
    let client = try authority.leaf(for: ["client"], purposes: [.client])
    let identity = try ClientIdentity(pem: client.certificatesPEM + client.privateKeyPEM)
    let server = try await Self.server(authority, version)
    let count = Locked(0)
    let engine = Self.engine(authority) {
      $0.clientIdentityProvider = { _ in
        count.withLock { $0 += 1 }
        _ = try await server.untilBlocked()
        return identity
      }
    }
    // They are no TLS.
    await #expect(throws: MartletError.self) {
      try await engine.send(Request(url: URL(escaping: "https://localhost:\(server.port)/")))
    }
    #expect(count.current == 1)
    engine.shutDown()
    try await server.stop()
  }

  @Test(arguments: [ServerTLS.Version.tls12, .tls13])
  func `without a provider the server's bytes wait for the answer as well`(
    version: ServerTLS.Version
  ) async throws {
    let client = try authority.leaf(for: ["client"], purposes: [.client])
    let identity = try ClientIdentity(pem: client.certificatesPEM + client.privateKeyPEM)
    let server = try await Self.server(authority, version)
    let engine = Self.engine(authority) { $0.clientIdentities["localhost"] = identity }
    await #expect(throws: MartletError.self) {
      try await engine.send(Request(url: URL(escaping: "https://localhost:\(server.port)/")))
    }
    engine.shutDown()
    try await server.stop()
  }
}
