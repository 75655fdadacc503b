import SwiftASN1

/// The fields of a certificate that are signed, by their places (RFC 5280 §4.1).
struct SignedFields {
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
