import Foundation
import Martlet
import MartletTesting
import SpecificationCoverage
import Testing

/// AFNetworking's own cases for its security policy (§7.4).
@Suite(.timeLimit(.minutes(5)))
struct SecurityPolicyTests {
  private let chains: TrustFixtures

  init() throws {
    chains = try TrustFixtures()
  }

  // MARK: The default

  @Test(.covers("SEC-1", "T-SEC-01", "T-SEC-02", "T-SEC-03", "T-SEC-04"))
  func `the default policy pins nothing, and checks chain and name`() {
    let policy = SecurityPolicy.default
    #expect(policy.pinningMode == .disabled)
    #expect(!policy.allowInvalidCertificates)
    #expect(policy.validatesDomainName)
    #expect(policy.pinnedCertificates == nil)
    #expect(policy == SecurityPolicy())
  }

  @Test(
    .covers(
      "SEC-7", "SEC-8", "SEC-9", "T-SEC-05", "T-SEC-06", "T-SEC-07", "T-SEC-08", "T-SEC-36",
      "T-SEC-41"))
  func `without pins the chain must be in order, and for the host`() async throws {
    let policy = SecurityPolicy()
    #expect(await accepts(policy, chains.httpbin, for: nil))
    #expect(await accepts(policy, chains.httpbin, for: "httpbin.org"))
    #expect(await !accepts(policy, chains.httpbin, for: "apple.com"))
    #expect(await !accepts(policy, chains.httpbin, for: "invalid.org"))
    #expect(await !accepts(policy, [chains.noDomains], for: nil))
    #expect(await !accepts(policy, [chains.alternativeName], for: nil))
  }

  @Test(.covers("T-SEC-33"))
  func `without a check of the name any host will do`() async throws {
    var policy = SecurityPolicy()
    policy.validatesDomainName = false
    #expect(await accepts(policy, chains.httpbin, for: "invalid.org"))
    #expect(await !accepts(policy, [chains.alternativeName], for: "foobar.com"))
  }

  // MARK: Pinning

  private static let pinningModes: [SecurityPolicy.PinningMode] = [.publicKey, .certificate]

