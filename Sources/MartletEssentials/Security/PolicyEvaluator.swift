import EssentialFoundation
import MartletCore
import MartletTransport

/// Evaluates servers according to a policy, whose certificates it has read.
///
/// Each of these steps may refuse a server:
///
/// 1. A host name is confirmed only by a valid chain, or by a pin (SEC-6).
/// 2. Unless invalid certificates are allowed, the chain must be valid up to a root (SEC-9, SEC-10).
/// 3. In the mode `.publicKey`, and whenever there are pins, one of the chain's keys must be pinned (SEC-12).
/// 4. In the mode `.certificate`, the chain must be valid up to a pinned certificate (SEC-11).
///
/// Then `onEvaluation` is called, and `evaluationOverride` may change the verdict.
struct PolicyEvaluator: Sendable {
  private let policy: SecurityPolicy
  private let roots: TrustVerifier
  /// The verifier that trusts the pinned certificates, if there are any.
  private let pinned: TrustVerifier?
  /// The keys of which the chain must have one; `nil` when no key is required.
  private let keys: Set<PublicKeyPin>?

  /// - Parameters:
  ///   - policy: The policy; its `hostPolicies` are ignored here.
  ///   - roots: The roots for a policy that has none of its own.
  /// - Throws: `MartletError` with code `.invalidTrustRoots` when roots cannot be read.
  init(_ policy: SecurityPolicy, roots: TLSOptions.Roots) throws(MartletError) {
    self.policy = policy
    self.roots = try TrustVerifier(policy.roots ?? roots)
    let certificates = policy.pinnedCertificates?.map { Array($0) } ?? []
    pinned = certificates.isEmpty ? nil : try TrustVerifier(.certificates(certificates))
    if policy.pinningMode == .publicKey {
      keys = policy.pins.union(certificates.compactMap(PublicKeyPin.init(of:)))
    } else {
      keys = policy.pins.isEmpty ? nil : policy.pins
    }
  }

  /// Evaluates a server.
  ///
  /// - Parameters:
  ///   - trust: What the server sent.
  ///   - host: The name or address that the certificate must be for; `nil` skips this check.
  /// - Returns: The trust with its chain and verdict.
  /// - Throws: `MartletError` when the server cannot be evaluated; what `evaluationOverride` throws.
  func evaluate(_ trust: ServerTrust, forHost host: String?) async throws -> ServerTrust {
    let name = policy.validatesDomainName ? host : nil
    var trust = try verdict(on: trust, name: name)
    policy.onEvaluation?(trust)
    if policy.isReportOnly, trust.problems.allSatisfy(\.isAboutPins) { trust.verdict = .trusted }
    guard let decision = policy.evaluationOverride else { return trust }
    if try await decision(trust) {
      trust.verdict = .trusted
    } else if trust.isTrusted {
      trust.verdict = .untrusted([TrustProblem(.refusedByApplication)])
    }
    return trust
  }

  private func verdict(on trust: ServerTrust, name: String?) throws(MartletError) -> ServerTrust {
    if policy.allowInvalidCertificates, name != nil, !canVerifyName {
      return trust.refused(.hostCheckRequiresPin)
    }
    let trust =
      if policy.allowInvalidCertificates {
        try verdictFromPinnedKeys(roots.addingIssuedChain(to: trust, host: name), name: name)
      } else {
        try roots.verify(trust, host: name, asServer: policy.validatesDomainName, pins: keys)
      }
    guard trust.isTrusted, policy.pinningMode == .certificate else { return trust }
    return try withPinnedCertificate(trust, name: name)
  }

  private var canVerifyName: Bool {
    keys?.isEmpty == false || policy.pinningMode == .certificate && pinned != nil
  }

  private func withPinnedCertificate(_ trust: ServerTrust, name: String?) throws(MartletError)
    -> ServerTrust
  {
    guard let pinned else { return trust.refused(.certificateNotPinned) }
    let anchored = try pinned.verify(trust, host: name, asServer: policy.validatesDomainName)
    // A chain without a pinned certificate fails as not pinned, whatever else is wrong with it. Then the result keeps
    // the chain to the root.
    let isPinned = anchored.chain.contains { policy.pinnedCertificates?.contains(Data($0)) == true }
    guard !isPinned else { return anchored }
    var problems = [TrustProblem(.certificateNotPinned)]
    // Without a pin, an invalid chain has not been checked for the name yet.
    if let name, policy.allowInvalidCertificates,
      let names = TrustVerifier.otherNames(than: name, in: trust)
    {
      problems.append(TrustProblem(.wrongHost(names: names)))
    }
    var refused = trust
    refused.verdict = .untrusted(problems)
    return refused
  }

