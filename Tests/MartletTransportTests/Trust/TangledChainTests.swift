import Foundation
import MartletCore
import MartletTesting
import Testing

@testable import MartletTransport

/// Certificates that a hostile server makes so that verifying them takes long.
struct TangledChainTests {
  /// Authorities of one name that have all signed each other, three times each, and a server below them:
  /// 16 certificates, and thousands of ways through them.
  static func tangle() throws -> [[UInt8]] {
    let authorities = try (1...5).map { _ in try TemporaryAuthority(commonName: "Tangle") }
    var certificates = try authorities[0].leaf(for: ["example.com"]).certificates
    for (position, authority) in authorities.enumerated() {
      for step in 1...3 {
        let issuer = authorities[(position + step) % authorities.count]
        let name = "\(position)-\(step).example.com"
        certificates.append(try authority.signed(by: issuer, names: [name]))
      }
    }
    return certificates
  }

  @Test func `a search for a chain ends after 100 signature checks, in words`() throws {
    let verdict = try TemporaryAuthority().verdict(on: try Self.tangle())
    #expect(
      verdict.problems == [TrustProblem(.verificationLimitExceeded(limit: "100 signature checks"))])
    #expect(verdict.error?.code == .certificateUntrusted)
    #expect(
      verdict.error?.message
        == "Verifying the certificates of “example.com” takes more than 100 signature checks: you might be connecting to a server that is pretending to be “example.com”."
    )
  }

  @Test func `certificates that differ in their alternative names alone cost one check each`()
    throws
  {
    let authority = try TemporaryAuthority(commonName: "Tangle")
    var certificates = try authority.leaf(for: ["example.com"]).certificates
    for number in 1...15 {
      certificates.append(try authority.signed(by: authority, names: ["\(number).example.com"]))
    }
    let verdict = try TemporaryAuthority().verdict(on: certificates)
    #expect(verdict.problems == [TrustProblem(.unknownAuthority)])
  }

  @Test func `name constraints of huge size end the verification, in words`() throws {
    let root = try TemporaryAuthority()
    let bound = try root.intermediate(
      traits: CertificateTraits {
        $0.excludedDomains = (1...600).map { "\($0).example.org" }
      })
    let names = (1...600).map { "\($0).example.com" }
    let verdict = try root.verdict(
      on: try bound.leaf(for: ["example.com"] + names))
    #expect(
      verdict.problems == [
        TrustProblem(.verificationLimitExceeded(limit: "250000 comparisons of names and policies"))
      ])
  }
}
