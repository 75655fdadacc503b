import Crypto
import CryptoExtras
import EssentialFoundation
import SwiftASN1
import X509

/// The contents of a certificate before it is signed.
struct CertificateTemplate {
  var commonName: String
  var names: [String] = []
  var notBefore: Date?
  var notAfter: Date?
  var isAuthority = false
  var purposes: [CertificatePurpose] = []
  var traits = CertificateTraits()

  /// The default is yesterday, so that small differences between clocks do not matter.
  private var start: Date { notBefore ?? Date(timeIntervalSinceNow: -86_400) }
  /// The default is ten years from now.
  private var end: Date { notAfter ?? Date(timeIntervalSinceNow: 3_652 * 86_400) }

  /// The certificate for `key`, signed by `issuer`, as DER.
  func certificate(
    for key: Certificate.PrivateKey, issuer: DistinguishedName, issuerKey: Certificate.PrivateKey
  ) throws -> [UInt8] {
    let certificate = try Certificate(
      version: traits.isVersion1 ? .v1 : .v3, serialNumber: Certificate.SerialNumber(),
      publicKey: key.publicKey, notValidBefore: start, notValidAfter: end, issuer: issuer,
      subject: subject,
      signatureAlgorithm: traits.signature == .sha1
        ? .sha1WithRSAEncryption : issuerKey.defaultSignatureAlgorithm,
      extensions: traits.isVersion1
        ? Certificate.Extensions() : extensions(for: key.publicKey, issuerKey: issuerKey.publicKey),
      issuerPrivateKey: issuerKey)
    return switch traits.signature {
    case .usual, .sha1: try certificate.der
    case .pss: try PSSCertificate.sha256.der(of: certificate, signedWith: issuerKey)
    case .pssWithSHA1: try PSSCertificate.sha1.der(of: certificate, signedWith: issuerKey)
    }
  }

  var subject: DistinguishedName {
    get throws { try DistinguishedName { CommonName(commonName) } }
  }

  private func extensions(
    for key: Certificate.PublicKey, issuerKey: Certificate.PublicKey
  ) throws -> Certificate.Extensions {
    var extensions = Certificate.Extensions()
    let constraints: BasicConstraints =
      traits.isAuthority ?? isAuthority
      ? .isCertificateAuthority(maxPathLength: traits.pathLength) : .notCertificateAuthority
    let signsCertificates = traits.signsCertificatesOnly ?? isAuthority
    let usage = KeyUsage(
      digitalSignature: traits.signsCertificatesOnly != true, keyCertSign: signsCertificates,
      cRLSign: isAuthority)
    if traits.hasBasicConstraints {
      try extensions.append(Certificate.Extension(constraints, critical: true))
    }
    try extensions.append(Certificate.Extension(usage, critical: true))
    try extensions.append(SubjectKeyIdentifier(hash: key).makeCertificateExtension())
    let issuer = SubjectKeyIdentifier(hash: issuerKey)
    try extensions.append(
      AuthorityKeyIdentifier(keyIdentifier: issuer.keyIdentifier).makeCertificateExtension())
    if !purposes.isEmpty {
      let usages = purposes.map(\.usage)
      try extensions.append(ExtendedKeyUsage(usages).makeCertificateExtension())
    }
    if !names.isEmpty || traits.hasEmptyAlternativeNames {
      let names = SubjectAlternativeNames(names.map(GeneralName.init(host:)))
      try extensions.append(names.makeCertificateExtension())
    }
    if !traits.permittedDomains.isEmpty || !traits.excludedDomains.isEmpty {
      let constraints = NameConstraints(
        permittedDNSDomains: traits.permittedDomains, excludedDNSDomains: traits.excludedDomains)
      try extensions.append(Certificate.Extension(constraints, critical: true))
    }
    if traits.hasUnknownExtension {
      try extensions.append(
        Certificate.Extension(oid: [1, 3, 6, 1, 4, 1, 99999, 1], critical: true, value: [5, 0]))
    }
    for more in traits.extensions {
      let identifier = try ASN1ObjectIdentifier(dotRepresentation: more.identifier)
      try extensions.append(
        Certificate.Extension(oid: identifier, critical: more.isCritical, value: more.value[...]))
    }
    return extensions
  }
}

extension CertificateTraits.Key {
  /// Makes a new key of this kind.
  func make() throws -> Certificate.PrivateKey {
    switch self {
    case .p256: Certificate.PrivateKey(P256.Signing.PrivateKey())
    case .p384: Certificate.PrivateKey(P384.Signing.PrivateKey())
    case .p521: Certificate.PrivateKey(P521.Signing.PrivateKey())
    case .ed25519: Certificate.PrivateKey(Curve25519.Signing.PrivateKey())
    case .rsa(let bits):
      Certificate.PrivateKey(
        try _RSA.Signing.PrivateKey(unsafeKeySize: _RSA.Signing.KeySize(bitCount: bits)))
    }
  }
}

extension Certificate.PrivateKey {
  fileprivate var defaultSignatureAlgorithm: Certificate.SignatureAlgorithm {
    if Curve25519.Signing.PublicKey(publicKey) != nil { return .ed25519 }
    return _RSA.Signing.PublicKey(publicKey) == nil ? .ecdsaWithSHA256 : .sha256WithRSAEncryption
  }
}

extension Certificate {
  fileprivate var der: [UInt8] {
    get throws {
      var serializer = DER.Serializer()
      try serializer.serialize(self)
      return serializer.serializedBytes
    }
  }
}

extension GeneralName {
  /// An IP address if `host` is one, or else a DNS name.
  fileprivate init(host: String) {
    if let bytes = addressBytes(of: host) {
      self = .ipAddress(ASN1OctetString(contentBytes: bytes[...]))
    } else {
      self = .dnsName(host)
    }
  }
}

/// The 4 or 16 bytes of an IP address in text form, or `nil` when the text is not an IP address.
private func addressBytes(of text: String) -> [UInt8]? {
  var four = in_addr()
  if inet_pton(AF_INET, text, &four) == 1 { return withUnsafeBytes(of: four, Array.init) }
  var six = in6_addr()
  if inet_pton(AF_INET6, text, &six) == 1 { return withUnsafeBytes(of: six, Array.init) }
  return nil
}
