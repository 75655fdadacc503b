/// Why a server is not trusted: what is wrong, and with whose certificate.
public struct TrustProblem: Hashable, Sendable {
  /// What is wrong. New kinds may be added: end a `switch` with `default`.
  public enum Kind: Hashable, Sendable {
    /// The server sent no certificate.
    case missing
    /// It sent more certificates than any chain needs.
    case tooMany(Int)
    /// Verifying its certificates takes more than the limit given, such as “100 signature checks”.
    case tooCostly(limit: String)
    /// It cannot be read.
    case unreadable
    /// One of those sent, which might have led to a root, cannot be read.
    case unreadableAbove
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
    case noAuthority
    /// Its key may not sign certificates, but has (RFC 5280 §4.2.1.3).
    case mayNotSign
    /// There are more authorities below it than it allows (RFC 5280 §4.2.1.9).
    case tooManyBelow(allowed: Int)
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
    /// The chain has none of the pinned keys, but these, with the names of their holders.
    case keyNotPinned([PinnedKey])
    /// Invalid certificates are allowed, and a name should be checked: only a pin can do that (SEC-6).
    case nameNeedsPin
    /// The application refused it.
    case refusedByApplication
  }

  /// A key of a chain: its pin, and whose it is.
  public struct PinnedKey: Hashable, Sendable {
    /// What to pin.
    public var pin: PublicKeyPin
    /// The name of its holder.
    public var holder: String

    /// A key from its parts.
    public init(pin: PublicKeyPin, holder: String) {
      self.pin = pin
      self.holder = holder
    }
  }

  /// What is wrong.
  public var kind: Kind
  /// Whose certificate it is, when it is not the server's own but one above it.
  public var holder: String?

  /// A problem.
  ///
  /// - Parameters:
  ///   - kind: What is wrong.
  ///   - holder: Whose certificate it is. The default is the server's own.
  public init(_ kind: Kind, holder: String? = nil) {
    self.kind = kind
    self.holder = holder
  }
}
