public import MartletCore
import SwiftASN1
import X509

/// The built-in verification: chain, dates, purpose, strength and host name, against a set of roots.
package struct TrustVerifier: Sendable {
  private let source: TrustSource
  private let memory = ChainMemory()

  /// A verifier that trusts `roots`.
  ///
  /// - Throws: `MartletError` with code `.invalidTrustRoots` when the roots cannot be read.
  package init(_ roots: TLSOptions.Roots) throws(MartletError) {
    try self.init(roots, system: .shared)
  }

  init(_ roots: TLSOptions.Roots, system: SystemRoots) throws(MartletError) {
    source = try TrustSource(roots, system: system)
  }

  /// What becomes of a trust.
  ///
  /// - Parameters:
  ///   - trust: What the server sent.
  ///   - host: The name or address that the certificate must be for; `nil` asks for none.
  ///   - asServer: Whether the certificate must be meant for servers.
  ///   - pins: Keys of which the chain must have one; `nil` asks for none.
  /// - Returns: The trust with its chain and verdict.
  /// - Throws: `MartletError` with code `.invalidTrustRoots` when the system has no roots.
  package func verified(
    _ trust: ServerTrust, host: String?, asServer: Bool = true, pins: Set<PublicKeyPin>? = nil
  ) async throws(MartletError) -> ServerTrust {
    let anchors = source.anchors
    let question = ChainMemory.Question(
      certificates: trust.certificates, host: host, purpose: asServer ? .server : .any, pins: pins)
    if let chain = memory.chain(for: question, anchors: anchors) { return trust.trusted(chain) }
    let finding: ChainVerifier.Finding
    do {
      let peer = try PeerCertificates(trust.certificates)
      let verifier = ChainVerifier(anchors: anchors, purpose: question.purpose)
      finding = await verifier.verify(peer, host: host, pins: pins)
      if finding.problems.isEmpty { memory.keep(finding.chain, for: question, anchors: anchors) }
    } catch {
      finding = ChainVerifier.Finding(chain: [], problems: [TrustProblem(error.kind)])
    }
    // Whoever trusts nobody should hear of that, and not of the server.
    if !finding.problems.isEmpty, !anchors.missingPaths.isEmpty {
      throw .noTrustRoots(at: anchors.missingPaths)
    }
    return trust.with(finding)
  }

  /// The trust with its chain as far as each certificate is signed by the next, and no more looked at.
  package func signed(_ trust: ServerTrust) -> ServerTrust {
    guard let peer = try? PeerCertificates(trust.certificates) else { return trust }
    var trust = trust
    trust.chain = SignedChain.from(peer, anchors: source.anchors).map(\.der)
    return trust
  }

  /// The names that the server's own certificate has in place of a host's; `nil` when it has that.
  package static func namesInstead(of host: String, in trust: ServerTrust) async -> [String]? {
    guard let leaf = trust.certificates.first.flatMap(ParsedCertificate.init) else { return [] }
    let isMet = await HostNamePolicy.isMet(by: leaf.certificate, for: host)
    return isMet ? nil : leaf.certificate.hostNames
  }

  /// Whether bytes are a certificate.
  package static func isCertificate(_ der: [UInt8]) -> Bool { ParsedCertificate(der) != nil }
}

extension TrustVerifier: TrustEvaluating {
  /// Returns when the server is to be trusted.
  ///
  /// - Throws: `MartletError`.
  package func evaluate(_ trust: ServerTrust) async throws {
    if let error = try await verified(trust, host: trust.host).error { throw error }
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
    trust.verdict = finding.problems.isEmpty ? .trusted : .refused(finding.problems)
    return trust
  }

  /// The keys of the chain, the server's own first.
  package var keys: [TrustProblem.PinnedKey] {
    chain.compactMap { SubjectPublicKey(certificate: $0)?.pinnedKey }
  }
}

extension PublicKeyPin {
  /// The pin of a certificate's key; `nil` when there is none in its place.
  ///
  /// - Parameter certificate: DER.
  public init?(of certificate: [UInt8]) {
    guard let pin = SubjectPublicKey(certificate: certificate)?.pin else { return nil }
    self = pin
  }
}

extension Certificate {
  var der: [UInt8] {
    var serializer = DER.Serializer()
    // A certificate that was read can be written: its signed part is kept as it came.
    guard (try? serializer.serialize(self)) != nil else { return [] }
    return serializer.serializedBytes
  }
}
