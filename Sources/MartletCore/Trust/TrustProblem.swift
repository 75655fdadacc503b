/// A reason why a server is not trusted: the kind of problem, and the certificate that has it.
public struct TrustProblem: Hashable, Sendable {
  /// The kinds of problems. “The certificate” means the certificate that has the problem.
  ///
  /// New kinds may be added: end a `switch` with `default`.
  public enum Kind: Hashable, Sendable {
    /// The server sent no certificate.
    case noCertificate
    /// The server sent more certificates than any chain needs.
    case tooManyCertificates(Int)
    /// The verification of the certificates exceeds the given limit, such as “100 signature checks”.
    case verificationLimitExceeded(limit: String)
    /// The certificate cannot be read.
    case unreadable
    /// A certificate that the server sent, and that may be part of the chain, cannot be read.
    case unreadableIntermediate
    /// The certificate expired on the given day.
    case expired(on: String)
    /// The certificate is not valid before the given day.
    case notYetValid(until: String)
    /// The certificate is self-signed and is not a trust anchor.
    case selfSigned
    /// The certificate was not issued by a trusted authority.
    case unknownAuthority
    /// The certificate is for other hosts, with the given names.
    case wrongHost(names: [String])
    /// The certificate is signed with an algorithm that is no longer secure.
    case weakSignature(String)
    /// The certificate is signed with an algorithm that is not supported.
    case unsupportedSignature(String)
    /// The certificate's key is too short.
    case weakKey(String)
    /// The certificate's key is of a kind that is not supported.
    case unsupportedKey(String)
    /// The certificate is not for servers (RFC 5280 §4.2.1.12).
    case notForServers
    /// The certificate's key may not be used for TLS (RFC 5280 §4.2.1.3).
    case wrongKeyUsage
    /// The certificate is not an authority's, but was used to issue another (RFC 5280 §4.2.1.9).
    case notCertificateAuthority
    /// The certificate's key may not sign certificates, but has signed one (RFC 5280 §4.2.1.3).
    case keyUsageForbidsSigning
    /// There are more authorities below the certificate than it allows (RFC 5280 §4.2.1.9).
    case pathLengthExceeded(allowed: Int)
    /// The certificate has a name that an authority above it may not issue (RFC 5280 §4.2.1.10).
    case nameNotPermitted
    /// An authority requires a certificate policy, and the certificate has none that all authorities above it allow
    /// (RFC 5280 §6.1).
    case noAllowedPolicy
    /// The certificate has a critical extension that is not supported (RFC 5280 §4.2).
    case unknownExtension(String)
    /// The certificate breaks another rule of RFC 5280.
    case malformed
    /// The chain contains none of the pinned certificates.
    case certificateNotPinned
    /// The chain contains none of the pinned keys. The value is the keys that it contains.
    case keyNotPinned([PinnedKey])
    /// Invalid certificates are allowed, and the host name is checked, which is possible only with a pin (SEC-6).
    case hostCheckRequiresPin
    /// The application refused the server.
    case refusedByApplication
  }

  /// A key of a chain: its pin and its subject.
  public struct PinnedKey: Hashable, Sendable {
    /// The pin of the key.
    public var pin: PublicKeyPin
    /// The name of the key's subject.
    public var subject: String

    /// A key from its parts.
    public init(pin: PublicKeyPin, subject: String) {
      self.pin = pin
      self.subject = subject
    }
  }

  /// The kind of problem.
  public var kind: Kind
  /// The subject of the certificate, if the certificate is above the server's own in the chain; `nil` for the server's
  /// own.
  public var subject: String?

  /// A problem.
  ///
  /// - Parameters:
  ///   - kind: The kind of problem.
  ///   - subject: The subject of the certificate. The default, `nil`, is the server's own.
  public init(_ kind: Kind, subject: String? = nil) {
    self.kind = kind
    self.subject = subject
  }
}

extension TrustProblem {
  /// Returns the error for the problem.
  ///
  /// - Parameter host: The host name or address of the URL.
  /// - Returns: An error with one of the certificate codes, or `.invalidSecurityPolicy` for `.hostCheckRequiresPin`,
  ///   and the phase `.tls`.
  public func error(host: String) -> MartletError {
    MartletError(code, sentence(host: host), phase: .tls)
  }

