import EssentialFoundation
import Foundation
import Martlet
import MartletTesting
import SpecificationCoverage
import Testing

/// What a policy is made of, and what goes beyond AFNetworking.
@Suite(.timeLimit(.minutes(5)))
struct SecurityPolicyValueTests {
  private let authority: TemporaryAuthority
  private let leaf: CertifiedKey
  private let trust: ServerTrust

  init() throws {
    authority = try TemporaryAuthority()
    leaf = try authority.leaf(for: ["example.com"])
    trust = ServerTrust(certificates: leaf.certificates, host: "example.com")
  }

  // MARK: Certificates

  @Test(
    .covers("SEC-2", "T-SEC-09", "T-SEC-21"),
    arguments: [SecurityPolicy.PinningMode.disabled, .publicKey, .certificate])
  func `a policy made from its mode alone pins what the program brings along`(
    mode: SecurityPolicy.PinningMode
  ) throws {
    let policy = try SecurityPolicy(pinningMode: mode)
    #expect(policy.pinnedCertificates == SecurityPolicy.certificates(in: .main))
  }

  @Test(.covers("SEC-3", "T-SEC-10", "T-SEC-22"))
  func `certificates are read from folders, each once`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let own = Data(leaf.certificates[0])
    try own.write(to: folder.appending(path: "a.cer"))
    try own.write(to: folder.appending(path: "b.CER"))
    try Data((leaf.certificatesPEM + authority.rootPEM).utf8)
      .write(to: folder.appending(path: "c.pem"))
    try Data("not looked at".utf8).write(to: folder.appending(path: "d.txt"))
    let found = try SecurityPolicy.certificates(inFolder: folder)
    #expect(found == [own, Data(authority.root)])
    #expect(try SecurityPolicy.certificates(at: folder.appending(path: "a.cer")) == [own])

