import EssentialFoundation
import MartletCore

/// Searches for a valid chain from a server's certificate to an anchor, and finds the problem if there is none.
///
/// One search does both: it keeps the first chain that is valid except for its pins, and the first that breaks a
/// rule.
struct ChainVerifier: Sendable {
  let anchors: TrustAnchors
  let purpose: ChainRules.Purpose
  var budget = VerificationBudget()

  /// The result of a verification.
  struct Finding: Sendable {
    /// The certificates, from the server's own upwards.
    var chain: [ParsedCertificate]
    /// Empty when the chain is valid.
    var problems: [TrustProblem]
  }

  /// - Parameters:
  ///   - peer: The certificates that the server sent.
  ///   - host: The name or address that the certificate must be for; `nil` skips this check.
  ///   - pins: The pins, one of which a key of the chain must match; `nil` skips this check.
  /// - Returns: The chain and its problems.
  /// - Throws: `MartletError` with code `.cancelled` when the task is cancelled.
  func verify(_ peer: PeerCertificates, host: String?, pins: Set<PublicKeyPin>?)
    throws(MartletError) -> Finding
  {
    let name = host.map(ServerName.init)
    if let name, !peer.leaf.isFor(name) {
      var finding = try find(peer, host: nil, pins: nil)
      finding.problems.append(TrustProblem(.wrongHost(names: peer.leaf.certificate.hostNames)))
      return finding
    }
    return try find(peer, host: name?.dnsName.map(DNSName.init), pins: pins)
  }

  private func find(_ peer: PeerCertificates, host: DNSName?, pins: Set<PublicKeyPin>?)
    throws(MartletError) -> Finding
  {
    let rules = ChainRules(purpose: purpose, host: host, now: Date())
    var search = ChainSearch(anchors: anchors, others: peer.others, budget: budget)
    var (unpinned, broken): (Finding?, Finding?)
    do throws(VerificationStop) {
      let right = try search.chain(from: peer.leaf) { chain, budget throws(VerificationStop) in
        if let problem = try rules.problem(in: chain, &budget) {
          broken = broken ?? Finding(chain: chain, problems: [problem])
        } else if let problem = Self.problem(with: chain, pins: pins) {
          unpinned = unpinned ?? Finding(chain: chain, problems: [problem])
        } else {
          return true
        }
        return false
      }
      if let right { return Finding(chain: right, problems: []) }
    } catch {
      return Finding(chain: search.firstChain, problems: [try Self.problem(after: error)])
    }
    return unpinned ?? broken ?? noChain(above: search.firstChain, of: peer, rules)
  }

  /// One of the keys of the chain must be pinned (RFC 7469 §2.6).
  private static func problem(with chain: [ParsedCertificate], pins: Set<PublicKeyPin>?)
    -> TrustProblem?
  {
    guard let pins else { return nil }
    let keys = chain.compactMap(\.key.pinnedKey)
    return keys.contains { pins.contains($0.pin) } ? nil : TrustProblem(.keyNotPinned(keys))
  }

  private static func problem(after stop: VerificationStop) throws(MartletError) -> TrustProblem {
    switch stop {
    case .tooCostly(let limit): return TrustProblem(.verificationLimitExceeded(limit: limit))
    case .cancelled: throw .cancelled
    }
  }

  /// The finding when there is no chain to an anchor; `chain` is the first that was tried.
  private func noChain(
    above chain: [ParsedCertificate], of peer: PeerCertificates, _ rules: ChainRules
  ) -> Finding {
    let problem =
      rules.dateProblem(in: chain) ?? rules.formProblem(in: chain) ?? unverifiable(chain)
      ?? (peer.leaf.isSelfIssued ? TrustProblem(.selfSigned) : nil)
      ?? peer.unreadable ?? TrustProblem(.unknownAuthority)
    return Finding(chain: chain, problems: [problem])
  }

  /// The problem when no issuer was found because the last certificate's signature cannot be verified.
  private func unverifiable(_ chain: [ParsedCertificate]) -> TrustProblem? {
    guard let last = chain.last, !last.isSelfIssued, case .unverifiable(let kind) = last.signature
    else { return nil }
    return TrustProblem(kind, subject: chain.count > 1 ? last.subjectName : nil)
  }

  /// The chain, as far as each certificate is signed by the next, and the next may issue it.
  ///
  /// Dates, policies and roots do not matter.
  ///
  /// - Parameters:
  ///   - peer: The certificates that the server sent.
  ///   - host: The host of the request. The certificate need not be for it.
  /// - Returns: The chain. It is the server's own certificate alone when no issuer was found that may issue it, or when
  ///   the verification is too costly.
  /// - Throws: `MartletError` with code `.cancelled` when the task is cancelled.
  func issuedChain(of peer: PeerCertificates, host: String?) throws(MartletError)
    -> [ParsedCertificate]
  {
    let name = host.flatMap { ServerName($0).dnsName }.map(DNSName.init)
    let rules = ChainRules(purpose: purpose, host: name, now: Date())
    var search = ChainSearch(anchors: anchors, others: peer.others, budget: budget)
    do throws(VerificationStop) {
      var chain = try search.chain(from: peer.leaf) { _, _ in true } ?? search.firstChain
      while chain.count > 1, try rules.issuanceProblem(in: chain, &search.budget) != nil {
        chain.removeLast()
      }
      return chain
    } catch {
      _ = try Self.problem(after: error)
      return [peer.leaf]
    }
  }
}
