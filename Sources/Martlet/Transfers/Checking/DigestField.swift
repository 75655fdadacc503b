import Foundation

/// `Repr-Digest` and `Content-Digest` (RFC 9530 §2, §3): a dictionary of algorithms and digests.
enum DigestField {
  /// The strongest digest that can be checked, if there is one. What cannot be understood is passed over.
  static func strongest(_ field: String) -> Checksum? {
    let members = field.split(separator: ",").compactMap { member -> Checksum? in
      let parts = member.split(separator: "=", maxSplits: 1)
      guard parts.count == 2 else { return nil }
      return checksum(parts[0].trimmingCharacters(in: .whitespaces).lowercased(), parts[1])
    }
    return members.max { $0.bytes.count < $1.bytes.count }
  }

  /// The value is bytes between colons (RFC 9651 §3.3.5), and perhaps parameters, which mean nothing.
  private static func checksum(_ name: String, _ value: Substring) -> Checksum? {
    let parts = value.split(separator: ":", omittingEmptySubsequences: false)
    guard let algorithm = Checksum.Algorithm(rawValue: name), parts.count == 3,
      parts[0].allSatisfy(\.isWhitespace), let bytes = Data(base64Encoded: String(parts[1]))
    else { return nil }
    return try? Checksum(algorithm, bytes: bytes)
  }
}
