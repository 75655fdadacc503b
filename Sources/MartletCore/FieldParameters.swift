import Foundation

/// A header field of a value and its parameters: `attachment; filename="a;b.txt"` (RFC 9110 §5.6.6).
package struct FieldParameters {
  /// What stands before the first semicolon, in lower case.
  package let value: String
  private let parameters: [String: String]

  /// The parameter of that name, which is given in lower case; of two the first counts.
  package subscript(name: String) -> String? { parameters[name] }

  /// The parts of a field; what makes no sense is passed over.
  package init(_ field: String) {
    let parts = Self.parts(of: field)
    value = Self.trimmed(parts[0]).lowercased()
    var parameters: [String: String] = [:]
    for part in parts.dropFirst() {
      guard let equals = part.firstIndex(of: "=") else { continue }
      let name = Self.trimmed(part[..<equals]).lowercased()
      let value = Self.unquoted(Self.trimmed(part[part.index(after: equals)...]))
      if parameters[name] == nil { parameters[name] = value }
    }
    self.parameters = parameters
  }

  /// The parts between semicolons, except for those within quotes: at least one.
  private static func parts(of field: String) -> [Substring.UnicodeScalarView] {
    var parts: [Substring.UnicodeScalarView] = []
    var start = field.unicodeScalars.startIndex
    var (isQuoted, isEscaped) = (false, false)
    for (index, scalar) in zip(field.unicodeScalars.indices, field.unicodeScalars) {
      if scalar == ";", !isQuoted {
        parts.append(Substring(field.unicodeScalars[start..<index]).unicodeScalars)
        start = field.unicodeScalars.index(after: index)
        continue
      }
      if scalar == "\"", !isEscaped { isQuoted.toggle() }
      isEscaped = scalar == "\\" && isQuoted && !isEscaped
    }
    parts.append(Substring(field.unicodeScalars[start...]).unicodeScalars)
    return parts
  }

  private static func trimmed(_ part: Substring.UnicodeScalarView) -> String {
    String(part).trimmingCharacters(in: .whitespaces)
  }

  /// The text of a quoted string (RFC 9110 §5.6.4), or the text itself.
  private static func unquoted(_ text: String) -> String {
    guard text.unicodeScalars.first == "\"" else { return text }
    var unquoted = String.UnicodeScalarView()
    var isEscaped = false
    for scalar in text.unicodeScalars.dropFirst() {
      if scalar == "\\", !isEscaped {
        isEscaped = true
        continue
      }
      if scalar == "\"", !isEscaped { break }
      unquoted.append(scalar)
      isEscaped = false
    }
    return String(unquoted)
  }
}
