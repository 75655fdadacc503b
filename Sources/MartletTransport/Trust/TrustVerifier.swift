import EssentialFoundation
public import MartletCore
import X509

/// The built-in verification against a set of roots: chain, dates, purpose, strength, name constraints, policies and
/// host name.
package struct TrustVerifier: Sendable {
  private let source: TrustSource
  private let chains = ChainCache()

  /// A verifier that trusts `roots`.
  ///
  /// - Throws: `MartletError` with code `.invalidTrustRoots` when the roots cannot be read.
  package init(_ roots: TLSOptions.Roots) throws(MartletError) {
    try self.init(roots, system: .shared)
  }

  init(_ roots: TLSOptions.Roots, system: SystemRoots) throws(MartletError) {
    source = try TrustSource(roots, system: system)
  }

  /// Verifies the certificates of a server.
  ///
  /// - Parameters:
  ///   - trust: The certificates that the server sent.
  ///   - host: The name or address that the certificate must be for; `nil` skips this check.
  ///   - asServer: Whether the certificate must be meant for servers.
  ///   - pins: The pins, one of which a key of the chain must match; `nil` skips this check.
  /// - Returns: The trust with its chain and verdict.
  /// - Throws: `MartletError` with code `.invalidTrustRoots` when the system has no roots, and `.cancelled` when
  ///   the task is cancelled.
  package func verify(
    _ trust: ServerTrust, host: String?, asServer: Bool = true, pins: Set<PublicKeyPin>? = nil
  ) throws(MartletError) -> ServerTrust {
    let anchors = source.anchors
    let key = ChainCache.Key(
      certificates: trust.certificates, host: host, purpose: asServer ? .server : .any, pins: pins)
    if let chain = chains.chain(for: key, anchors: anchors) { return trust.trusted(chain) }
    let finding = try find(key, anchors)
    if finding.problems.isEmpty { chains.store(finding.chain, for: key, anchors: anchors) }
    // Without any trust anchor, the error is about that and not about the server.
    if !finding.problems.isEmpty, !anchors.missingPaths.isEmpty {
      throw .noTrustRoots(at: anchors.missingPaths)
    }
    return trust.with(finding)
  }

  private func find(_ key: ChainCache.Key, _ anchors: TrustAnchors)
    throws(MartletError) -> ChainVerifier.Finding
  {
    let peer: PeerCertificates
    do {
      peer = try PeerCertificates(key.certificates)
    } catch {
      return ChainVerifier.Finding(chain: [], problems: [TrustProblem(error.kind)])
    }
    return try ChainVerifier(anchors: anchors, purpose: key.purpose)
      .verify(peer, host: key.host, pins: key.pins)
  }

  /// The trust with its chain, as far as each certificate is signed by the next, and the next may issue it.
  ///
  /// - Parameters:
  ///   - trust: The certificates that the server sent.
  ///   - host: The host of the request. The authorities of the chain must be allowed to issue certificates for it.
  /// - Returns: The trust with its chain; unchanged when the certificates are rejected before they are verified.
  /// - Throws: `MartletError` with code `.cancelled` when the task is cancelled.
  package func addingIssuedChain(to trust: ServerTrust, host: String?) throws(MartletError)
    -> ServerTrust
  {
    guard let peer = try? PeerCertificates(trust.certificates) else { return trust }
    var trust = trust
    let verifier = ChainVerifier(anchors: source.anchors, purpose: .any)
    trust.chain = try verifier.issuedChain(of: peer, host: host).map(\.der)
    return trust
  }

  /// The names of the server's own certificate, if it is not for `host`; `nil` if it is. Empty if it cannot be read.
  package static func otherNames(than host: String, in trust: ServerTrust) -> [String]? {
    guard let leaf = trust.certificates.first.flatMap(ParsedCertificate.init) else { return [] }
    return leaf.isFor(ServerName(host)) ? nil : leaf.certificate.hostNames
  }

  /// Whether bytes are a certificate that can be read.
  package static func isCertificate(_ der: [UInt8]) -> Bool { ParsedCertificate(der) != nil }
}

extension TrustVerifier: TrustEvaluating {
  /// Returns when the server is trusted.
  ///
  /// - Throws: `MartletError` when it is not.
  package func evaluate(_ trust: ServerTrust) async throws {
    if let error = try verify(trust, host: trust.host).error { throw error }
  }
}

extension ServerTrust {
  fileprivate func trusted(_ chain: [[UInt8]]) -> ServerTrust {
    var trust = self
    (trust.chain, trust.verdict) = (chain, .trusted)
    return trust
  }

  fileprivate func with(_ finding: ChainVerifier.Finding) -> ServerTrust {
    var trust = self
    trust.chain = finding.chain.map(\.der)
    trust.verdict = finding.problems.isEmpty ? .trusted : .untrusted(finding.problems)
    return trust
  }

  /// The keys of the chain, the server's own first.
  package var keys: [TrustProblem.PinnedKey] {
    chain.compactMap { SubjectPublicKey(certificate: $0)?.pinnedKey }
  }
}

extension PublicKeyPin {
  /// The pin of a certificate's key; `nil` when there is no key where it should be.
  ///
  /// - Parameter certificate: The certificate, as DER.
  public init?(of certificate: [UInt8]) {
    guard let pin = SubjectPublicKey(certificate: certificate)?.pin else { return nil }
    self = pin
  }
}

/// The chains that were verified, so that the same certificates need not be verified again.
///
/// Reading and verifying certificates is a fifth of the cost of a handshake.
///
/// Whether a chain is valid depends only on its ``Key``, the anchors and the time.
struct ChainCache: Sendable {
  /// The input of a verification.
  struct Key: Hashable, Sendable {
    /// The certificates that the server sent, as DER.
    var certificates: [[UInt8]]
    var host: String?
    var purpose: ChainRules.Purpose
    var pins: Set<PublicKeyPin>?
  }

  private struct Entry: Sendable {
    var anchors: TrustAnchors
    /// The time in which all certificates of the chain are valid.
    var validity: ClosedRange<Date>
    var chain: [[UInt8]]
  }

  private static let maximumEntries = 64
  private let entries = Locked<[Key: Entry]>([:])

  /// The chain, as DER, if it was verified before and is still valid.
  func chain(for key: Key, anchors: TrustAnchors, at now: Date = Date()) -> [[UInt8]]? {
    let answer = entries.withLock { $0[key] }
    guard let answer, answer.anchors === anchors, answer.validity.contains(now) else { return nil }
    return answer.chain
  }

  /// Keeps a verified chain, from the server's own certificate to an anchor.
  func store(_ chain: [ParsedCertificate], for key: Key, anchors: TrustAnchors) {
    guard let start = chain.map(\.certificate.notValidBefore).max(),
      let end = chain.map(\.certificate.notValidAfter).min(), start <= end
    else { return }
    let answer = Entry(anchors: anchors, validity: start...end, chain: chain.map(\.der))
    entries.withLock { answers in
      if answers.count >= Self.maximumEntries { answers = [:] }
      answers[key] = answer
    }
  }
}
