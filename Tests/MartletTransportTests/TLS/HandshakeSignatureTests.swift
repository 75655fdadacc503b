import Foundation
import HTTPTypes
import MartletCore
import MartletTesting
import MartletTransport
import Testing

/// With which keys and signatures servers may prove their identity (RFC 8446 §4.2.3, RFC 9155).
@Suite(.timeLimit(.minutes(5)))
struct HandshakeSignatureTests {
  private let authority: TemporaryAuthority

  init() throws {
    authority = try TemporaryAuthority()
  }

  private func engine() -> HTTPTransport {
    var configuration = HTTPTransportConfiguration()
    configuration.tls.roots = .certificates([authority.root])
    return HTTPTransport(configuration)
  }

  @Test(arguments: [.p256, .p384, .p521, .ed25519, .rsa(bits: 2048)] as [CertificateTraits.Key])
  func `a server's key may be of every kind that certificates have`(key: CertificateTraits.Key)
    async throws
  {
    let leaf = try authority.leaf(traits: CertificateTraits { $0.key = key })
    let server = try await LoopbackServer.start(tls: ServerTLS(leaf))
    let response = try await engine().send(Request(url: server.url("/get", host: "localhost")))
    #expect(response.status == .ok)
    await server.stop()
  }

  @Test(.enabled(if: OpenSSLServer.isThere))
  func `a handshake that is signed with SHA-1 fails`() async throws {
    let leaf = try authority.leaf(traits: CertificateTraits { $0.key = .rsa(bits: 2048) })
    let server = try await OpenSSLServer.start(
      leaf,
      arguments: ["-sigalgs", "RSA+SHA1", "-cipher", "ECDHE-RSA-AES128-GCM-SHA256:@SECLEVEL=0"])
    defer { server.stop() }
    let error = await #expect(throws: MartletError.self) {
      try await engine().send(Request(.get, "https://localhost:\(server.port)/"))
    }
    #expect(error?.code == .tlsFailed)
    #expect(error?.message.contains("supports none of the ciphers and signatures") == true)
  }

  @Test(.enabled(if: OpenSSLServer.isThere))
  func `a certificate that cannot be read is the reason that is given, needed or not`() async throws
  {
    let leaf = try authority.leaf()
    let odd = OddCertificate.withSecond61(try TemporaryAuthority().root)
    let server = try await OpenSSLServer.start(
      CertifiedKey(certificates: leaf.certificates + [odd], privateKeyPEM: leaf.privateKeyPEM))
    defer { server.stop() }
    let error = await #expect(throws: MartletError.self) {
      try await engine().send(Request(.get, "https://localhost:\(server.port)/"))
    }
    #expect(error?.code == .certificateUnreadable)
    #expect(
      error?.message
        == "A certificate that “localhost” sent cannot be read: you might be connecting to a server that is pretending to be “localhost”."
    )
  }
}
