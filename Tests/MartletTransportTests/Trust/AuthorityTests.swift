import MartletCore
import MartletTesting
import Testing

@testable import MartletTransport

/// Which certificates may issue others (RFC 5280 §6.1.4 (k)).
struct AuthorityTests {
  private let root: TemporaryAuthority

  init() throws {
    root = try TemporaryAuthority()
  }

  /// What is unusual about a certificate below the root that issues another.
  static let noAuthorities: [CertificateTraits] = [
    CertificateTraits { $0.isVersion1 = true },
    CertificateTraits { $0.hasBasicConstraints = false },
    CertificateTraits { $0.isAuthority = false },
  ]

  @Test(arguments: noAuthorities)
  func `an issuer below the root needs version 3 and basic constraints`(_ traits: CertificateTraits)
    throws
  {
    let issuer = try root.intermediate(commonName: "Mallory", traits: traits)
    let verdict = try root.verdict(on: try issuer.leaf(for: ["example.com"]))
    #expect(verdict.problems == [TrustProblem(.notCertificateAuthority, subject: "Mallory")])
  }

  @Test func `a root of version 1 is an authority`() throws {
    let old = try TemporaryAuthority(traits: CertificateTraits { $0.isVersion1 = true })
    let verdict = try old.verdict(on: try old.intermediate().leaf(for: ["example.com"]))
    #expect(verdict.isTrusted)
  }

  @Test func `a root of version 3 needs basic constraints`() throws {
    let root = try TemporaryAuthority(traits: CertificateTraits { $0.hasBasicConstraints = false })
    let verdict = try root.verdict(on: try root.leaf(for: ["example.com"]))
    #expect(verdict.problems == [TrustProblem(.notCertificateAuthority, subject: "Temporary Root")])
  }

  /// Trust in a server's own certificate does not extend to what its key signs.
  @Test func `a trusted certificate of version 1 that another authority signed issues nothing`()
    throws
  {
    let server = try root.intermediate(
      commonName: "Server", traits: CertificateTraits { $0.isVersion1 = true })
    let forged = try server.leaf(for: ["example.com"]).certificates[0]
    let trust = ServerTrust(certificates: [forged], host: "example.com")
    let verifier = try TrustVerifier(.certificates([server.intermediates[0]]))
    let verdict = try verifier.verify(trust, host: trust.host)
    #expect(verdict.problems == [TrustProblem(.notCertificateAuthority, subject: "Server")])
  }

  @Test func `a certificate that is trusted itself needs no authority and may be of version 1`()
    throws
  {
    let server = try root.leaf(
      for: ["example.com"], traits: CertificateTraits { $0.isVersion1 = true })
    let trust = ServerTrust(certificates: server.certificates, host: "example.com")
    let verifier = try TrustVerifier(.certificates([server.certificates[0]]))
    #expect(try verifier.verify(trust, host: nil).isTrusted)
  }
}
