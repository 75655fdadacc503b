import MartletCore
import MartletTesting
import SwiftASN1
import Testing
import X509

@testable import MartletTransport

/// Which names certificates stand for, and which names authorities may issue.
struct NameVerdictTests {
  private let root: TemporaryAuthority

  init() throws {
    root = try TemporaryAuthority()
  }

  /// Names in a certificate that are no wildcards (RFC 9525 §6.3).
  @Test(arguments: [
    ("ba*.example.com", "bar.example.com"), ("*r.example.com", "bar.example.com"), ("f*", "foo"),
    ("*o", "foo"), ("*", "localhost"), ("www.*.com", "www.example.com"),
    ("*.*.com", "www.example.com"),
  ])
  func `only a whole first label with a label after it may be a wildcard`(
    name: String, host: String
  )
    throws
  {
    let verdict = try root.verdict(on: try root.leaf(for: [name]), for: host)
    #expect(verdict.problems == [TrustProblem(.wrongHost(names: [name]))])
  }

  @Test(arguments: [
    ("foo_bar.example.com", "foo_bar.example.com"), ("*.example.com", "foo_bar.example.com"),
    ("_dmarc.example.com", "_DMARC.example.com"),
  ])
  func `a host name may have underscores`(name: String, host: String) throws {
    #expect(try root.verdict(on: try root.leaf(for: [name]), for: host).isTrusted)
  }

  /// The system reads such hosts as addresses.
  @Test(arguments: ["127.1", "0x7f.1", "2130706433", "a.0x7F"])
  func `no name stands for a host that ends in a number`(host: String) throws {
    let names = CertificateNames([.dnsName(host), .dnsName("*.1")])
    #expect(!names.include(ServerName(host)))
  }

  /// A name of RFC 5280 §4.1.2.4 in each of its forms.
  @Test(
    arguments: [
      (0x0C, Array("Evil".utf8)), (0x13, Array("Evil".utf8)), (0x14, Array("Evil".utf8)),
      (0x1E, "Evil".utf16.flatMap { [0, UInt8($0)] }),
      (0x1C, "Evil".unicodeScalars.flatMap { [0, 0, 0, UInt8($0.value)] }),
    ] as [(UInt8, [UInt8])])
  func `an excluded directory is excluded in every form of text`(_ tag: UInt8, _ bytes: [UInt8])
    throws
  {
    let subtrees = try subtrees(excluding: 0x0C, Array("evil".utf8))
    var budget = VerificationBudget()
    let name = try directory(tag, bytes)
    #expect(try !subtrees.allow(CertificateNames([.directoryName(name)]), &budget))
    let other = try directory(tag, bytes + bytes)
    #expect(try subtrees.allow(CertificateNames([.directoryName(other)]), &budget))
  }

  @Test func `where directories are excluded, a name that is no text may not be issued`() throws {
    let subtrees = try subtrees(excluding: 0x0C, Array("evil".utf8))
    var budget = VerificationBudget()
    for unreadable in [try directory(0x1E, [0]), try directory(0x04, [1, 2])] {
      #expect(try !subtrees.allow(CertificateNames([.directoryName(unreadable)]), &budget))
    }
  }

  private func directory(_ tag: UInt8, _ bytes: [UInt8]) throws -> DistinguishedName {
    let attribute = DERValue.sequence([[0x06, 0x03, 0x55, 0x04, 0x0A], DERValue.node(tag, bytes)])
    return try DistinguishedName(
      derEncoded: try DER.parse(DERValue.sequence([DERValue.node(0x31, attribute)])))
  }

  private func subtrees(excluding tag: UInt8, _ bytes: [UInt8]) throws -> NameSubtrees {
    try NameSubtrees(
      NameConstraints(excludedSubtrees: [.directoryName(try directory(tag, bytes))]))
  }

  /// RFC 4632 §5.1.
  @Test(
    arguments: [
      ([255, 255, 255, 255], true), ([255, 128, 0, 0], true),
      ([255, 255, 0, 255], false), ([255, 160, 0, 0], false), ([0, 255, 0, 0], false),
    ] as [([UInt8], Bool)])
  func `the mask of an address has ones, then zeros`(_ mask: [UInt8], _ isMask: Bool) throws {
    let authority = try root.intermediate(
      traits: CertificateTraits {
        $0.extensions = [.constraints(excluded: [.address([10, 0, 0, 1] + mask)])]
      })
    let verdict = try root.verdict(on: try authority.leaf(for: ["example.com"]))
    #expect(verdict.problems.map(\.kind) == (isMask ? [] : [.malformed]))
  }

  // MARK: Constraints
  // MARK: Constraints

  /// The authorities between the root and the server, the root included.
  enum Place: CaseIterable {
    case root
    case intermediate
  }

