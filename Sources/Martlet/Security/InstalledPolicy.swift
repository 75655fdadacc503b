import MartletCore
import MartletTransport

/// A session's policy at work: reads what it needs for a host when it is first asked about one.
final class InstalledPolicy: TLSVersionChoosing {
  private let policy: SecurityPolicy
  private let roots: TLSOptions.Roots
  /// What is wrong with the patterns of `hosts`.
  private let problem: MartletError?
  /// By the pattern that chose them; `nil` is the policy itself.
  private let evaluators = Locked<[HostPattern?: Result<PolicyEvaluator, MartletError>]>([:])

  init(_ policy: SecurityPolicy, roots: TLSOptions.Roots) {
    self.policy = policy
    self.roots = roots
    problem = policy.hosts.keys.lazy.compactMap(\.problem).first
  }

  func versions(for host: String) -> TLSVersionBounds {
    let policy = policy.policy(for: host)
    return TLSVersionBounds(minimum: policy.minimumVersion, maximum: policy.maximumVersion)
  }

  func evaluate(_ trust: ServerTrust) async throws {
    let verdict = try await evaluator(for: trust.host).evaluate(trust, forHost: trust.host)
    if let error = verdict.error { throw error }
  }

  /// - Throws: `MartletError` with code `.invalidHostPattern` when any pattern of the policy is none: which host
  ///   it was to protect is not known. With `.invalidTrustRoots` when roots cannot be read.
  func evaluator(for host: String) throws(MartletError) -> PolicyEvaluator {
    if let problem { throw problem }
    let pattern = HostPattern.closest(to: host, among: policy.hosts.keys)
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
  /// Whether a server is to be trusted (SEC-6 to SEC-17).
  ///
  /// - Parameters:
  ///   - trust: What the server sent.
  ///   - host: The name or address that the certificate must be for; `nil` asks for none.
  /// - Returns: Whether it is trusted. ``verdict(on:forHost:)`` says why not.
  public func evaluate(_ trust: ServerTrust, forHost host: String?) async -> Bool {
    (try? await verdict(on: trust, forHost: host).isTrusted) ?? false
  }

  /// What becomes of a server.
  ///
  /// - Parameters:
  ///   - trust: What the server sent.
  ///   - host: The name or address that the certificate must be for; `nil` asks for none.
  /// - Returns: The trust with its chain and verdict.
  /// - Throws: `MartletError` with code `.invalidTrustRoots` when roots are missing or cannot be read, and with
  ///   `.invalidHostPattern` for a pattern of `hosts` that is none; what `decision` throws.
  public func verdict(on trust: ServerTrust, forHost host: String?) async throws -> ServerTrust {
    let installed = InstalledPolicy(self, roots: .system)
    return try await installed.evaluator(for: trust.host).evaluate(trust, forHost: host)
  }
}
