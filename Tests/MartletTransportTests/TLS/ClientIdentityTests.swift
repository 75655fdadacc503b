import EssentialFoundation
import Foundation
import HTTPTypes
import MartletCore
import MartletTesting
import MartletTransport
import NIOCore
import Testing

/// Servers that request a client certificate.
@Suite(.timeLimit(.minutes(5)))
struct ClientIdentityTests {
  private let authority: TemporaryAuthority
  private let client: CertifiedKey

  init() throws {
    authority = try TemporaryAuthority()
    client = try authority.leaf(for: ["client"], purposes: [.client])
  }

  private static let versions: [ServerTLS.Version] = [.tls12, .tls13]

  @Test(arguments: versions, ["localhost", "127.0.0.1"])
  func `the identity of a host is shown when the server asks for one`(
    version: ServerTLS.Version, host: String
  ) async throws {
    let identity = try ClientIdentity(pem: client.certificatesPEM + client.privateKeyPEM)
    try await withServer(version) { server in
      let response = try await send(to: server, host: host) {
        $0.clientIdentities["localhost"] = identity; $0.clientIdentities["127.0.0.1"] = identity
      }
      #expect(response.status == .ok)
      #expect(
        response.metrics.connection?.tlsVersion == (version == .tls12 ? "TLSv1.2" : "TLSv1.3"))
    }
  }

  @Test(arguments: versions)
  func `the server's request comes as a challenge`(version: ServerTLS.Version) async throws {
    let identity = try ClientIdentity(pem: client.certificatesPEM + client.privateKeyPEM)
    let challenges = Locked<[ClientCertificateRequest]>([])
    try await withServer(version) { server in
      let response = try await send(to: server) {
        $0.clientIdentityProvider = { challenge in
          challenges.withLock { $0.append(challenge) }
          return identity
        }
      }
      #expect(response.status == .ok)
    }
    #expect(challenges.current.map(\.host) == ["localhost"])
  }

  @Test func `that no identity could be had is said in words`() async throws {
    struct Locked: Error, CustomStringConvertible {
      let description = "the key store is locked"
    }
    try await withServer(.tls13) { server in
      await #expect {
        try await send(to: server) { $0.clientIdentityProvider = { _ in throw Locked() } }
      } throws: { error in
        let error = error as? MartletError
        return error?.code == .invalidClientIdentity
          && error?.message
            == "No client certificate could be provided for “localhost”: the key store is locked."
      }
    }
  }

  @Test func `after an identity could not be had, another connection is lost for its own reason`()
    async throws
  {
    struct KeyStoreLocked: Error {}
    let identity = try ClientIdentity(pem: client.certificatesPEM + client.privateKeyPEM)
    var tls = ServerTLS(try authority.leaf())
    tls.clientRoots = [authority.root]
    let server = try await ScriptedServer.start(
      Script.text("one").then(.readHead, .readBytes(100_000), .reset), Script([.stall]), tls: tls)
    let challenges = Locked(0)
    var configuration = HTTPTransportConfiguration()
    configuration.tls.roots = .certificates([authority.root])
    configuration.tls.clientIdentityProvider = { _ in
      guard
        challenges.withLock({
          $0 += 1; return $0
        }) == 1
      else { throw KeyStoreLocked() }
      return identity
    }
    let engine = HTTPTransport(configuration)
    #expect(try await engine.send(Request(url: server.url())).status == .ok)

    // The upload has the first connection to itself until the identity of the second could not be had.
    let (failures, failed) = AsyncStream.makeStream(of: Void.self)
    var request = Request(.post, url: server.url())
    request.body = .producer(length: nil) { write in
      try await write(ByteBuffer(string: "begin"))
      for await _ in failures { break }
      try await write(ByteBuffer(repeating: 0, count: 200_000))
    }
    let before = server.bytes().readableBytes
    let upload = Task { [request] in try await engine.send(request) }
    try await server.waitForBytes(before + 1)
    await #expect {
      try await engine.send(Request(url: server.url()))
    } throws: {
      ($0 as? MartletError)?.code == .invalidClientIdentity
    }
    failed.yield()
    await #expect {
      try await upload.value
    } throws: {
      ($0 as? MartletError)?.code == .connectionLost
    }
    engine.shutDown()
    await server.stop()
  }

  @Test func `a server that does not ask makes no challenge`() async throws {
    let challenges = Locked(0)
    let server = try await LoopbackServer.start(tls: ServerTLS(try authority.leaf()))
    _ = try await send(to: server) {
      $0.clientIdentityProvider = { _ in
        challenges.withLock { $0 += 1 }
        return nil
      }
    }
    #expect(challenges.current == 0)
    await server.stop()
  }

  @Test(arguments: versions)
  func `that there is no identity for a server is said in words`(version: ServerTLS.Version)
    async throws
  {
    try await withServer(version) { server in
      await #expect {
        try await send(to: server) { _ in }
      } throws: { error in
        let error = error as? MartletError
        return error?.code == .clientCertificateRequired
          && error?.message
            == "https://localhost:\(server.port) requires a client certificate: set one for “localhost” in `tls.clientIdentities`."
      }
    }
  }

  @Test(arguments: versions)
  func `that a server refuses the identity is said in words`(version: ServerTLS.Version)
    async throws
  {
    let other = try TemporaryAuthority(commonName: "Somebody Else").leaf(purposes: [.client])
    let identity = try ClientIdentity(pem: other.certificatesPEM + other.privateKeyPEM)
    try await withServer(version) { server in
      await #expect {
        try await send(to: server) { $0.clientIdentities["**.localhost"] = identity }
      } throws: { error in
        let error = error as? MartletError
        return error?.code == .clientCertificateRefused
          && error?.message
            == "https://localhost:\(server.port) does not accept the client certificate: check that it was issued by an authority that the server trusts, and that it has not expired."
      }
    }
  }

  // MARK: Reading

  @Test func `an identity is read from one file or two`() throws {
    try withFolder { folder in
      let (both, key) = (folder.appending(path: "both.pem"), folder.appending(path: "key.pem"))
      try client.writePEM(to: both)
      _ = try ClientIdentity(certificateFile: both)
      try Data(client.privateKeyPEM.utf8).write(to: key)
      _ = try ClientIdentity(certificateFile: both, keyFile: key)
    }
  }

  @Test func `what is wrong with a file is said of that file`() throws {
    try withFolder { folder in
      let (certificate, key) = (folder.appending(path: "c.pem"), folder.appending(path: "k.pem"))
      try Data(client.certificatesPEM.utf8).write(to: certificate)
      let other = try authority.leaf()
      func refusal(_ key: URL? = nil, _ certificate: URL = certificate) -> String? {
        message { try ClientIdentity(certificateFile: certificate, keyFile: key) }
      }
      #expect(
        refusal() == "“\(certificate.path)” holds no private key in PEM form.")
      #expect(
        refusal(key) == "“\(key.path)” cannot be read: check that it is there and may be read.")
      try Data(other.privateKeyPEM.utf8).write(to: key)
      #expect(
        refusal(key)
          == "The private key in “\(key.path)” is not that of the first certificate in “\(certificate.path)”."
      )
      try Data("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n".utf8)
        .write(to: key)
      #expect(refusal(key) == "The private key in “\(key.path)” cannot be read.")
      #expect(
        refusal(key, key)
          == "“\(key.path)” holds no certificate in PEM form, or the certificate cannot be read.")
      try Data([0x30, 0x82, 0x09, 0x00]).write(to: key)
      #expect(
        refusal(key)
          == "“\(key.path)” is not in PEM form, but perhaps a PKCS #12 bundle: convert it with `openssl pkcs12 -in \(key.path) -out client.pem -nodes`."
      )
    }
  }

  @Test(arguments: ["\n", "\r\n"])
  func `a key that is encrypted in the older form can be read`(newline: String) throws {
    let pem = EncryptedIdentity.olderForm.replacing("\n", with: newline)
    _ = try ClientIdentity(pem: pem, passphrase: "tern")
    #expect(
      message { try ClientIdentity(pem: pem) }
        == "The private key in the text is encrypted: give its passphrase.")
  }

  @Test func `empty lines within a key do not matter`() throws {
    let pem = EncryptedIdentity.pem.replacing("\n", with: "\n\n")
    _ = try ClientIdentity(pem: pem, passphrase: "tern")
  }

  /// Made with `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -passout pass:tern`.
  @Test func `an encrypted key needs its passphrase`() throws {
    let pem = EncryptedIdentity.pem
    _ = try ClientIdentity(pem: pem, passphrase: "tern")
    #expect(
      message { try ClientIdentity(pem: pem) }
        == "The private key in the text is encrypted: give its passphrase.")
    #expect(
      message { try ClientIdentity(pem: pem, passphrase: "gull") }
        == "The private key in the text cannot be decrypted: the passphrase is wrong, or the key is broken."
    )
    #expect(
      message { try ClientIdentity(pem: pem, passphrase: "möwe") }
        == "The passphrase has characters that are not ASCII, which cannot be used: encrypt the private key with another."
    )
    let long = String(repeating: "x", count: 5000)
    #expect(
      message { try ClientIdentity(pem: pem, passphrase: long) }
        == "The private key in the text cannot be decrypted: the passphrase is wrong, or the key is broken."
    )
  }

  // MARK: Shorthands

  private func message(_ make: () throws -> ClientIdentity) -> String? {
    do {
      _ = try make()
      return nil
    } catch {
      return (error as? MartletError)?.message
    }
  }

  private func withServer(
    _ version: ServerTLS.Version, _ body: (LoopbackServer) async throws -> Void
  ) async throws {
    var tls = ServerTLS(try authority.leaf())
    tls.versions = version...version
    tls.clientRoots = [authority.root]
    let server = try await LoopbackServer.start(tls: tls)
    do {
      try await body(server)
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }

  private func send(
    to server: LoopbackServer, host: String = "localhost", _ change: (inout TLSOptions) -> Void
  ) async throws -> Response {
    var configuration = HTTPTransportConfiguration()
    configuration.tls.roots = .certificates([authority.root])
    change(&configuration.tls)
    return try await HTTPTransport(configuration)
      .send(Request(url: server.url("/get", host: host)))
  }

  private func withFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }
}
