/// Certificates that no reader of DER should accept.
enum OddCertificate {
  /// A certificate whose times (UTCTime) have a second 61. Its signature is not right any more.
  static func withSecond61(_ der: [UInt8]) -> [UInt8] {
    var odd = der
    for start in odd.indices.dropLast(15) where odd[start] == 23 && odd[start + 1] == 13 {
      odd.replaceSubrange(start + 12..<start + 14, with: Array("61".utf8))
    }
    return odd
  }
}
