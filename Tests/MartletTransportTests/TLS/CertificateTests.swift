import Foundation
import HTTPTypes
import MartletCore
import MartletTesting
import MartletTransport
import NIOCore
import Testing

/// Which servers the engine trusts, and in which words it refuses the others.
@Suite(.timeLimit(.minutes(5)))
struct CertificateTests {
  private let authority: TemporaryAuthority

  init() throws {
    authority = try TemporaryAuthority()
  }

  @Test(arguments: ["localhost", "127.0.0.1"])
  func `a name and an address are both trusted through the root`(host: String) async throws {
    let response = try await send(to: try authority.leaf(), host: host)
    #expect(response.status == .ok)
    #expect(response.metrics.connection?.tlsVersion == "TLSv1.3")
    #expect(response.metrics.connection?.tlsDuration != nil)
  }

  @Test func `intermediates that the server sends are followed`() async throws {
    let leaf = try authority.intermediate().intermediate(commonName: "Second").leaf()
    #expect(try await send(to: leaf).status == .ok)
  }

  @Test func `an expired certificate is refused with its date`() async throws {
    let leaf = try authority.leaf(
      notBefore: Date(timeIntervalSince1970: 0), notAfter: Date(timeIntervalSince1970: 86_400 * 365)
    )
    await expectRefusal(
      of: leaf, .certificateExpired, "The certificate of “localhost” expired on 1971-01-01")
  }

  @Test func `a certificate from the future is refused with its date`() async throws {
    let leaf = try authority.leaf(
      notBefore: Date(timeIntervalSince1970: 4_102_444_800),
      notAfter: Date(timeIntervalSince1970: 4_202_444_800))
    await expectRefusal(
      of: leaf, .certificateNotYetValid,
      "The certificate of “localhost” is not valid before 2100-01-01")
  }

  @Test func `a self-signed certificate is refused`() async throws {
    let own = try TemporaryAuthority.selfSigned(commonName: "localhost", names: ["localhost"])
    await expectRefusal(
      of: own, .certificateSelfSigned,
      "The certificate of “localhost” is self-signed and not trusted")
  }

  @Test func `a certificate of an unknown authority is refused`() async throws {
    let other = try TemporaryAuthority(commonName: "Somebody Else").leaf()
    await expectRefusal(
      of: other, .certificateUntrusted,
      "The certificate of “localhost” was not issued by a trusted authority")
  }

  @Test func `a certificate for another host is refused with the names it has`() async throws {
    let leaf = try authority.leaf(for: ["example.com", "10.0.0.1"])
    await expectRefusal(
      of: leaf, .certificateWrongHost,
      "The certificate of “localhost” is for “example.com”, “10.0.0.1”")
  }

  @Test func `a common name alone is no name`() async throws {
    let leaf = try authority.leaf(for: ["localhost"], includesAlternativeNames: false)
    await expectRefusal(
      of: leaf, .certificateWrongHost, "The certificate of “localhost” is for no host at all")
  }

  @Test func `a certificate that is for clients only is refused`() async throws {
    let leaf = try authority.leaf(purposes: [.client])
    await expectRefusal(
      of: leaf, .certificateUntrusted, "The certificate of “localhost” is not meant for servers")
  }

  @Test func `a self-signed certificate that is among the roots is trusted`() async throws {
    let own = try TemporaryAuthority.selfSigned(commonName: "localhost", names: ["localhost"])
    let response = try await send(to: own, roots: .certificates(own.certificates))
    #expect(response.status == .ok)
  }

  @Test func `with acceptsAnyCertificate any certificate is accepted`() async throws {
    let own = try TemporaryAuthority.selfSigned(commonName: "nobody")
    var options = TLSOptions()
    options.acceptsAnyCertificate = true
    #expect(try await send(to: own, options: options).status == .ok)
  }

