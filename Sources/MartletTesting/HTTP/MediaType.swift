import Foundation

/// A media type, or any other field value with parameters: `text/plain; charset=utf-8`.
struct MediaType {
  /// What stands before the first semicolon, in lower case.
  let name: String
  /// The parameters, their names in lower case and their values without quotes.
  let parameters: [String: String]

  init(_ field: String) {
    let parts = Self.split(field)
    name = parts.first?.lowercased() ?? ""
    var parameters: [String: String] = [:]
    for part in parts.dropFirst() {
      guard let sign = part.firstIndex(of: "=") else { continue }
      let key = part[..<sign].trimmingCharacters(in: .whitespaces).lowercased()
      parameters[key] = Self.unquoted(part[part.index(after: sign)...])
    }
    self.parameters = parameters
  }

  /// Splits at semicolons that stand outside of quotes.
  private static func split(_ field: String) -> [String] {
    var parts = [""]
    var isQuoted = false
    var isEscaped = false
    for character in field {
      if character == ";" && !isQuoted {
        parts.append("")
        continue
      }
      if character == "\"" && !isEscaped { isQuoted.toggle() }
      isEscaped = character == "\\" && !isEscaped
      parts[parts.count - 1].append(character)
    }
    return parts.map { $0.trimmingCharacters(in: .whitespaces) }
  }

  /// Browsers escape a quote as `%22`, everybody else as `\"`.
  private static func unquoted(_ text: Substring) -> String {
    let text = text.trimmingCharacters(in: .whitespaces)
    guard text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
    return text.dropFirst().dropLast()
      .replacingOccurrences(of: "\\\"", with: "\"").replacingOccurrences(of: "\\\\", with: "\\")
  }
}
