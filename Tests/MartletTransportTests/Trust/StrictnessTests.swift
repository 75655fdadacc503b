import MartletCore
import MartletTesting
import Testing

@testable import MartletTransport

/// What other verifiers allow is allowed, and what cannot be verified is refused by its name.
struct StrictnessTests {
  private let root: TemporaryAuthority

  init() throws {
    root = try TemporaryAuthority()
  }

  // MARK: Policies (RFC 5280 §6.1)

  struct Policies: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var above: [CertificateTraits.Extension]
    var leaf: [CertificateTraits.Extension]
    var isAllowed: Bool
  }

  static let policies = [
    Policies(
      testDescription: "critical, none required", above: [.policies(1)], leaf: [.policies(2)],
      isAllowed: true),
    Policies(
      testDescription: "any policy inhibited, none required", above: [.inhibitsAnyPolicy(after: 0)],
      leaf: [.policies(0)], isAllowed: true),
    Policies(
      testDescription: "required, the same", above: [.policies(1, 2), .requiresPolicy(after: 0)],
      leaf: [.policies(2)], isAllowed: true),
    Policies(
      testDescription: "required, another", above: [.policies(1), .requiresPolicy(after: 0)],
      leaf: [.policies(2)], isAllowed: false),
    Policies(
      testDescription: "required, none", above: [.policies(1), .requiresPolicy(after: 0)], leaf: [],
      isAllowed: false),
    Policies(
      testDescription: "required, any", above: [.policies(0), .requiresPolicy(after: 0)],
      leaf: [.policies(3)], isAllowed: true),
    Policies(
      testDescription: "required, any but inhibited",
      above: [.policies(1), .requiresPolicy(after: 0), .inhibitsAnyPolicy(after: 0)],
      leaf: [.policies(0)], isAllowed: false),
    Policies(
      testDescription: "required, mapped",
      above: [.policies(1), .mapsPolicy(1, to: 2), .requiresPolicy(after: 0)], leaf: [.policies(2)],
      isAllowed: true),
    Policies(
      testDescription: "required only further below", above: [.requiresPolicy(after: 2)], leaf: [],
      isAllowed: true),
    Policies(
      testDescription: "required by the server's own", above: [],
      leaf: [.requiresPolicy(after: 0)], isAllowed: false),
  ]

  @Test(arguments: policies)
  func `critical policies are allowed, and a required one must be there`(_ test: Policies)
    throws
  {
    let authority = try root.intermediate(traits: CertificateTraits { $0.extensions = test.above })
    let leaf = try authority.leaf(
      for: ["example.com"], traits: CertificateTraits { $0.extensions = test.leaf })
    let problems = test.isAllowed ? [] : [TrustProblem(.noAllowedPolicy)]
    #expect(try root.verdict(on: leaf).problems == problems)
  }

  /// RFC 5280 §4.2.1.4.
  @Test(arguments: [[], [1, 1]] as [[UInt8]])
  func `policies are some, and none twice`(numbers: [UInt8]) throws {
    let policies = CertificateTraits.Extension(
      "2.5.29.32", isCritical: false,
      value: DERValue.sequence(numbers.map { DERValue.sequence([DERValue.policy($0)]) }))
    let leaf = try root.leaf(
      for: ["example.com"], traits: CertificateTraits { $0.extensions = [policies] })
    #expect(try root.verdict(on: leaf).problems == [TrustProblem(.malformed)])
  }

  @Test func `that a required policy is missing is said in words`() throws {
    let authority = try root.intermediate(
      traits: CertificateTraits { $0.extensions = [.policies(1), .requiresPolicy(after: 0)] })
    let verdict = try root.verdict(on: try authority.leaf(for: ["example.com"]))
    #expect(
      verdict.error?.message
        == "The certificate of “example.com” has no certificate policy that its authorities allow, and one of them requires one: you might be connecting to a server that is pretending to be “example.com”."
    )
  }

  @Test func `policies that cannot be read are refused`() throws {
    let broken = CertificateTraits.Extension("2.5.29.36", isCritical: true, value: [4, 1, 1])
    let authority = try root.intermediate(traits: CertificateTraits { $0.extensions = [broken] })
    let verdict = try root.verdict(on: try authority.leaf(for: ["example.com"]))
    #expect(verdict.problems == [TrustProblem(.malformed, subject: "Temporary Intermediate")])
  }

  /// Revocation is not asked for, so that it does not matter where lists are.
  @Test func `a critical place for revocation lists is allowed`() throws {
    let authority = try root.intermediate(
      traits: CertificateTraits { $0.extensions = [.revocationLists] })
    let leaf = try authority.leaf(
      for: ["example.com"], traits: CertificateTraits { $0.extensions = [.revocationLists] })
    #expect(try root.verdict(on: leaf).isTrusted)
  }

  // MARK: Signatures

  @Test func `signatures with RSA-PSS are verified, those of authorities as well`() throws {
    let traits = CertificateTraits { ($0.key, $0.signature) = (.rsa(bits: 2048), .pss) }
    let root = try TemporaryAuthority(traits: traits)
    let authority = try root.intermediate(traits: traits)
    let leaf = try authority.leaf(
      for: ["example.com"], traits: CertificateTraits { $0.signature = .pss })
    let verdict = try root.verdict(on: leaf)
    #expect(verdict.problems == [])
    #expect(verdict.chain == leaf.certificates + [root.root])
    #expect(CertificateDescription(der: leaf.certificates[0])?.hosts == ["example.com"])
  }

  @Test func `a signature with RSA-PSS that another key made does not count`() throws {
    let traits = CertificateTraits { $0.key = .rsa(bits: 2048) }
    let root = try TemporaryAuthority(traits: traits)
    let forger = try TemporaryAuthority(traits: traits)
    let leaf = try forger.leaf(
      for: ["example.com"], traits: CertificateTraits { $0.signature = .pss })
    #expect(try root.verdict(on: leaf).problems == [TrustProblem(.unknownAuthority)])
  }

  @Test func `a signature that is not supported is refused by its name`() throws {
    let root = try TemporaryAuthority(traits: CertificateTraits { $0.key = .rsa(bits: 2048) })
    let leaf = try root.leaf(
      for: ["example.com"], traits: CertificateTraits { $0.signature = .pssWithSHA1 })
    let verdict = try root.verdict(on: leaf)
    #expect(verdict.error?.code == .certificateUnreadable)
    #expect(
      verdict.error?.message
        == "The certificate of “example.com” is signed with RSA-PSS with SHA-1, which is not supported: you might be connecting to a server that is pretending to be “example.com”."
    )
  }

  @Test func `a root with a signature that is not supported is a root`() throws {
    let root = try TemporaryAuthority(
      traits: CertificateTraits { ($0.key, $0.signature) = (.rsa(bits: 2048), .pssWithSHA1) })
    #expect(try root.verdict(on: try root.leaf(for: ["example.com"])).isTrusted)
  }
}