  @Test(
    .covers(
      "SEC-4", "SEC-10", "SEC-11", "SEC-12", "SEC-13", "SEC-15", "SEC-17", "T-SEC-11", "T-SEC-12",
      "T-SEC-13", "T-SEC-14", "T-SEC-23", "T-SEC-24", "T-SEC-25", "T-SEC-26"),
    arguments: pinningModes)
  func `a leaf, an intermediate, the root, or all of them can be pinned`(
    mode: SecurityPolicy.PinningMode
  ) async throws {
    for certificate in chains.httpbin {
      #expect(await accepts(try pinning(mode, [certificate]), chains.httpbin, for: nil))
    }
    #expect(await accepts(try pinning(mode, chains.httpbin), chains.httpbin, for: nil))
    // The root that the server does not send is in the chain all the same.
    let root = try #require(chains.httpbin.last)
    #expect(
      await accepts(try pinning(mode, [root]), chains.httpbin.dropLast(), for: "httpbin.org"))
  }

  @Test(
    .covers(
      "T-SEC-15", "T-SEC-16", "T-SEC-17", "T-SEC-18", "T-SEC-19", "T-SEC-20", "T-SEC-27",
      "T-SEC-28", "T-SEC-29", "T-SEC-30", "T-SEC-31", "T-SEC-32"), arguments: pinningModes)
  func `one pin that is right is enough, and without one no server is trusted`(
    mode: SecurityPolicy.PinningMode
  ) async throws {
    let leaf = chains.httpbin[0]
    let several = try pinning(mode, [leaf, chains.noDomains])
    #expect(await accepts(several, chains.httpbin, for: nil))
    #expect(await !accepts(several, chains.app, for: nil))
    let one = try pinning(mode, [leaf])
    #expect(await accepts(one, chains.httpbin, for: "httpbin.org"))
    #expect(await !accepts(one, chains.httpbin, for: "invaliddomainname.com"))
    #expect(await !accepts(one, chains.app, for: nil))
    #expect(await !accepts(try pinning(mode, []), chains.httpbin, for: nil))
  }

  @Test(.covers("SEC-12"))
  func `a renewed certificate with the same key is the same for its key alone`() async throws {
    let mode = SecurityPolicy.PinningMode.publicKey
    let root = Data(try TemporaryAuthority(commonName: "Starfield").root)
    #expect(await !accepts(try pinning(mode, [root]), chains.httpbin, for: nil))
  }

  // MARK: Invalid certificates allowed

  @Test(.covers("SEC-14", "T-SEC-34", "T-SEC-35", "T-SEC-39", "T-SEC-42"))
  func `a certificate with the pinned key needs neither an authority nor a name`() async throws {
    for certificate in [chains.commonName, chains.alternativeName] {
      var policy = try pinning(.publicKey, [certificate])
      policy.allowInvalidCertificates = true
      #expect(await accepts(policy, [certificate], for: "foobar.com"))
    }
    var policy = try pinning(.publicKey, [])
    policy.allowInvalidCertificates = true
    #expect(await !accepts(policy, [chains.alternativeName], for: "foobar.com"))
    // What would be right in AFNetworking, too, were the pin set before the flag.
    try policy.pin([chains.alternativeName])
    #expect(await accepts(policy, [chains.alternativeName], for: "foobar.com"))
  }

  @Test(.covers("SEC-14"))
  func `an authority's pinned key does not vouch for a certificate whose name is wrong`()
    async throws
  {
    let root = try #require(chains.httpbin.last)
    var policy = try pinning(.publicKey, [root])
    policy.allowInvalidCertificates = true
    #expect(await accepts(policy, chains.httpbin, for: "httpbin.org"))
    #expect(await !accepts(policy, chains.httpbin, for: "foobar.com"))
    // Nor does it help to send it along.
    #expect(await !accepts(policy, [chains.noDomains, root], for: nil))
  }

  @Test(.covers("SEC-14"))
  func `a customer of a pinned authority issues nothing for others`() async throws {
    let authority = try TemporaryAuthority()
    var policy = try pinning(.publicKey, [Data(authority.root)])
    policy.allowInvalidCertificates = true
    let good = try authority.intermediate().leaf(for: ["foobar.com"])
    #expect(
      await accepts(
        policy, (good.certificates + [authority.root]).map { Data($0) }, for: "foobar.com"))
    for traits in [
      CertificateTraits { $0.isAuthority = false }, CertificateTraits { $0.isVersion1 = true },
      CertificateTraits { $0.excludedDomains = ["foobar.com"] },
    ] {
      let customer = try authority.intermediate(commonName: "attacker.example", traits: traits)
      let forged = try customer.leaf(for: ["foobar.com"]).certificates + [authority.root]
      #expect(await !accepts(policy, forged.map { Data($0) }, for: "foobar.com"))
    }
  }

  @Test(.covers("SEC-11", "T-SEC-37"))
  func `a pinned certificate must be for the host, allowed to be invalid or not`() async throws {
    var policy = try pinning(.certificate, [chains.noDomains])
    policy.allowInvalidCertificates = true
    #expect(await !accepts(policy, [chains.noDomains], for: "foobar.com"))
    #expect(await accepts(policy, [chains.noDomains], for: nil))
  }

  @Test(.covers("SEC-6", "SEC-9", "T-SEC-38", "T-SEC-40", "T-SEC-43", "T-SEC-44"))
  func `a name is not checked without a pin where invalid certificates are allowed`() async throws {
    var policy = SecurityPolicy()
    policy.allowInvalidCertificates = true
    #expect(await accepts(policy, [chains.alternativeName], for: nil))
    #expect(await !accepts(policy, [chains.alternativeName], for: "foobar.com"))
    var pinned = try pinning(.disabled, [chains.alternativeName])
    pinned.allowInvalidCertificates = true
    #expect(await !accepts(pinned, [chains.alternativeName], for: "foobar.com"))
    #expect(
      try await verdict(policy, [chains.alternativeName], for: "foobar.com").error?.message
        == "The name “foobar.com” cannot be checked while invalid certificates are allowed: pin a certificate or a key, or set `validatesDomainName` to false."
    )
    policy.validatesDomainName = false
    #expect(await accepts(policy, [chains.alternativeName], for: "foobar.com"))
  }

  // MARK: The truth table

  /// One line of §7.3 for each: accepted are a good chain, one for another host, one of an unknown
  /// authority (pinned where anything is), and an expired one.
  @Test(
    .covers("SEC-6", "SEC-9", "SEC-10", "SEC-11", "SEC-12", "SEC-14"),
    arguments: [
      (SecurityPolicy.PinningMode.disabled, false, true, "good"),
      (.disabled, false, false, "good host"),
      (.disabled, true, true, ""), (.disabled, true, false, "good host unknown expired"),
      (.certificate, false, true, "good"), (.certificate, false, false, "good host"),
      (.certificate, true, true, "good unknown"), (.certificate, true, false, "good host unknown"),
      (.publicKey, false, true, "good"), (.publicKey, false, false, "good host"),
      (.publicKey, true, true, "good host unknown expired"),
      (.publicKey, true, false, "good host unknown expired"),
    ])
  func `the truth table holds`(
    mode: SecurityPolicy.PinningMode, allowsInvalid: Bool, validatesName: Bool, accepted: String
  ) async throws {
    let authority = try TemporaryAuthority()
    let unknown = try TemporaryAuthority(commonName: "Somebody Else")
    let past = Date(timeIntervalSinceNow: -3600)
    let kinds: [(String, CertifiedKey)] = [
      ("good", try authority.leaf(for: ["example.com"])),
      ("host", try authority.leaf(for: ["example.org"])),
      ("unknown", try unknown.leaf(for: ["example.com"])),
      ("expired", try authority.leaf(for: ["example.com"], notAfter: past)),
    ]
    var found: [String] = []
    for (name, credential) in kinds {
      let certificate = Data(credential.certificates[0])
      var policy = try SecurityPolicy(
        pinningMode: mode, pinnedCertificates: mode == .disabled ? [] : [certificate])
      policy.roots = .certificates([authority.root])
      policy.allowInvalidCertificates = allowsInvalid
      policy.validatesDomainName = validatesName
      let trust = ServerTrust(certificates: credential.certificates, host: "example.com")
      if await policy.evaluate(trust, forHost: "example.com") { found.append(name) }
    }
    #expect(found.joined(separator: " ") == accepted)
  }

  // MARK: Shorthands

  private func pinning(_ mode: SecurityPolicy.PinningMode, _ certificates: [Data]) throws
    -> SecurityPolicy
  {
    try SecurityPolicy(pinningMode: mode, pinnedCertificates: Set(certificates))
  }

  private func accepts(
    _ policy: SecurityPolicy, _ chain: some Sequence<Data>, for host: String?
  ) async -> Bool {
    (try? await verdict(policy, chain, for: host).isTrusted) ?? false
  }

  private func verdict(
    _ policy: SecurityPolicy, _ chain: some Sequence<Data>, for host: String?
  ) async throws -> ServerTrust {
    var policy = policy
    policy.roots = .certificates(chains.roots)
    let trust = ServerTrust(certificates: chain.map { Array($0) }, host: host ?? "nobody")
    return try await policy.evaluation(of: trust, forHost: host)
  }
}
