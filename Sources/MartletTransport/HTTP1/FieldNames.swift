import HTTPTypes

/// Field names as they come off the wire.
///
/// Making a name checks, copies and lower-cases it; the names that nearly every response has are made
/// once and found again by their exact bytes.
enum FieldNames {
  /// The name that `bytes` spell, or `nil` when they are no token (RFC 9110 §5.1).
  static func name(_ bytes: Slice<UnsafeRawBufferPointer>) -> HTTPField.Name? {
    let usual = bytes.count < byLength.count ? byLength[bytes.count] : []
    for candidate in usual where bytes.elementsEqual(candidate.rawName.utf8) { return candidate }
    guard bytes.first != 0x3A else { return nil }
    return HTTPField.Name(String(decoding: bytes, as: UTF8.self))
  }

  private static let byLength: [[HTTPField.Name]] = {
    let spelled = [
      "Server", "Date", "Content-Type", "Content-Length", "Connection", "Keep-Alive",
      "Transfer-Encoding", "Content-Encoding", "Last-Modified", "ETag", "Accept-Ranges", "Location",
      "Set-Cookie", "Cache-Control", "Expires", "Vary", "Age", "Via", "Access-Control-Allow-Origin",
      "Strict-Transport-Security", "WWW-Authenticate", "Access-Control-Allow-Credentials",
    ]
    let names = (spelled + spelled.map { $0.lowercased() }).compactMap { HTTPField.Name($0) }
    let longest = names.map(\.rawName.utf8.count).max() ?? 0
    return (0...longest).map { length in names.filter { $0.rawName.utf8.count == length } }
  }()
}
