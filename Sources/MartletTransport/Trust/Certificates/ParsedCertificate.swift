import SwiftASN1
import X509

/// A certificate, as bytes and as what they mean.
///
/// A class, because chains of certificates are copied while one is searched for.
final class ParsedCertificate: Sendable {
  let der: [UInt8]
  /// What swift-certificates reads. How the certificate is signed is in `signature`.
  let certificate: Certificate
  let signature: CertificateSignature
  let extensions: CertificateExtensions
  let key: SubjectPublicKey

  /// `nil` when the bytes are no certificate.
  init?(_ der: [UInt8]) {
    guard let parts = (try? DER.parse(der))?.parts, parts.count == 3,
      Self.namesAlgorithmTwice(parts), let (certificate, signature) = Self.read(der, parts),
      CertificateTimes.areValid(in: parts[0]), let key = SubjectPublicKey(toBeSigned: parts[0])
    else { return nil }
    (self.der, self.certificate, self.signature, self.key) = (der, certificate, signature, key)
    extensions = CertificateExtensions(certificate.extensions)
  }

  /// swift-certificates reads no certificate with a signature that it cannot verify. What such a certificate
  /// says is read with the algorithm of another, whose signatures may be any bytes.
  private static func read(_ der: [UInt8], _ parts: [ASN1Node])
    -> (Certificate, CertificateSignature)?
  {
    if let certificate = try? Certificate(derEncoded: der) {
      return (certificate, .common(certificate.signatureAlgorithm))
    }
    guard let signature = CertificateSignature(uncommon: parts[1]) else { return nil }
    var serializer = DER.Serializer()
    serializer.appendConstructedNode(identifier: .sequence) { certificate in
      certificate.serializeRawBytes(parts[0].encodedBytes)
      certificate.serializeRawBytes(CertificateSignature.sha256WithRSA)
      certificate.serializeRawBytes(parts[2].encodedBytes)
    }
    return (try? Certificate(derEncoded: serializer.serializedBytes)).map { ($0, signature) }
  }

  /// How it is signed must stand in what is signed as well (RFC 5280 §4.1.1.2).
  private static func namesAlgorithmTwice(_ parts: [ASN1Node]) -> Bool {
    TBSCertificateFields(parts[0])?.algorithm?.encodedBytes == parts[1].encodedBytes
  }

  var subject: DistinguishedName { certificate.subject }
  var issuer: DistinguishedName { certificate.issuer }
  var isSelfIssued: Bool { issuer == subject }
  /// Whose it is, in a word.
  var subjectName: String { subject.commonName }

  /// Whether another certificate is for the same subject and key. A chain in which both stand has a shorter one
  /// in it (RFC 4158 §5.2).
  func isAlike(_ other: ParsedCertificate) -> Bool { key == other.key }

  /// Whether it is for a host, by one of its alternative names (RFC 9110 §4.3.4).
  func isFor(_ host: ServerName) -> Bool { extensions.names?.include(host) ?? false }

  /// The names that stand in it, other than the common name, which is no host's (RFC 9525 §2).
  var names: CertificateNames {
    var names = extensions.names ?? CertificateNames(mailsOf: subject)
    if !subject.isEmpty { names.directories.append(subject) }
    return names
  }
}

extension ParsedCertificate: Equatable {
  static func == (left: ParsedCertificate, right: ParsedCertificate) -> Bool {
    left === right || left.der == right.der
  }
}

/// The fields of a certificate that are signed, by their places (RFC 5280 §4.1).
struct TBSCertificateFields {
  /// From the serial number on.
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

/// Whether the times in a certificate are any (RFC 5280 §4.1.2.5).
///
/// SwiftASN1 reads a second 61, and swift-certificates, asked for the date, then ends a process that was built
/// for debugging.
enum CertificateTimes {
  /// - Parameter toBeSigned: What is signed of a certificate.
  /// - Returns: Whether both times can be dates.
  static func areValid(in toBeSigned: ASN1Node) -> Bool {
    TBSCertificateFields(toBeSigned)?.validity?.parts?.allSatisfy(isSound) ?? false
  }

  /// Such as `261121180000Z`, or with four digits for the year: the only forms that RFC 5280 allows.
  private static func isSound(_ time: ASN1Node) -> Bool {
    guard case .primitive(let text) = time.content, text.last == UInt8(ascii: "Z"),
      text.count == (time.identifier == .utcTime ? 13 : 15)
    else { return false }
    return !text.dropLast().suffix(2).elementsEqual("61".utf8)
  }
}
