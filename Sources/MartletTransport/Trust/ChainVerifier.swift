import Foundation
import MartletCore
import SwiftASN1
import X509

/// Looks for a chain from a server's certificate to an anchor, and says what is wrong when there is none.
///
/// First for one that is right in everything; only when there is none is it asked what is at fault.
struct ChainVerifier: Sendable {
  let anchors: TrustAnchors
  let purpose: ChainRules.Purpose

  /// What was found.
  struct Finding: Sendable {
    /// From the server's certificate upwards.
    var chain: [Certificate]
    /// Empty when all is well.
    var problems: [TrustProblem]
  }

  /// - Parameters:
  ///   - peer: What the server sent.
  ///   - host: The name or address that the certificate must be for; `nil` asks for none.
  ///   - pins: Keys of which the chain must have one; `nil` asks for none.
  /// - Returns: The chain, and what is wrong with it.
  func verify(_ peer: PeerCertificates, host: String?, pins: Set<PublicKeyPin>?) async -> Finding {
    if let chain = await rightChain(from: peer, host: host, pins: pins) {
      return Finding(chain: chain, problems: [])
    }
    var finding = await verify(peer)
    if let host, await !HostNamePolicy.isMet(by: peer.leaf, for: host) {
      finding.problems.append(TrustProblem(.wrongHost(names: peer.leaf.hostNames)))
    }
    if let pins, finding.problems.isEmpty {
      let keys = finding.chain.compactMap { SubjectPublicKey($0)?.pinnedKey }
      let isPinned = keys.contains { pins.contains($0.pin) }
      if !isPinned { finding.problems = [TrustProblem(.keyNotPinned(keys))] }
    }
    return finding
  }

  private func rightChain(
    from peer: PeerCertificates, host: String?, pins: Set<PublicKeyPin>?
  ) async -> [Certificate]? {
    guard !anchors.contains(given: peer.own) else { return nil }
    var verifier = Verifier(rootCertificates: anchors.store) {
      RFC5280Policy()
      OwnRules(purpose: purpose)
      if let host { HostNamePolicy(host) }
      if let pins { PinPolicy(pins: pins) }
    }
    let others = CertificateStore(peer.others)
    let result = await verifier.validate(leaf: peer.leaf, intermediates: others)
    guard case .validCertificate(let chain) = result else { return nil }
    return Array(chain)
  }

  /// Names and pins aside.
  private func verify(_ peer: PeerCertificates) async -> Finding {
    // What is trusted itself needs nobody above it, and need not be an authority.
    if anchors.contains(given: peer.own) {
      let problem =
        ChainRules.date(in: [peer.leaf]) ?? ChainRules.problem(in: [peer.leaf], for: purpose)
      return Finding(chain: [peer.leaf], problems: problem.map { [$0] } ?? [])
    }
    var verifier = Verifier(rootCertificates: anchors.store) {
      RFC5280Policy()
      OwnRules(purpose: purpose)
    }
    let others = CertificateStore(peer.others)
    switch await verifier.validate(leaf: peer.leaf, intermediates: others) {
    case .validCertificate(let chain): return Finding(chain: Array(chain), problems: [])
    case .couldNotValidate(let failures):
      return refusal(of: peer, failures.first.map { Array($0.chain) })
    }
  }

  /// What is wrong; `refused` is the chain to an anchor that broke a rule, if there was one.
  private func refusal(of peer: PeerCertificates, _ refused: [Certificate]?) -> Finding {
    if let refused {
      let problem =
        ChainRules.brokenRule(in: refused) ?? ChainRules.problem(in: refused, for: purpose)
      return Finding(chain: refused, problems: [problem ?? TrustProblem(.malformed)])
    }
    let chain = SignedChain.from(peer, anchors: anchors)
    let problem =
      ChainRules.date(in: chain) ?? ChainRules.unknownExtension(in: chain)
      ?? nobody(above: peer)
    return Finding(chain: chain, problems: [problem])
  }

  /// Why there is no chain to an anchor.
  private func nobody(above peer: PeerCertificates) -> TrustProblem {
    if peer.leaf.isSelfIssued { return TrustProblem(.selfSigned) }
    return peer.unreadable ?? TrustProblem(.unknownAuthority)
  }
}

/// The rules that swift-certificates does not have, as it takes them.
private struct OwnRules: VerifierPolicy {
  let verifyingCriticalExtensions = ChainRules.understood
  let purpose: ChainRules.Purpose

  func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) -> PolicyEvaluationResult {
    guard let problem = ChainRules.problem(in: Array(chain), for: purpose) else {
      return .meetsPolicy
    }
    return .failsToMeetPolicy(reason: "\(problem)")
  }
}

extension Certificate {
  var isSelfIssued: Bool { issuer == subject }

  /// The names and addresses that it is for.
  var hostNames: [String] {
    guard let names = try? extensions.subjectAlternativeNames else { return [] }
    return names.compactMap { name in
      switch name {
      case .dnsName(let name): name.masked
      case .ipAddress(let address): HostAddress.text(address.bytes)
      default: nil
      }
    }
  }
}
