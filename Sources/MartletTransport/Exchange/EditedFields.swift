import EssentialFoundation
import HTTPTypes

/// Builds fields from the previous ones: equal fields are kept, and only different ones are replaced.
struct EditedFields {
  private var fields: HTTPFields
  private(set) var count = 0

  /// - Parameter last: The previous fields.
  init(_ last: HTTPFields) {
    fields = last
  }

  /// Keeps the next field as it was.
  mutating func keep() {
    count += 1
  }

  /// Sets the next field.
  mutating func set(_ field: HTTPField) {
    defer { count += 1 }
    guard count < fields.count else { return fields.append(field) }
    if fields[count] == field {
      // Equal fields may still differ, for example in the case of the name. Assigning would keep the old field.
      fields.replaceSubrange(count..<count + 1, with: CollectionOfOne(field))
    } else {
      fields[count] = field
    }
  }

  /// The field that was set or kept last.
  var last: HTTPField? {
    get { count > 0 ? fields[count - 1] : nil }
    set { if let newValue, count > 0 { fields[count - 1] = newValue } }
  }

  /// The field that `keep()` would keep next.
  var next: HTTPField? { count < fields.count ? fields[count] : nil }

  /// Removes the previous fields that are left over, and returns the result.
  mutating func finish() -> HTTPFields {
    if fields.count > count { fields.removeLast(fields.count - count) }
    return fields
  }
}

/// Finds field names by their bytes on the wire.
///
/// Creating a name checks, copies and lower-cases it. So the names that nearly every response has are created once, and
/// found by their exact bytes.
enum FieldNames {
  /// Returns the name with these bytes, or `nil` if they are not a token (RFC 9110 §5.1).
  static func name(_ bytes: Slice<UnsafeRawBufferPointer>) -> HTTPField.Name? {
    let candidates = bytes.count < byLength.count ? byLength[bytes.count] : []
    for candidate in candidates where bytes.elementsEqual(candidate.rawName.utf8) {
      return candidate
    }
    guard bytes.first != 0x3A else { return nil }
    return HTTPField.Name(String(decoding: bytes, as: UTF8.self))
  }

  private static let byLength: [[HTTPField.Name]] = {
    let commonNames = [
      "Server", "Date", "Content-Type", "Content-Length", "Connection", "Keep-Alive",
      "Transfer-Encoding", "Content-Encoding", "Last-Modified", "ETag", "Accept-Ranges", "Location",
      "Set-Cookie", "Cache-Control", "Expires", "Vary", "Age", "Via", "Access-Control-Allow-Origin",
      "Strict-Transport-Security", "WWW-Authenticate", "Access-Control-Allow-Credentials",
    ]
    let names = (commonNames + commonNames.map { $0.lowercased() })
      .compactMap { HTTPField.Name($0) }
    let longest = names.map(\.rawName.utf8.count).max() ?? 0
    return (0...longest).map { length in names.filter { $0.rawName.utf8.count == length } }
  }()
}

extension UnsafeRawBufferPointer {
  /// Whether both buffers hold the same bytes.
  func isSame(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count, let own = baseAddress, let others = other.baseAddress else {
      return count == other.count
    }
    return memcmp(own, others, count) == 0
  }
}

extension String {
  /// Whether both strings have the same bytes. Strings that are equal in Swift may have different bytes.
  func hasSameBytes(as other: String) -> Bool {
    withBytes { bytes in other.withBytes { bytes.isSame(as: $0) } }
  }

  private func withBytes(_ compare: (UnsafeRawBufferPointer) -> Bool) -> Bool {
    utf8.withContiguousStorageIfAvailable { compare(UnsafeRawBufferPointer($0)) }
      ?? Array(utf8).withUnsafeBytes(compare)
  }
}
