import SwiftASN1

/// Whether the times in a certificate are any (RFC 5280 §4.1.2.5).
///
/// SwiftASN1 reads a second 61, and swift-certificates, asked for the date, then ends a process that was built
/// for debugging.
enum CertificateTimes {
  /// - Parameter toBeSigned: What is signed of a certificate.
  /// - Returns: Whether both times can be dates.
  static func areSound(in toBeSigned: ASN1Node) -> Bool {
    SignedFields(toBeSigned)?.validity?.parts?.allSatisfy(isSound) ?? false
  }

  /// Such as `261121180000Z`, or with four digits for the year: the only forms that RFC 5280 allows.
  private static func isSound(_ time: ASN1Node) -> Bool {
    guard case .primitive(let text) = time.content, text.last == UInt8(ascii: "Z"),
      text.count == (time.identifier == .utcTime ? 13 : 15)
    else { return false }
    return !text.dropLast().suffix(2).elementsEqual("61".utf8)
  }
}
