import EssentialFoundation
import HTTPTypes

/// Fields that are made out of the last ones: what is the same stays, and only what differs is put in.
struct EditedFields {
  private var fields: HTTPFields
  private(set) var count = 0

  /// - Parameter last: What to begin with.
  init(_ last: HTTPFields) {
    fields = last
  }

  /// The next field stays as it was.
  mutating func keep() {
    count += 1
  }

  /// The next field is this one.
  mutating func put(_ field: HTTPField) {
    defer { count += 1 }
    guard count < fields.count else { return fields.append(field) }
    if fields[count] == field {
      // Equal and yet not the same, such as a name in another case: assigning would leave it as it was.
      fields.replaceSubrange(count..<count + 1, with: CollectionOfOne(field))
    } else {
      fields[count] = field
    }
  }

  /// The field that was put in or kept last.
  var last: HTTPField? {
    get { count > 0 ? fields[count - 1] : nil }
    set { if let newValue, count > 0 { fields[count - 1] = newValue } }
  }

  /// What the next field would be if it stayed.
  var next: HTTPField? { count < fields.count ? fields[count] : nil }

  /// The fields, when there are no more.
  mutating func finish() -> HTTPFields {
    if fields.count > count { fields.removeLast(fields.count - count) }
    return fields
  }
}

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

extension UnsafeRawBufferPointer {
  /// Whether these are the same bytes as others.
  func isSame(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count, let own = baseAddress, let others = other.baseAddress else {
      return count == other.count
    }
    return memcmp(own, others, count) == 0
  }
}

extension String {
  /// Whether two texts have the same bytes: those that are equal to Swift may have others.
  func hasSameBytes(as other: String) -> Bool {
    withBytes { bytes in other.withBytes { bytes.isSame(as: $0) } }
  }

  private func withBytes(_ compare: (UnsafeRawBufferPointer) -> Bool) -> Bool {
    utf8.withContiguousStorageIfAvailable { compare(UnsafeRawBufferPointer($0)) }
      ?? Array(utf8).withUnsafeBytes(compare)
  }
}