  @Test(arguments: Place.allCases)
  func `a wildcard does not pass an exclusion of the host that was asked for`(_ place: Place)
    throws
  {
    let traits = CertificateTraits { $0.excludedDomains = ["secret.example.com"] }
    let root =
      place == .root ? try TemporaryAuthority(traits: traits) : try TemporaryAuthority()
    let authority = place == .root ? root : try root.intermediate(traits: traits)
    let leaf = try authority.leaf(for: ["*.example.com"])
    #expect(try root.verdict(on: leaf, for: "www.example.com").isTrusted)
    let verdict = try root.verdict(on: leaf, for: "secret.example.com")
    #expect(verdict.problems == [TrustProblem(.nameNotPermitted)])
  }

  /// Constraints of an authority, what a certificate below it says, and whether that may be.
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var constraints: CertificateTraits.Extension
    var names: [DERValue.Name] = []
    var isPermitted: Bool
  }

  static let cases: [Case] = [
    Case(
      testDescription: "domain and mail",
      constraints: .constraints(permitted: [.domain("example.com"), .mail("example.com")]),
      isPermitted: true),
    Case(
      testDescription: "mail alone", constraints: .constraints(permitted: [.mail("example.org")]),
      isPermitted: true),
    Case(
      testDescription: "mail of the host",
      constraints: .constraints(permitted: [.mail("example.com")]),
      names: [.mail("ada@EXAMPLE.com")], isPermitted: true),
    Case(
      testDescription: "mail of another host",
      constraints: .constraints(permitted: [.mail("example.com")]),
      names: [.mail("ada@example.org")], isPermitted: false),
    Case(
      testDescription: "excluded mailbox",
      constraints: .constraints(excluded: [.mail("ada@example.com")]),
      names: [.mail("ada@example.com")], isPermitted: false),
    Case(
      testDescription: "domain and directory",
      constraints: .constraints(permitted: [.domain("example.com"), .directory("EXAMPLE.com")]),
      isPermitted: true),
    Case(
      testDescription: "another directory",
      constraints: .constraints(permitted: [.domain("example.com"), .directory("Ada")]),
      isPermitted: false),
    Case(
      testDescription: "excluded directory",
      constraints: .constraints(excluded: [.directory("example.com")]), isPermitted: false),
    Case(
      testDescription: "excluded directory of others",
      constraints: .constraints(excluded: [.directory("Ada")]), isPermitted: true),
    Case(
      testDescription: "address in the range",
      constraints: .constraints(permitted: [.address([10, 0, 0, 0, 255, 0, 0, 0])]),
      names: [.address([10, 1, 2, 3])], isPermitted: true),
    Case(
      testDescription: "address out of the range",
      constraints: .constraints(permitted: [.address([10, 0, 0, 0, 255, 0, 0, 0])]),
      names: [.address([11, 1, 2, 3])], isPermitted: false),
    Case(
      testDescription: "all addresses excluded",
      constraints: .constraints(excluded: [.address([0, 0, 0, 0, 0, 0, 0, 0])]),
      names: [.address([11, 1, 2, 3])], isPermitted: false),
    Case(
      testDescription: "URI", constraints: .constraints(permitted: [.uri(".example.com")]),
      names: [.uri("https://www.example.com/")], isPermitted: true),
    Case(
      testDescription: "URI of another host",
      constraints: .constraints(permitted: [.uri(".example.com")]),
      names: [.uri("https://example.org/")], isPermitted: false),
    Case(
      testDescription: "URI without a host", constraints: .constraints(excluded: [.uri("a.b")]),
      names: [.uri("urn:x")], isPermitted: false),
    Case(
      testDescription: "kind that is not understood, and no such name",
      constraints: .constraints(permitted: [.other]), isPermitted: true),
    Case(
      testDescription: "name of a kind that is not understood",
      constraints: .constraints(permitted: [.other]), names: [.other], isPermitted: false),
    Case(
      testDescription: "name of a kind that is not constrained",
      constraints: .constraints(permitted: [.domain("example.com")]), names: [.other],
      isPermitted: true),
  ]

  /// RFC 5280 §4.2.1.10. The server's certificate is for `example.com`, and its common name is that.
  @Test(arguments: cases)
  func `each kind of constraint counts for names of its kind`(_ test: Case) throws {
    let authority = try root.intermediate(
      traits: CertificateTraits { $0.extensions = [test.constraints] })
    let names = CertificateTraits.Extension.names([.domain("example.com")] + test.names)
    let leaf = try authority.leaf(
      for: ["example.com"], includesAlternativeNames: false,
      traits: CertificateTraits { $0.extensions = [names] })
    let verdict = try root.verdict(on: leaf)
    let problems = test.isPermitted ? [] : [TrustProblem(.nameNotPermitted)]
    #expect(verdict.problems == problems)
  }

  @Test func `a broken rule of another kind is reported where names are constrained, too`() throws {
    let bound = try root.intermediate(
      traits: CertificateTraits {
        ($0.key, $0.permittedDomains) = (.rsa(bits: 2048), ["example.com"])
      })
    let leaf = try bound.leaf(
      for: ["example.com"], traits: CertificateTraits { $0.signature = .sha1 })
    #expect(try root.verdict(on: leaf).problems == [TrustProblem(.weakSignature("SHA-1"))])
  }
}