    try Data("nothing".utf8).write(to: folder.appending(path: "e.pem"))
    #expect(throws: MartletError.self) { try SecurityPolicy.certificates(inFolder: folder) }
    let other = folder.appending(path: "not there")
    #expect {
      try SecurityPolicy.certificates(inFolder: other)
    } throws: { error in
      let error = error as? MartletError
      return error?.code == .invalidTrustRoots
        && error?.message
          == "The folder of certificates “\(other.path)” cannot be read: check that it is there."
    }
  }

  @Test(.covers("SEC-5"))
  func `a certificate that cannot be read is refused when it is pinned`() throws {
    var policy = try SecurityPolicy(pinningMode: .certificate, pinnedCertificates: [])
    #expect {
      try policy.pin([Data("no certificate".utf8)])
    } throws: { error in
      let error = error as? MartletError
      return error?.code == .invalidSecurityPolicy
        && error?.message
          == "A pinned certificate cannot be read: it must be in DER form; `SecurityPolicy.certificates(at:)` reads PEM files."
    }
    #expect(policy.pinnedCertificates == [])
  }

  @Test(.covers("SEC-20", "SEC-21", "T-SEC-45", "T-SEC-46"))
  func `copies and archives say the same, and go their own ways`() throws {
    var policy = try SecurityPolicy(
      pinningMode: .certificate, pinnedCertificates: [Data(leaf.certificates[0])])
    policy.allowInvalidCertificates = true
    policy.validatesDomainName = false
    policy.pins = [try #require(PublicKeyPin(of: authority.root))]
    policy.hostPolicies["*.example.org"] = SecurityPolicy()
    policy.roots = .certificates([authority.root])
    (policy.minimumVersion, policy.maximumVersion) = (.tls12, .tls13)
    var copy = policy
    #expect(copy == policy)
    let archive = try JSONEncoder().encode(policy)
    #expect(try JSONDecoder().decode(SecurityPolicy.self, from: archive) == policy)
    copy.validatesDomainName = true
    #expect(copy != policy)
  }

  @Test func `a misspelt entry of an archive is an error, and does not leave a bound out`() throws {
    var policy = SecurityPolicy()
    policy.minimumVersion = .tls13
    let archive = String(decoding: try JSONEncoder().encode(policy), as: UTF8.self)
    #expect(archive.contains(#""minimumVersion":"TLSv1.3""#))
    let misspelt = archive.replacing("minimumVersion", with: "minimumVerson")
    #expect {
      try JSONDecoder().decode(SecurityPolicy.self, from: Data(misspelt.utf8))
    } throws: { error in
      let error = error as? MartletError
      return error?.code == .invalidSecurityPolicy
        && error?.message
          == "The archived security policy has an unknown entry “minimumVerson”: check its spelling."
    }
    let unknown = archive.replacing("TLSv1.3", with: "TLS 1.3")
    #expect {
      try JSONDecoder().decode(SecurityPolicy.self, from: Data(unknown.utf8))
    } throws: { error in
      let error = error as? MartletError
      return error?.code == .invalidTLSOptions
        && error?.message
          == "“TLS 1.3” is not a supported TLS version: it must be TLSv1.2 or TLSv1.3."
    }
  }

  @Test(.covers("SEC-16", "SEC-18"))
  func `evaluating twice gives the same result, and changes nothing`() async throws {
    let policy = policy(pins: [])
    let before = trust
    let first = try await policy.evaluation(of: trust, forHost: "example.com")
    let second = try await policy.evaluation(of: trust, forHost: "example.com")
    #expect(first == second)
    #expect(trust == before)
  }

  @Test(.covers("SES-A8", "T-HTM-38", "T-HTM-39", "T-HTM-40", "T-HTM-41"))
  func `an error of trust has what there is of trust and request`() throws {
    let request = try Request(.get, "https://example.com/")
    for trust in [trust, nil] {
      for request in [request, nil] {
        var error = MartletError(.certificateUntrusted, "No.", phase: .tls)
        error.trust = trust
        error.request = request
        #expect(error.trust == trust)
        #expect(error.request?.url == request?.url)
      }
    }
  }

  // MARK: Keys

  @Test func `a pin of any key in the chain will do`() async throws {
    for certificate in [leaf.certificates[0], authority.root] {
      let policy = policy(pins: [try #require(PublicKeyPin(of: certificate))])
      #expect(await policy.evaluate(trust, forHost: "example.com"))
    }
  }

  @Test func `the refusal prints the pins that would have matched`() async throws {
    let policy = policy(pins: [try Self.wrongPin])
    let verdict = try await policy.evaluation(of: trust, forHost: "example.com")
    let own = try #require(PublicKeyPin(of: leaf.certificates[0]))
    let root = try #require(PublicKeyPin(of: authority.root))
    #expect(verdict.error?.code == .certificateNotPinned)
    #expect(
      verdict.error?.message
        == "No certificate of “example.com” has a pinned key: you might be connecting to a server that is pretending to be “example.com”. If its keys are new, pin \(own) (example.com) or \(root) (Temporary Root)."
    )
  }

  @Test func `a wrong pin is refused in every mode, even where anything is allowed`() async throws {
    for mode in [SecurityPolicy.PinningMode.disabled, .publicKey, .certificate] {
      var policy = try SecurityPolicy(
        pinningMode: mode,
        pinnedCertificates: mode == .certificate ? [Data(leaf.certificates[0])] : [])
      policy.pins = [try Self.wrongPin]
      policy.allowInvalidCertificates = true
      policy.validatesDomainName = false
      #expect(await !policy.evaluate(trust, forHost: "example.com"))
    }
  }

  @Test func `a certificate that is not pinned is said to be none`() async throws {
    var policy = try SecurityPolicy(
      pinningMode: .certificate,
      pinnedCertificates: [Data(try TemporaryAuthority().leaf().certificates[0])])
    policy.roots = .certificates([authority.root])
    #expect(
      try await policy.evaluation(of: trust, forHost: "example.com").error?.message
        == "None of the pinned certificates is in the chain of “example.com”: you might be connecting to a server that is pretending to be “example.com”."
    )
  }

  // MARK: Hosts, reports, decisions

  @Test func `hosts can have policies of their own`() async throws {
    var policy = policy(pins: [])
    policy.hostPolicies["*.example.com"] = self.policy(pins: [try Self.wrongPin])
    #expect(policy.policy(for: "example.com") == policy)
    #expect(policy.policy(for: "www.example.com").pins == [try Self.wrongPin])
    #expect(policy.policy(for: "a.b.example.com") == policy)
  }

  @Test func `a literal that is no pattern of hosts lets nothing through`() async throws {
    var policy = policy(pins: [])
    policy.hostPolicies["https://example.com"] = self.policy(pins: [try Self.wrongPin])
    #expect(await !policy.evaluate(trust, forHost: "example.com"))
    await #expect {
      try await policy.evaluation(of: trust, forHost: "example.com")
    } throws: { error in
      (error as? MartletError)?.code == .invalidHostPattern
    }
  }

  @Test func `in report-only mode a wrong pin is reported, and nothing else is let through`()
    async throws
  {
    let reports = Locked<[ServerTrust]>([])
    var policy = policy(pins: [try Self.wrongPin])
    policy.isReportOnly = true
    policy.onEvaluation = { trust in reports.withLock { $0.append(trust) } }
    #expect(await policy.evaluate(trust, forHost: "example.com"))
    #expect(reports.current.map(\.isTrusted) == [false])
    #expect(reports.current.first?.error?.code == .certificateNotPinned)
    #expect(await !policy.evaluate(trust, forHost: "example.org"))
  }

  @Test func `in report-only mode, where a pin vouched for the name, the name is still checked`()
    async throws
  {
    var policy = policy(pins: [try Self.wrongPin])
    policy.isReportOnly = true
    policy.allowInvalidCertificates = true
    #expect(await policy.evaluate(trust, forHost: "example.com"))
    #expect(await !policy.evaluate(trust, forHost: "example.org"))
  }

  @Test func `in report-only mode with pinned certificates the name is still checked`() async throws
  {
    let other = try TemporaryAuthority()
    var policy = try SecurityPolicy(
      pinningMode: .certificate, pinnedCertificates: [Data(other.root)])
    policy.isReportOnly = true
    policy.allowInvalidCertificates = true
    #expect(await policy.evaluate(trust, forHost: "example.com"))
    #expect(await !policy.evaluate(trust, forHost: "example.org"))
  }

  @Test func `the application has the last word`() async throws {
    var policy = policy(pins: [])
    policy.evaluationOverride = { $0.problems.map(\.kind) == [.wrongHost(names: ["example.com"])] }
    #expect(await policy.evaluate(trust, forHost: "example.org"))
    #expect(
      try await policy.evaluation(of: trust, forHost: "example.com").error?.message
        == "The application does not trust “example.com”.")
  }

  private static var wrongPin: PublicKeyPin {
    get throws { try PublicKeyPin("sha256//47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=") }
  }

  private func policy(pins: Set<PublicKeyPin>) -> SecurityPolicy {
    var policy = pins.isEmpty ? SecurityPolicy() : SecurityPolicy(pins: pins)
    policy.roots = .certificates([authority.root])
    return policy
  }
}
