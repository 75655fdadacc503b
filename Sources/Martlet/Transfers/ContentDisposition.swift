import Foundation

/// The field that says what a body is to be called (RFC 6266 §4).
struct ContentDisposition {
  /// The name as the server wrote it; `filename*` wins over `filename` (§4.3).
  let fileName: String?

  init(_ field: String) {
    let parameters = Self.parameters(of: field)
    fileName = parameters["filename*"].flatMap(Self.extended) ?? parameters["filename"]
  }

  /// `attachment; filename="a;b.txt"` without its first part. The first of two parameters of one name
  /// counts.
  private static func parameters(of field: String) -> [String: String] {
    var parameters: [String: String] = [:]
    for part in parts(of: field).dropFirst() {
      guard let equals = part.firstIndex(of: "=") else { continue }
      let name = part[..<equals].trimmingCharacters(in: .whitespaces).lowercased()
      let value = part[part.index(after: equals)...].trimmingCharacters(in: .whitespaces)
      if parameters[name] == nil { parameters[name] = unquoted(value) }
    }
    return parameters
  }

  /// The parts between semicolons, except for those within quotes.
  private static func parts(of field: String) -> [String] {
    var parts = [""]
    var (isQuoted, isEscaped) = (false, false)
    for character in field {
      if character == ";", !isQuoted {
        parts.append("")
        continue
      }
      if character == "\"", !isEscaped { isQuoted.toggle() }
      isEscaped = character == "\\" && isQuoted && !isEscaped
      parts[parts.count - 1].append(character)
    }
    return parts
  }

  /// The text of a quoted string (RFC 9110 §5.6.4), or the text itself.
  private static func unquoted(_ text: String) -> String {
    guard text.hasPrefix("\"") else { return text }
    var unquoted = ""
    var isEscaped = false
    for character in text.dropFirst() {
      if character == "\\", !isEscaped {
        isEscaped = true
        continue
      }
      if character == "\"", !isEscaped { break }
      unquoted.append(character)
      isEscaped = false
    }
    return unquoted
  }

  /// `UTF-8''na%C3%AFve.txt` (RFC 8187 §3.2).
  private static func extended(_ value: String) -> String? {
    let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].lowercased() == "utf-8" else { return nil }
    return String(parts[2]).removingPercentEncoding
  }
}
