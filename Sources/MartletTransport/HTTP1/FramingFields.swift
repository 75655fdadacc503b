import HTTPTypes

/// The fields of a head that say where its message ends and what becomes of the connection.
///
/// They are picked out in one pass, because looking each of them up would cost one of its own.
/// What is said several times is joined by commas (RFC 9110 §5.3).
struct FramingFields {
  private(set) var contentLength: String?
  private(set) var transferEncoding: String?
  private(set) var connection: String?

  /// What a whole section says.
  init(_ fields: HTTPFields) {
    for field in fields { note(field) }
  }

  /// Remembers a field, if it is one of them.
  private mutating func note(_ field: HTTPField) {
    // Most names have another length, which is cheaper to see.
    switch field.name.rawName.utf8.count {
    case 10 where field.name == .connection: Self.join(&connection, field.value)
    case 14 where field.name == .contentLength: Self.join(&contentLength, field.value)
    case 17 where field.name == .transferEncoding: Self.join(&transferEncoding, field.value)
    default: break
    }
  }

  private static func join(_ known: inout String?, _ value: String) {
    known = known.map { "\($0), \(value)" } ?? value
  }

  /// Whether the connection field has an option, in any spelling (RFC 9110 §7.6.1).
  func hasConnectionOption(_ option: String) -> Bool {
    connection?.lowercased().split(separator: ",").contains { $0.trimmingBlanks == option } ?? false
  }
}

extension Substring {
  /// The text without spaces and tabs at its ends.
  var trimmingBlanks: Substring {
    var text = self
    while text.first == " " || text.first == "\t" { text.removeFirst() }
    while text.last == " " || text.last == "\t" { text.removeLast() }
    return text
  }
}
