import Crypto
import EssentialFoundation
import MartletCore
import MartletTransport

/// What a session requires of servers, and shows to them: its security policy and its client certificates.
///
/// What was received under other settings is no answer to a request: a server may answer each client certificate
/// differently, and one whose certificate was not verified is not authenticated. So the key of a stored response has a
/// digest of the settings, as far as they differ from the default.
final class ConnectionSettings: Sendable {
  private let tls: TLSOptions
  private let policy: SecurityPolicy
  /// A number for what cannot be compared: closures are the same only in one session.
  private let session: UInt64
  /// The digest for all hosts, if no host has settings of its own: with the client certificate, and without.
  private let common: (private: String?, shared: String?)?

  /// The settings of a session.
  convenience init(_ configuration: SessionConfiguration) {
    self.init(
      configuration.tls, configuration.securityPolicy, session: .random(in: 0 ... .max))
  }

  private init(_ tls: TLSOptions, _ policy: SecurityPolicy, session: UInt64) {
    (self.tls, self.policy, self.session) = (tls, policy, session)
    let isCommon = tls.clientIdentities.isEmpty && policy.hostPolicies.isEmpty
    let make = { Self.digest(tls, policy, session, host: "", $0) }
    common = isCommon ? (make(.private), make(.shared)) : nil
  }

  /// The same session's settings under another policy.
  func with(_ policy: SecurityPolicy) -> ConnectionSettings {
    ConnectionSettings(tls, policy, session: session)
  }

  /// Returns a digest (SHA-256, in hexadecimal digits) of the settings for a request; `nil` if they are the default, and
  /// for a request without TLS. In a shared cache, client certificates make no difference.
  func digest(for request: Request, _ mode: CacheOptions.Mode) -> String? {
    if let common, common.private == nil { return nil }
    guard let origin = try? request.origin, origin.isSecure else { return nil }
    if let common { return mode == .private ? common.private : common.shared }
    return Self.digest(tls, policy, session, host: origin.host, mode)
  }

  /// Whether a client certificate may be shown to the server of a request.
  func hasClientCertificate(for request: Request) -> Bool {
    guard tls.clientIdentityProvider != nil || !tls.clientIdentities.isEmpty,
      let origin = try? request.origin, origin.isSecure
    else { return false }
    return tls.clientIdentityProvider != nil || tls.clientIdentity(for: origin.host) != nil
  }

  private static func digest(
    _ tls: TLSOptions, _ policy: SecurityPolicy, _ session: UInt64, host: String,
    _ mode: CacheOptions.Mode
  ) -> String? {
    let policy = policy.policy(for: host)
    let identities =
      mode == .shared
      ? []
      : [
        tls.clientIdentity(for: host).map { "identity \($0.digest)" },
        tls.clientIdentityProvider.map { _ in "identities of \(session)" },
      ]
    let requirements = [
      tls.acceptsAnyCertificate ? "any certificate" : nil,
      tls.evaluator.map { _ in "evaluator of \(session)" },
      policy.evaluationOverride.map { _ in "override of \(session)" },
      (policy.roots ?? tls.roots).difference,
      (policy.minimumVersion ?? tls.minimumVersion) == .tls12 ? nil : "TLS 1.3",
      (policy.maximumVersion ?? tls.maximumVersion).map { "at most \($0)" },
    ]
    let settings = (identities + requirements).compactMap(\.self) + policy.differences
    guard !settings.isEmpty else { return nil }
    return SHA256.hash(data: Data(settings.joined(separator: "\n").utf8)).hexadecimal
  }
}

extension SecurityPolicy {
  /// The other settings that differ from the default, as texts. Equal policies have equal texts, in each run of a program.
  fileprivate var differences: [String] {
    let certificates = pinnedCertificates?.map { SHA256.hash(data: $0).hexadecimal }.sorted()
    return [
      pinningMode == .disabled ? nil : "pinning \(pinningMode)",
      certificates.map { "certificates \($0)" },
      pins.isEmpty ? nil : "pins \(pins.map { $0.digest.hexadecimal }.sorted())",
      allowInvalidCertificates ? "invalid certificates" : nil,
      validatesDomainName ? nil : "any name",
      isReportOnly ? "report only" : nil,
    ].compactMap(\.self)
  }
}

extension TLSOptions.Roots {
  /// The anchors as a text; `nil` for those of the system. Of a file, the contents count.
  fileprivate var difference: String? {
    switch self {
    case .system: nil
    case .systemAnd, .certificates: "roots \(self)"
    case .file(let url):
      "roots \(SHA256.hash(data: (try? Data(contentsOf: url)) ?? Data()).hexadecimal)"
    }
  }
}
