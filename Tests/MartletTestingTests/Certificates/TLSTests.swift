import Foundation
import MartletTesting
import NIOSSL
import Testing

@Suite(.timeLimit(.minutes(5)))
struct TLSTests {
  private func trusting(_ root: [UInt8]) throws -> TLSConfiguration {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.trustRoots = .certificates([try NIOSSLCertificate(bytes: root, format: .der)])
    return configuration
  }

  /// The status of a request over TLS, or the handshake's error.
  private func status(
    _ tls: ServerTLS, trusting root: [UInt8], host: String? = nil,
    configure: (inout TLSConfiguration) -> Void = { _ in }
  ) async throws -> Int {
    let server = try await LoopbackServer.start(tls: tls)
    var configuration = try trusting(root)
    configure(&configuration)
    return try await server.fetch("GET /ip", tls: configuration, host: host).status
  }

  @Test(arguments: ["127.0.0.1", "localhost"])
  func `a leaf is trusted by its root's friends`(host: String) async throws {
    let authority = try TemporaryAuthority()
    let tls = ServerTLS(try authority.leaf())
    #expect(try await status(tls, trusting: authority.root, host: host) == 200)
  }

  @Test func `a chain of intermediates leads to the root`() async throws {
    let authority = try TemporaryAuthority()
    let lower = try authority.intermediate().intermediate(commonName: "Lower")
    let leaf = try lower.leaf()
    #expect(leaf.certificates.count == 3)
    #expect(leaf.certificatesPEM.components(separatedBy: "BEGIN CERTIFICATE").count == 4)
    #expect(try await status(ServerTLS(leaf), trusting: authority.root) == 200)
  }

  @Test(arguments: [.p256, .p384, .p521, .ed25519, .rsa(bits: 2048)] as [CertificateTraits.Key])
  func `an authority issues certificates, whatever the kind of its key`(key: CertificateTraits.Key)
    async throws
  {
    let authority = try TemporaryAuthority(traits: CertificateTraits { $0.key = key })
    let tls = ServerTLS(try authority.leaf())
    #expect(try await status(tls, trusting: authority.root) == 200)
  }

  @Test func `a leaf of another authority is not trusted`() async throws {
    let tls = ServerTLS(try TemporaryAuthority().leaf())
    let other = try TemporaryAuthority().root
    await #expect(throws: (any Error).self) { try await status(tls, trusting: other) }
  }

  @Test func `expired, early, foreign and nameless leaves are not trusted`() async throws {
    let authority = try TemporaryAuthority()
    let hour: TimeInterval = 3600
    let leaves = [
      try authority.leaf(notAfter: Date(timeIntervalSinceNow: -hour)),
      try authority.leaf(notBefore: Date(timeIntervalSinceNow: hour)),
      try authority.leaf(for: ["example.org"]),
      try authority.leaf(for: ["127.0.0.1"], includesAlternativeNames: false),
      try authority.leaf(purposes: [.client]),
    ]
    for leaf in leaves {
      await #expect(throws: (any Error).self) {
        try await status(ServerTLS(leaf), trusting: authority.root)
      }
    }
  }

  @Test func `a self-signed certificate vouches for itself`() async throws {
    let named = try TemporaryAuthority.selfSigned(commonName: "Alt Name", names: ["127.0.0.1"])
    #expect(try await status(ServerTLS(named), trusting: named.certificates[0]) == 200)
    let nameless = try TemporaryAuthority.selfSigned(commonName: "No Domains")
    await #expect(throws: (any Error).self) {
      try await status(ServerTLS(nameless), trusting: nameless.certificates[0])
    }
  }

  @Test func `a server can ask for a client's certificate`() async throws {
    let authority = try TemporaryAuthority()
    var tls = ServerTLS(try authority.leaf())
    tls.clientRoots = [authority.root]
    let own = try authority.intermediate().leaf(for: ["client"], purposes: [.client])
    let (chain, key) = (try own.certificateSources(), try own.privateKeySource())
    let status = try await status(tls, trusting: authority.root) {
      ($0.certificateChain, $0.privateKey) = (chain, key)
    }
    #expect(status == 200)
    await #expect(throws: (any Error).self) {
      try await self.status(tls, trusting: authority.root)
    }
  }

  @Test func `a server can be too old for its clients`() async throws {
    let authority = try TemporaryAuthority()
    var tls = ServerTLS(try authority.leaf())
    tls.versions = .tls10 ... .tls12
    await #expect(throws: (any Error).self) {
      try await status(tls, trusting: authority.root) { $0.minimumTLSVersion = .tlsv13 }
    }
    #expect(try await status(tls, trusting: authority.root) == 200)
  }

  @Test func `scripts run inside of TLS`() async throws {
    let authority = try TemporaryAuthority()
    let server = try await ScriptedServer.start(
      .text("ok"), tls: ServerTLS(try authority.leaf()))
    let client = try await RawClient.connect(
      to: server.url("/", host: "localhost"), tls: try trusting(authority.root))
    try await client.send("GET / HTTP/1.1\r\n\r\n")
    #expect(try RawResponse(try await client.readToEnd()).text == "ok")
    #expect(server.url().scheme == "https")
  }

  @Test func `certificates and keys can be written as PEM`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let authority = try TemporaryAuthority()
    try authority.writePEM(to: folder.appending(path: "root.pem"))
    try authority.leaf().writePEM(to: folder.appending(path: "leaf.pem"))
    let roots = try NIOSSLCertificate.fromPEMFile(folder.appending(path: "root.pem").path)
    #expect(try roots.map { try $0.toDERBytes() } == [authority.root])
    let key = try NIOSSLPrivateKey(file: folder.appending(path: "leaf.pem").path, format: .pem)
    #expect(try !key.derBytes.isEmpty)
  }
}