  @Test func `an evaluator of one's own decides`() async throws {
    struct Nobody: TrustEvaluating {
      func evaluate(_ trust: ServerTrust) async throws {
        throw MartletError(.certificateUntrusted, "Nobody is trusted, least of all \(trust.host).")
      }
    }
    var options = TLSOptions()
    options.evaluator = Nobody()
    let leaf = try authority.leaf()
    await #expect {
      try await send(to: leaf, options: options)
    } throws: { ($0 as? MartletError)?.message == "Nobody is trusted, least of all localhost." }
  }

  @Test func `roots are read from a PEM or DER file, and a file without any is an error`()
    async throws
  {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    let leaf = try authority.leaf()
    let other = try TemporaryAuthority()
    for roots in [
      Data(authority.rootPEM.utf8), Data(authority.root),
      Data("# Not UTF-8: ".utf8) + [0xFC, 0x0A] + Data((other.rootPEM + authority.rootPEM).utf8),
    ] {
      try roots.write(to: file)
      #expect(try await send(to: leaf, roots: .file(file)).status == .ok)
    }
    try Data("no certificate".utf8).write(to: file)
    await #expect {
      try await send(to: leaf, roots: .file(file))
    } throws: { error in
      (error as? MartletError)?.message
        == "No certificates could be read from “\(file.path)”: it must hold certificates in PEM or DER form."
    }
  }

  @Test func `a chain of more than 16 certificates is not even looked at`() async throws {
    let leaf = try authority.leaf()
    func chain(of count: Int) -> CertifiedKey {
      let more = Array(repeating: authority.root, count: count - leaf.certificates.count)
      return CertifiedKey(
        certificates: leaf.certificates + more, privateKeyPEM: leaf.privateKeyPEM)
    }
    #expect(try await send(to: chain(of: 16)).status == .ok)
    await expectRefusal(
      of: chain(of: 17), .certificateUntrusted,
      "“localhost” sent 17 certificates, more than any server needs")
  }

  @Test func `a key that is too short is refused`() async throws {
    let leaf = try authority.leaf(traits: CertificateTraits { $0.key = .rsa(bits: 1024) })
    await expectRefusal(
      of: leaf, .certificateTooWeak,
      "The certificate of “localhost” has an RSA key of 1024 bits, which is too short")
  }

  @Test(arguments: [ServerTLS.Version.tls12, .tls13])
  func `nothing is sent to a server that is not trusted`(version: ServerTLS.Version) async throws {
    var tls = ServerTLS(try TemporaryAuthority().leaf())
    tls.versions = version...version
    let server = try await ScriptedServer.start(.text("ok"), repeatsLast: true, tls: tls)
    var configuration = HTTPTransportConfiguration()
    configuration.tls.roots = .certificates([authority.root])
    let engine = HTTPTransport(configuration)
    let request = Request(
      .post, url: server.url("/", host: "localhost"), body: .bytes(ByteBuffer(string: "secret")))
    await #expect(throws: MartletError.self) { try await engine.send(request) }
    try await server.waitForConnectionsClosed()
    #expect(server.bytes().readableBytes == 0)
    await server.stop()
  }

  @Test func `the newest version can be bounded, and is in the metrics`() async throws {
    var options = TLSOptions()
    options.roots = .certificates([authority.root])
    options.maximumVersion = .tls12
    let leaf = try authority.leaf()
    let response = try await send(to: leaf, options: options)
    #expect(response.metrics.connection?.tlsVersion == "TLSv1.2")

    options.minimumVersion = .tls13
    await #expect {
      try await send(to: leaf, options: options)
    } throws: { error in
      let error = error as? MartletError
      return error?.code == .invalidTLSOptions
        && error?.message
          == "No version of TLS is left: `minimumVersion` is newer than `maximumVersion`, in `tls` or in the security policy."
    }
  }

  @Test func `the secrets of connections are written for Wireshark, readable by the user only`()
    async throws
  {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    var options = TLSOptions()
    options.roots = .certificates([authority.root])
    options.keyLogFile = file
    for _ in 1...2 { _ = try await send(to: try authority.leaf(), options: options) }
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    #expect(lines.count { $0.hasPrefix("CLIENT_TRAFFIC_SECRET_0 ") } == 2)
    #expect(lines.allSatisfy { $0.split(separator: " ").count == 3 })
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)

    // One that cannot be written to fails no request.
    options.keyLogFile = URL(fileURLWithPath: "/nowhere/keys")
    #expect(try await send(to: try authority.leaf(), options: options).status == .ok)
  }

  @Test func `TLS older than 1.2 is refused`() async throws {
    var tls = ServerTLS(try authority.leaf())
    tls.versions = .tls10 ... .tls11
    await #expect {
      try await send(to: tls, roots: .certificates([authority.root]))
    } throws: { error in
      let error = error as? MartletError
      return error?.code == .tlsFailed && error?.underlying != nil
        && error?.message.hasSuffix(
          " failed: the server speaks no version of TLS that `minimumVersion` and `maximumVersion` allow, in `tls` or in the security policy."
        ) == true
    }
  }

  @Test func `a server that does not speak TLS fails the handshake in words`() async throws {
    let server = try await LoopbackServer.start()
    let url = "https://127.0.0.1:\(server.port)/get"
    await #expect {
      try await HTTPTransport().send(Request(.get, url))
    } throws: { error in
      (error as? MartletError)?.message
        == "The TLS handshake with https://127.0.0.1:\(server.port) failed: the server may use no TLS on this port, or no version newer than TLS 1.1."
    }
    await server.stop()
  }

  // MARK: Shorthands

  private func send(
    to credential: CertifiedKey, host: String = "localhost", roots: TLSOptions.Roots? = nil
  ) async throws -> Response {
    var options = TLSOptions()
    options.roots = roots ?? .certificates([authority.root])
    return try await send(to: credential, host: host, options: options)
  }

  private func send(to tls: ServerTLS, roots: TLSOptions.Roots) async throws -> Response {
    var options = TLSOptions()
    options.roots = roots
    return try await send(to: tls, host: "localhost", options: options)
  }

  private func send(to credential: CertifiedKey, host: String = "localhost", options: TLSOptions)
    async throws -> Response
  {
    try await send(to: ServerTLS(credential), host: host, options: options)
  }

  private func send(to tls: ServerTLS, host: String, options: TLSOptions) async throws -> Response {
    let server = try await LoopbackServer.start(tls: tls)
    var configuration = HTTPTransportConfiguration()
    configuration.tls = options
    let engine = HTTPTransport(configuration)
    let result: Result<Response, any Error>
    do {
      result = .success(try await engine.send(Request(url: server.url("/get", host: host))))
    } catch {
      result = .failure(error)
    }
    engine.shutDown()
    await server.stop()
    return try result.get()
  }

  private func expectRefusal(
    of credential: CertifiedKey, _ code: MartletError.Code, _ what: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    await #expect(sourceLocation: sourceLocation) {
      try await send(to: credential)
    } throws: { error in
      let error = error as? MartletError
      return error?.code == code && error?.phase == .tls
        && error?.message
          == what + ": you might be connecting to a server that is pretending to be “localhost”."
    }
  }
}
