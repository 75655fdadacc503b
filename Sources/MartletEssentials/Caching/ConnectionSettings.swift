import Crypto
import EssentialFoundation
import MartletCore
import MartletTransport

/// What a session requires of servers, and shows to them: its security policy and its client certificates.
///
/// What was received under other settings is no answer to a request: a server may answer each client certificate
/// differently, and one whose certificate was not checked may be anyone. So the key of a stored response has a digest of
/// the settings, as far as they differ from the default.
final class ConnectionSettings: Sendable {
  private struct State {
    var policy: SecurityPolicy
    /// The digests that are known, by host.
    var digests: [String: String?] = [:]
  }

  private let tls: TLSOptions
  private let state: Locked<State>
  /// Identities that a provider chooses are known only to this session.
  private let session = UInt64.random(in: 0 ... .max)

  /// The most hosts whose digests are kept.
  private static let mostHosts = 1000

  init(_ configuration: SessionConfiguration) {
    tls = configuration.tls
    state = Locked(State(policy: configuration.securityPolicy))
  }

  /// Replaces the security policy.
  func setPolicy(_ policy: SecurityPolicy) {
    state.withLock { $0 = State(policy: policy) }
  }

  /// Returns a digest (SHA-256, in hexadecimal digits) of the settings for a request; `nil` if they are the default, and
  /// for a request without TLS.
  func digest(for request: Request) -> String? {
    guard let origin = try? request.origin, origin.isSecure else { return nil }
    let host = origin.host
    return state.withLock { state in
      if let known = state.digests[host] { return known }
      let digest = makeDigest(host, state.policy)
      if state.digests.count == Self.mostHosts { state.digests = [:] }
      state.digests[host] = .some(digest)
      return digest
    }
  }

  /// Whether a client certificate may be shown to the server of a request.
  func hasClientCertificate(for request: Request) -> Bool {
    guard let origin = try? request.origin, origin.isSecure else { return false }
    return tls.clientIdentityProvider != nil || tls.clientIdentity(for: origin.host) != nil
  }

  private func makeDigest(_ host: String, _ policy: SecurityPolicy) -> String? {
    let settings =
      [
        tls.clientIdentity(for: host).map { "identity \($0.digest)" },
        tls.clientIdentityProvider.map { _ in "identities of \(session)" },
        tls.roots == .system ? nil : "roots \(tls.roots)",
        tls.acceptsAnyCertificate ? "any certificate" : nil,
        tls.evaluator.map { "evaluator \(type(of: $0))" },
      ].compactMap(\.self) + policy.policy(for: host).differences
    guard !settings.isEmpty else { return nil }
    return SHA256.hash(data: Data(settings.joined(separator: "\n").utf8)).hexadecimal
  }
}

extension SecurityPolicy {
  /// The settings that differ from the default, as texts. Equal policies have equal texts, in each run of a program.
  fileprivate var differences: [String] {
    let certificates = pinnedCertificates?.map { SHA256.hash(data: $0).hexadecimal }.sorted()
    return [
      pinningMode == .disabled ? nil : "pinning \(pinningMode)",
      certificates.map { "certificates \($0)" },
      pins.isEmpty ? nil : "pins \(pins.map { $0.digest.hexadecimal }.sorted())",
      allowInvalidCertificates ? "invalid certificates" : nil,
      validatesDomainName ? nil : "any name",
      roots.map { "policy roots \($0)" },
      minimumVersion.map { "minimum \($0)" },
      maximumVersion.map { "maximum \($0)" },
      isReportOnly ? "report only" : nil,
      evaluationOverride.map { _ in "override" },
    ].compactMap(\.self)
  }
}
