import Foundation
import SwiftASN1
import X509

/// What a certificate says of its holder, before anybody has signed it.
struct CertificateShape {
  var commonName: String
  var names: [String] = []
  var notBefore: Date?
  var notAfter: Date?
  var isAuthority = false
  var purposes: [CertificatePurpose] = []

  /// Yesterday, so that clocks need not agree to the second.
  private var start: Date { notBefore ?? Date(timeIntervalSinceNow: -86_400) }
  /// Ten years from now.
  private var end: Date { notAfter ?? Date(timeIntervalSinceNow: 3_652 * 86_400) }

  /// The certificate for `key`, signed by `issuer`.
  func certificate(
    for key: Certificate.PrivateKey, issuer: DistinguishedName, issuerKey: Certificate.PrivateKey
  ) throws -> Certificate {
    try Certificate(
      version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: key.publicKey,
      notValidBefore: start, notValidAfter: end, issuer: issuer, subject: subject,
      extensions: try extensions(for: key.publicKey, issuerKey: issuerKey.publicKey),
      issuerPrivateKey: issuerKey)
  }

  var subject: DistinguishedName {
    get throws { try DistinguishedName { CommonName(commonName) } }
  }

  private func extensions(
    for key: Certificate.PublicKey, issuerKey: Certificate.PublicKey
  ) throws -> Certificate.Extensions {
    var extensions = Certificate.Extensions()
    let constraints: BasicConstraints =
      isAuthority
      ? .isCertificateAuthority(maxPathLength: nil) : .notCertificateAuthority
    let usage = KeyUsage(
      digitalSignature: true, keyCertSign: isAuthority, cRLSign: isAuthority)
    try extensions.append(Certificate.Extension(constraints, critical: true))
    try extensions.append(Certificate.Extension(usage, critical: true))
    try extensions.append(SubjectKeyIdentifier(hash: key).makeCertificateExtension())
    let issuer = SubjectKeyIdentifier(hash: issuerKey)
    try extensions.append(
      AuthorityKeyIdentifier(keyIdentifier: issuer.keyIdentifier).makeCertificateExtension())
    if !purposes.isEmpty {
      let usages = purposes.map(\.usage)
      try extensions.append(ExtendedKeyUsage(usages).makeCertificateExtension())
    }
    if !names.isEmpty {
      let names = SubjectAlternativeNames(names.map(GeneralName.init(host:)))
      try extensions.append(names.makeCertificateExtension())
    }
    return extensions
  }
}

extension GeneralName {
  /// An address for what looks like one, else a DNS name.
  fileprivate init(host: String) {
    if let bytes = addressBytes(of: host) {
      self = .ipAddress(ASN1OctetString(contentBytes: bytes[...]))
    } else {
      self = .dnsName(host)
    }
  }
}

/// The 4 or 16 bytes of an IP address in text form, or `nil` when it is none.
private func addressBytes(of text: String) -> [UInt8]? {
  var four = in_addr()
  if inet_pton(AF_INET, text, &four) == 1 { return withUnsafeBytes(of: four, Array.init) }
  var six = in6_addr()
  if inet_pton(AF_INET6, text, &six) == 1 { return withUnsafeBytes(of: six, Array.init) }
  return nil
}
