/// What is unusual about a certificate, for tests of those who should refuse it.
///
///     let weak = try authority.leaf(traits: CertificateTraits { $0.key = .rsa(bits: 1024) })
public struct CertificateTraits: Hashable, Sendable {
  /// Kinds of keys.
  public enum Key: Hashable, Sendable {
    /// An elliptic curve of 256 bits.
    case p256
    /// RSA with so many bits, at least 1024.
    case rsa(bits: Int)
  }

  /// What the key is. The default is P-256.
  public var key = Key.p256
  /// Whether it is signed with SHA-1; its issuer's key must be an RSA key then. The default is false.
  public var isSignedWithSHA1 = false
  /// Whether it says that it is an authority. The default, `nil`, is what it should say.
  public var saysAuthority: Bool?
  /// How many authorities there may be below it. The default is any number.
  public var pathLength: Int?
  /// The domains for which it may issue certificates (RFC 5280 §4.2.1.10). The default is all.
  public var permittedDomains: [String] = []
  /// Whether it has a list of alternative names with nothing in it. The default is false.
  public var hasEmptyAlternativeNames = false
  /// Whether its key may sign certificates, and nothing else. The default, `nil`, is what it should say.
  public var signsCertificatesOnly: Bool?
  /// Whether it has a critical extension that nobody knows. The default is false.
  public var hasUnknownExtension = false

  /// Nothing unusual, but for what `change` does.
  public init(_ change: (inout CertificateTraits) -> Void = { _ in }) {
    change(&self)
  }
}
