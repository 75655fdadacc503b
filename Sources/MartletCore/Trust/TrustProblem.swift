/// Why a server is not trusted: what is wrong, and with whose certificate.
public struct TrustProblem: Hashable, Sendable {
  /// What is wrong. New kinds may be added: end a `switch` with `default`.
  public enum Kind: Hashable, Sendable {
    /// The server sent no certificate.
    case noCertificate
    /// It sent more certificates than any chain needs.
    case tooManyCertificates(Int)
    /// Verifying its certificates takes more than the limit given, such as “100 signature checks”.
    case verificationLimitExceeded(limit: String)
    /// It cannot be read.
    case unreadable
    /// One of those sent, which might have led to a root, cannot be read.
    case unreadableIntermediate
    /// Its time is over, since the day given.
    case expired(on: String)
    /// Its time has not come, until the day given.
    case notYetValid(until: String)
    /// It vouches for itself, and is not among the roots.
    case selfSigned
    /// It was not issued by a trusted authority.
    case unknownAuthority
    /// It is for other hosts, those given.
    case wrongHost(names: [String])
    /// It is signed with an algorithm that no longer proves anything.
    case weakSignature(String)
    /// It is signed with an algorithm that is not supported.
    case unsupportedSignature(String)
    /// Its key is too short.
    case weakKey(String)
    /// Its key is of a kind that is not supported.
    case unsupportedKey(String)
    /// It is not meant for servers (RFC 5280 §4.2.1.12).
    case notForServers
    /// Its key may not be used for TLS (RFC 5280 §4.2.1.3).
    case wrongKeyUsage
    /// It is no authority, but has issued another (RFC 5280 §4.2.1.9).
    case notCertificateAuthority
    /// Its key may not sign certificates, but has (RFC 5280 §4.2.1.3).
    case keyUsageForbidsSigning
    /// There are more authorities below it than it allows (RFC 5280 §4.2.1.9).
    case pathLengthExceeded(allowed: Int)
    /// It has issued a name that it may not issue (RFC 5280 §4.2.1.10).
    case nameNotPermitted
    /// An authority requires a certificate policy, and it has none that all authorities above it allow
    /// (RFC 5280 §6.1).
    case noAllowedPolicy
    /// It has a critical extension that is not supported (RFC 5280 §4.2).
    case unknownExtension(String)
    /// It breaks another rule of RFC 5280.
    case malformed
    /// The chain holds none of the pinned certificates.
    case certificateNotPinned
    /// The chain has none of the pinned keys, but these, with the names of their subjects.
    case keyNotPinned([PinnedKey])
    /// Invalid certificates are allowed, and a name should be checked: only a pin can do that (SEC-6).
    case hostCheckRequiresPin
    /// The application refused it.
    case refusedByApplication
  }

  /// A key of a chain: its pin, and whose it is.
  public struct PinnedKey: Hashable, Sendable {
    /// What to pin.
    public var pin: PublicKeyPin
    /// The name of its subject.
    public var subject: String

    /// A key from its parts.
    public init(pin: PublicKeyPin, subject: String) {
      self.pin = pin
      self.subject = subject
    }
  }

  /// What is wrong.
  public var kind: Kind
  /// Whose certificate it is, when it is not the server's own but one above it.
  public var subject: String?

  /// A problem.
  ///
  /// - Parameters:
  ///   - kind: What is wrong.
  ///   - subject: Whose certificate it is. The default is the server's own.
  public init(_ kind: Kind, subject: String? = nil) {
    self.kind = kind
    self.subject = subject
  }
}

extension TrustProblem {
  /// The error that says it.
  ///
  /// - Parameter host: The host name or address of the URL.
  /// - Returns: An error with one of the certificate codes, and the phase `.tls`.
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

  /// Certificates may have thousands of names.
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
    case .selfSigned: "is self-signed and not among the trusted"
    case .wrongHost(let names) where names.isEmpty: "is for no host at all"
    case .wrongHost(let names): "is for \(Self.list(names))"
    case .weakSignature(let name): "is signed with \(name), which proves nothing any more"
    case .unsupportedSignature(let name): "is signed with \(name), which is not supported"
    case .weakKey(let key): "has \(key), which is too short"
    case .unsupportedKey(let key): "has \(key), which is not supported"
    case .notForServers: "is not meant for servers"
    case .wrongKeyUsage: "has a key that may not be used for TLS"
    case .notCertificateAuthority: "was used to issue another, but is not an authority’s"
    case .keyUsageForbidsSigning: "was used to issue another, but its key may not sign certificates"
    case .pathLengthExceeded(let allowed):
      "allows \(allowed) authorities below it, and there are more"
    case .nameNotPermitted: "was issued for a name for which its authority may issue none"
    case .noAllowedPolicy:
      "has no certificate policy that its authorities allow, and one of them requires one"
    case .unknownExtension(let identifier):
      "has the critical extension \(identifier), which is unknown"
    case .malformed: "breaks the rules of RFC 5280"
    default: "was not issued by a trusted authority"
    }
  }
}