  /// Returns the verdict on a chain that may be invalid: only the pinned keys decide.
  ///
  /// A pinned key of an authority does not confirm the host name; the server's own pinned key does. This is stricter
  /// than SEC-14, which accepts a certificate that the authority has issued for another host.
  private func verdictFromPinnedKeys(_ trust: ServerTrust, name: String?) -> ServerTrust {
    let found = trust.keys
    var problems: [TrustProblem] = []
    if let keys, !found.contains(where: { keys.contains($0.pin) }) {
      problems.append(TrustProblem(.keyNotPinned(found)))
    }
    if let keys, let name, found.first.map({ keys.contains($0.pin) }) != true,
      let names = TrustVerifier.otherNames(than: name, in: trust)
    {
      problems.append(TrustProblem(.wrongHost(names: names)))
    }
    var trust = trust
    trust.verdict = problems.isEmpty ? .trusted : .untrusted(problems)
    return trust
  }
}

extension ServerTrust {
  fileprivate func refused(_ kind: TrustProblem.Kind) -> ServerTrust {
    var trust = self
    trust.verdict = .untrusted([TrustProblem(kind)])
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

/// Evaluates the servers of a session according to its policy. Certificates are read when a host first needs them.
final class SessionTrustEvaluator: TLSVersionChoosing {
  private let policy: SecurityPolicy
  private let roots: TLSOptions.Roots
  /// The error of an invalid pattern in `hostPolicies`, if there is one.
  private let problem: MartletError?
  /// The evaluators, by the host pattern that selects them; `nil` selects the policy itself.
  private let evaluators = Locked<[HostPattern?: Result<PolicyEvaluator, MartletError>]>([:])

  init(_ policy: SecurityPolicy, roots: TLSOptions.Roots) {
    self.policy = policy
    self.roots = roots
    problem = policy.hostPolicies.keys.lazy.compactMap(\.problem).first
  }

  func versions(for host: String) -> TLSVersionBounds {
    let policy = policy.policy(for: host)
    return TLSVersionBounds(minimum: policy.minimumVersion, maximum: policy.maximumVersion)
  }

  func evaluate(_ trust: ServerTrust) async throws {
    let verdict = try await evaluator(for: trust.host).evaluate(trust, forHost: trust.host)
    if let error = verdict.error { throw error }
  }

  /// - Throws: `MartletError` with code `.invalidHostPattern` when any pattern of the policy is invalid, because the
  ///   host that it should protect is not known. With `.invalidTrustRoots` when roots cannot be read.
  func evaluator(for host: String) throws(MartletError) -> PolicyEvaluator {
    if let problem { throw problem }
    let pattern = HostPattern.mostSpecific(for: host, among: policy.hostPolicies.keys)
    return try evaluators.withLock { evaluators in
      if let known = evaluators[pattern] { return known }
      let made = Result { () throws(MartletError) in
        try PolicyEvaluator(policy.policy(for: host), roots: roots)
      }
      evaluators[pattern] = made
      return made
    }.get()
  }
}

extension SecurityPolicy {
  /// Returns whether a server is trusted (SEC-6 to SEC-17).
  ///
  /// - Parameters:
  ///   - trust: What the server sent.
  ///   - host: The name or address that the certificate must be for; `nil` skips this check.
  /// - Returns: Whether it is trusted. ``evaluation(of:forHost:)`` returns the reasons, too.
  public func evaluate(_ trust: ServerTrust, forHost host: String?) async -> Bool {
    (try? await evaluation(of: trust, forHost: host).isTrusted) ?? false
  }

  /// Evaluates a server, and returns the verdict.
  ///
  /// - Parameters:
  ///   - trust: What the server sent.
  ///   - host: The name or address that the certificate must be for; `nil` skips this check.
  /// - Returns: The trust with its chain and verdict.
  /// - Throws: `MartletError` with code `.invalidTrustRoots` when roots are missing or cannot be read, and with
  ///   `.invalidHostPattern` for an invalid pattern in `hostPolicies`; what `evaluationOverride` throws.
  public func evaluation(of trust: ServerTrust, forHost host: String?) async throws -> ServerTrust {
    let session = SessionTrustEvaluator(self, roots: .system)
    return try await session.evaluator(for: trust.host).evaluate(trust, forHost: host)
  }
}
