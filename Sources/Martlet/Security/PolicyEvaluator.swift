import Foundation
import MartletCore
import MartletTransport

/// A policy, ready to decide: its certificates are read.
///
/// There are these steps, each of which may refuse:
///
/// 1. A name can be vouched for only by a chain that is in order, or by a pin (SEC-6).
/// 2. Unless invalid certificates are allowed, the chain must be in order up to a root (SEC-9, SEC-10).
/// 3. In the mode `.certificate`, it must be in order up to a pinned certificate (SEC-11).
/// 4. In the mode `.publicKey`, and where there are pins, one of its keys must be pinned (SEC-12).
///
/// Then the application has its say.
struct PolicyEvaluator: Sendable {
  private let policy: SecurityPolicy
  private let roots: TrustVerifier
  /// Trusts the pinned certificates, if there are any.
  private let pinned: TrustVerifier?
  private let keys: Set<PublicKeyPin>

  /// - Parameters:
  ///   - policy: What to decide by; its `hosts` do not matter here.
  ///   - roots: The roots for a policy that has none of its own.
  /// - Throws: `MartletError` with code `.invalidTrustRoots` when roots cannot be read.
  init(_ policy: SecurityPolicy, roots: TLSOptions.Roots) throws(MartletError) {
    self.policy = policy
    self.roots = try TrustVerifier(policy.roots ?? roots)
    let certificates = policy.pinnedCertificates?.map { Array($0) } ?? []
    pinned = certificates.isEmpty ? nil : try TrustVerifier(.certificates(certificates))
    let isComparingKeys = policy.pinningMode == .publicKey
    keys = policy.pins.union(isComparingKeys ? certificates.compactMap(PublicKeyPin.init(of:)) : [])
  }

  /// The trust with its verdict.
  ///
  /// - Parameters:
  ///   - trust: What the server sent.
  ///   - host: The name or address that the certificate must be for; `nil` asks for none.
  /// - Returns: The trust with its chain and verdict.
  /// - Throws: `MartletError` when nothing can be decided; what the application's decision throws.
  func evaluate(_ trust: ServerTrust, forHost host: String?) async throws -> ServerTrust {
    let name = policy.validatesDomainName ? host : nil
    var trust = try await verdict(on: trust, name: name)
    policy.report?(trust)
    if policy.isReportOnly, trust.problems.allSatisfy(\.isAboutPins) { trust.verdict = .trusted }
    guard let decision = policy.decision else { return trust }
    if try await decision(trust) {
      trust.verdict = .trusted
    } else if trust.isTrusted {
      trust.verdict = .refused([TrustProblem(.refusedByApplication)])
    }
    return trust
  }

  private func verdict(on trust: ServerTrust, name: String?) async throws(MartletError)
    -> ServerTrust
  {
    if policy.allowInvalidCertificates, name != nil, !canVouchForName {
      return trust.refused(.nameNeedsPin)
    }
    var trust = trust
    if policy.allowInvalidCertificates {
      trust = roots.signed(trust)
      trust.verdict = .trusted
    } else {
      trust = try await roots.verified(trust, host: name, asServer: policy.validatesDomainName)
    }
    if trust.isTrusted, policy.pinningMode == .certificate {
      trust = try await withPinnedCertificate(trust, name: name)
    }
    if trust.isTrusted, policy.pinningMode == .publicKey || !keys.isEmpty {
      trust = await withPinnedKey(trust, name: name)
    }
    return trust
  }

  private var canVouchForName: Bool {
    !keys.isEmpty || policy.pinningMode == .certificate && pinned != nil
  }

  private func withPinnedCertificate(_ trust: ServerTrust, name: String?)
    async throws(MartletError) -> ServerTrust
  {
    guard let pinned else { return trust.refused(.certificateNotPinned) }
    let anchored = try await pinned.verified(
      trust, host: name, asServer: policy.validatesDomainName)
    // What leads to no pin is not pinned, whatever else it is; the chain to print is that to the root.
    let isPinned = anchored.chain.contains { policy.pinnedCertificates?.contains(Data($0)) == true }
    return isPinned ? anchored : trust.refused(.certificateNotPinned)
  }

  /// A key in the chain of one that is allowed to be invalid says nothing about a name, unless it is the
  /// server's own: whoever has that is the server (stricter than SEC-14, by which any server could show an
  /// authority's other customers' certificates).
  private func withPinnedKey(_ trust: ServerTrust, name: String?) async -> ServerTrust {
    let found = trust.keys
    guard found.contains(where: { keys.contains($0.pin) }) else {
      return trust.refused(.keyNotPinned(found))
    }
    guard policy.allowInvalidCertificates, let name, let own = found.first,
      !keys.contains(own.pin)
    else { return trust }
    guard let names = await TrustVerifier.namesInstead(of: name, in: trust) else { return trust }
    return trust.refused(.wrongHost(names: names))
  }
}

extension ServerTrust {
  fileprivate func refused(_ kind: TrustProblem.Kind) -> ServerTrust {
    var trust = self
    trust.verdict = .refused([TrustProblem(kind)])
    return trust
  }
}

extension TrustProblem {
  fileprivate var isAboutPins: Bool {
    switch kind {
    case .certificateNotPinned, .keyNotPinned: true
    default: false
    }
  }
}