  private var code: MartletError.Code {
    switch kind {
    case .expired: .certificateExpired
    case .notYetValid: .certificateNotYetValid
    case .selfSigned: .certificateSelfSigned
    case .wrongHost: .certificateWrongHost
    case .unreadable, .unreadableIntermediate, .unsupportedSignature: .certificateUnreadable
    case .weakKey, .weakSignature: .certificateTooWeak
    case .certificateNotPinned, .keyNotPinned: .certificateNotPinned
    case .hostCheckRequiresPin: .invalidSecurityPolicy
    default: .certificateUntrusted
    }
  }

  private func sentence(host: String) -> String {
    let danger = "you might be connecting to a server that is pretending to be “\(host)”."
    switch kind {
    case .noCertificate: return "“\(host)” sent no certificate: \(danger)"
    case .tooManyCertificates(let count):
      return "“\(host)” sent \(count) certificates, more than any server needs: \(danger)"
    case .verificationLimitExceeded(let limit):
      return "Verifying the certificates of “\(host)” takes more than \(limit): \(danger)"
    case .unreadableIntermediate:
      return "A certificate that “\(host)” sent cannot be read: \(danger)"
    case .hostCheckRequiresPin:
      return
        "The name “\(host)” cannot be checked while invalid certificates are allowed: pin a certificate or a key, or set `validatesDomainName` to false."
    case .refusedByApplication: return "The application does not trust “\(host)”."
    case .keyNotPinned(let keys) where !keys.isEmpty:
      let keys = keys.map { "\($0.pin) (\($0.subject))" }.joined(separator: " or ")
      return
        "No certificate of “\(host)” has a pinned key: \(danger) If its keys are new, pin \(keys)."
    case .keyNotPinned: return "No certificate of “\(host)” has a pinned key: \(danger)"
    case .certificateNotPinned:
      return "None of the pinned certificates is in the chain of “\(host)”: \(danger)"
    default: return "\(sentenceSubject(host)) \(predicate): \(danger)"
    }
  }

  private func sentenceSubject(_ host: String) -> String {
    guard let subject else { return "The certificate of “\(host)”" }
    return "The certificate of “\(subject)”, above that of “\(host)”,"
  }

  /// Lists at most 20 names, because certificates may have thousands.
  private static func list(_ names: [String]) -> String {
    let most = 20
    let shown = names.prefix(most).map { "“\($0)”" }.joined(separator: ", ")
    return names.count > most ? "\(shown) and \(names.count - most) more" : shown
  }

  /// The rest of the sentence.
  private var predicate: String {
    switch kind {
    case .unreadable: "cannot be read"
    case .expired(let date): "expired on \(date)"
    case .notYetValid(let date): "is not valid before \(date)"
    case .selfSigned: "is self-signed and not trusted"
    case .wrongHost(let names) where names.isEmpty: "is for no host at all"
    case .wrongHost(let names): "is for \(Self.list(names))"
    case .weakSignature(let name): "is signed with \(name), which is no longer secure"
    case .unsupportedSignature(let name): "is signed with \(name), which is not supported"
    case .weakKey(let key): "has \(key), which is too short"
    case .unsupportedKey(let key): "has \(key), which is not supported"
    case .notForServers: "is not meant for servers"
    case .wrongKeyUsage: "has a key that may not be used for TLS"
    case .notCertificateAuthority: "has issued another certificate, but is not an authority’s"
    case .keyUsageForbidsSigning:
      "has issued another certificate, but its key may not sign certificates"
    case .pathLengthExceeded(let allowed):
      "allows \(allowed) authorities below it, and there are more"
    case .nameNotPermitted: "has a name that an authority above it may not issue"
    case .noAllowedPolicy:
      "has no certificate policy that its authorities allow, and one of them requires one"
    case .unknownExtension(let identifier):
      "has the critical extension \(identifier), which is unknown"
    case .malformed: "breaks the rules of RFC 5280"
    default: "was not issued by a trusted authority"
    }
  }
}
