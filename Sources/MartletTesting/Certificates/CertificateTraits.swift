import X509

/// The unusual properties of a certificate, for tests of code that verifies certificates.
///
///     let weak = try authority.leaf(traits: CertificateTraits { $0.key = .rsa(bits: 1024) })
public struct CertificateTraits: Hashable, Sendable {
  /// Kinds of keys.
  public enum Key: Hashable, Sendable {
    /// An elliptic curve of 256 bits.
    case p256
    /// An elliptic curve of 384 bits.
    case p384
    /// An elliptic curve of 521 bits.
    case p521
    /// Ed25519 (RFC 8410).
    case ed25519
    /// RSA with the given number of bits, at least 1024.
    case rsa(bits: Int)
  }

  /// How a certificate is signed.
  public enum Signature: Hashable, Sendable {
    /// With Ed25519, or with SHA-256 and RSA (PKCS #1 v1.5) or ECDSA, as the issuer's key requires.
    case usual
    /// With RSA and SHA-1; the issuer's key must be an RSA key.
    case sha1
    /// With RSA-PSS and SHA-256 (RFC 4055 §3.1); the issuer's key must be an RSA key.
    case pss
    /// With RSA-PSS and SHA-1; the issuer's key must be an RSA key.
    case pssWithSHA1
  }

  /// An extension of a certificate (RFC 5280 §4.2).
  public struct Extension: Hashable, Sendable {
    /// Its identifier, such as `2.5.29.32`.
    public var identifier: String
    /// Whether it is critical.
    public var isCritical: Bool
    /// Its value, as DER.
    public var value: [UInt8]

    /// An extension from its parts.
    public init(_ identifier: String, isCritical: Bool, value: [UInt8]) {
      (self.identifier, self.isCritical, self.value) = (identifier, isCritical, value)
    }
  }

  /// The kind of its key. The default is P-256.
  public var key = Key.p256
  /// How it is signed. The default is `.usual`.
  public var signature = Signature.usual
  /// Whether it is of version 1, and so has no extensions (RFC 5280 §4.1.2.1). The default is false.
  public var isVersion1 = false
  /// Whether its basic constraints mark it as an authority. The default, `nil`, is the correct value.
  public var isAuthority: Bool?
  /// Whether it has basic constraints (RFC 5280 §4.2.1.9). The default is true.
  public var hasBasicConstraints = true
  /// The maximum number of authorities below it. The default, `nil`, sets no limit.
  public var pathLength: Int?
  /// The domains for which it may issue certificates (RFC 5280 §4.2.1.10). The default is all.
  public var permittedDomains: [String] = []
  /// The domains for which it must not issue certificates. The default is none.
  public var excludedDomains: [String] = []
  /// Whether a certificate without alternative names has an empty list of them. The default is false.
  public var hasEmptyAlternativeNames = false
  /// Whether its key may sign certificates only; false means that it must not sign certificates. The default, `nil`, is
  /// the correct value.
  public var signsCertificatesOnly: Bool?
  /// Whether it has a critical extension that is not supported. The default is false.
  public var hasUnknownExtension = false
  /// Extensions in addition to those of the other traits. The default is none.
  public var extensions: [Extension] = []

  /// The default traits, changed by `change`.
  public init(_ change: (inout CertificateTraits) -> Void = { _ in }) {
    change(&self)
  }
}

/// A purpose for which the key of a certificate may be used (RFC 5280 §4.2.1.12).
public enum CertificatePurpose: Hashable, Sendable {
  /// Authentication of a TLS server.
  case server
  /// Authentication of a TLS client.
  case client

  var usage: ExtendedKeyUsage.Usage {
    switch self {
    case .server: .serverAuth
    case .client: .clientAuth
    }
  }
}
