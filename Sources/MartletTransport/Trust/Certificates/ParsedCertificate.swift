import SwiftASN1
import X509

/// A certificate, as bytes and as their parsed contents.
///
/// A class, because the search for a chain copies arrays of certificates.
final class ParsedCertificate: Sendable {
  let der: [UInt8]
  /// The contents, as swift-certificates reads them. The signature algorithm is in `signature` instead.
  let certificate: Certificate
  let signature: CertificateSignature
  let extensions: CertificateExtensions
  let key: SubjectPublicKey

  /// `nil` when the bytes are not a certificate that can be read.
  init?(_ der: [UInt8]) {
    guard let parts = (try? DER.parse(der))?.parts, parts.count == 3,
      Self.algorithmsMatch(parts), let (certificate, signature) = Self.read(der, parts),
      CertificateTimes.areValid(in: parts[0]), let key = SubjectPublicKey(toBeSigned: parts[0])
    else { return nil }
    (self.der, self.certificate, self.signature, self.key) = (der, certificate, signature, key)
    extensions = CertificateExtensions(certificate.extensions)
  }

  /// Reads a certificate, whatever its signature algorithm.
  ///
  /// swift-certificates reads no certificate with a signature algorithm that it does not support. Such a certificate
  /// is read with RSA and SHA-256 in its place, whose signatures may be any bytes.
  private static func read(_ der: [UInt8], _ parts: [ASN1Node])
    -> (Certificate, CertificateSignature)?
  {
    if let certificate = try? Certificate(derEncoded: der) {
      return (certificate, .supportedByLibrary(certificate.signatureAlgorithm))
    }
    guard let signature = CertificateSignature(unsupportedByLibrary: parts[1]) else { return nil }
    var serializer = DER.Serializer()
    serializer.appendConstructedNode(identifier: .sequence) { certificate in
      certificate.serializeRawBytes(parts[0].encodedBytes)
      certificate.serializeRawBytes(CertificateSignature.sha256WithRSA)
      certificate.serializeRawBytes(parts[2].encodedBytes)
    }
    return (try? Certificate(derEncoded: serializer.serializedBytes)).map { ($0, signature) }
  }

  /// Whether the signed part names the same signature algorithm, as it must (RFC 5280 §4.1.1.2).
  private static func algorithmsMatch(_ parts: [ASN1Node]) -> Bool {
    TBSCertificateFields(parts[0])?.algorithm?.encodedBytes == parts[1].encodedBytes
  }

  var subject: DistinguishedName { certificate.subject }
  var issuer: DistinguishedName { certificate.issuer }
  var isSelfIssued: Bool { issuer == subject }
  /// The common name of the subject, or its whole name if it has none.
  var subjectName: String { subject.commonName }

  /// Whether another certificate is for the same subject and key. A chain with both contains a shorter one
  /// (RFC 4158 §5.2).
  func hasSameSubjectAndKey(_ other: ParsedCertificate) -> Bool { key == other.key }

  /// Whether it is for a host, by one of its alternative names (RFC 9110 §4.3.4).
  func isFor(_ host: ServerName) -> Bool { extensions.names?.include(host) ?? false }

  /// The names in the certificate. The common name is not used as a host name (RFC 9525 §2).
  var names: CertificateNames {
    var names = extensions.names ?? CertificateNames(mailAddressesOf: subject)
    if !subject.isEmpty { names.directories.append(subject) }
    return names
  }
}

extension ParsedCertificate: Equatable {
  static func == (left: ParsedCertificate, right: ParsedCertificate) -> Bool {
    left === right || left.der == right.der
  }
}

/// The signed fields of a certificate, by position (RFC 5280 §4.1).
struct TBSCertificateFields {
  /// The fields from the serial number on.
  private let fields: ArraySlice<ASN1Node>

  /// - Parameter toBeSigned: The `TBSCertificate`.
  init?(_ toBeSigned: ASN1Node) {
    guard let parts = toBeSigned.parts, let first = parts.first else { return nil }
    // The version is tagged, and missing in old certificates.
    fields = first.identifier.tagClass == .contextSpecific ? parts.dropFirst() : parts[...]
  }

  var algorithm: ASN1Node? { field(1) }
  var validity: ASN1Node? { field(3) }
  var subject: ASN1Node? { field(4) }
  var key: ASN1Node? { field(5) }

  private func field(_ position: Int) -> ASN1Node? { fields.dropFirst(position).first }
}

/// Checks the times in a certificate (RFC 5280 §4.1.2.5).
///
/// SwiftASN1 accepts a time with second 61. When swift-certificates then makes a date of it, a debug build crashes.
enum CertificateTimes {
  /// - Parameter toBeSigned: The signed part of a certificate.
  /// - Returns: Whether both times have a form that RFC 5280 allows, and no second 61.
  static func areValid(in toBeSigned: ASN1Node) -> Bool {
    TBSCertificateFields(toBeSigned)?.validity?.parts?.allSatisfy(isValidTime) ?? false
  }

  /// Whether a time is like `261121180000Z`, or has four digits for the year, and its second is not 61. RFC 5280 allows
  /// no other forms.
  private static func isValidTime(_ time: ASN1Node) -> Bool {
    guard case .primitive(let text) = time.content, text.last == UInt8(ascii: "Z"),
      text.count == (time.identifier == .utcTime ? 13 : 15)
    else { return false }
    return !text.dropLast().suffix(2).elementsEqual("61".utf8)
  }
}
