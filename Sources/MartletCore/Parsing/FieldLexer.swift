import EssentialFoundation

/// Reads the elements of a header field one after another: blanks, tokens and quoted strings (RFC 9110 §5.6).
package struct FieldLexer {
  /// The unread rest.
  package private(set) var rest: Substring.UTF8View

  package init(_ field: some StringProtocol) {
    rest = Substring(field).utf8
  }

  /// Whether all has been read.
  package var isAtEnd: Bool { rest.isEmpty }

  /// Whether a quoted string in the rest is not closed.
  package var hasOpenQuote: Bool {
    var (isQuoted, isEscaped) = (false, false)
    for byte in rest {
      if isEscaped {
        isEscaped = false
      } else if byte == .quote {
        isQuoted.toggle()
      } else {
        isEscaped = isQuoted && byte == .backslash
      }
    }
    return isQuoted
  }

  /// Skips all bytes for which `isPart` is true, such as blanks.
  package mutating func skip(while isPart: (UInt8) -> Bool) {
    rest = rest.drop(while: isPart)
  }

  /// Skips one character and the blanks around it. If the character does not follow, skips nothing and returns `false`.
  package mutating func skip(_ character: Unicode.Scalar) -> Bool {
    let start = rest
    skip(while: \.isBlank)
    guard let first = rest.first, first == UInt8(ascii: character) else {
      rest = start
      return false
    }
    rest.removeFirst()
    skip(while: \.isBlank)
    return true
  }

  /// Reads all bytes for which `isPart` is true; the result may be empty.
  package mutating func take(while isPart: (UInt8) -> Bool) -> String {
    let part = rest.prefix(while: isPart)
    rest = rest[part.endIndex...]
    return String(Substring(part))
  }

  /// Reads a token (§5.6.2); the result may be empty.
  package mutating func token() -> String { take(while: \.isTokenCharacter) }

  /// Reads the text of a quoted string (§5.6.4), to the end if the closing quote is missing; `nil` if none begins here.
  package mutating func quotedString() -> String? {
    guard rest.first == .quote else { return nil }
    rest.removeFirst()
    var bytes: [UInt8] = []
    while let byte = rest.popFirst(), byte != .quote {
      bytes.append(byte == .backslash ? rest.popFirst() ?? byte : byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Reads everything before the next separator outside quoted strings, and skips the separator.
  package mutating func take(to separator: Unicode.Scalar) -> Substring {
    let start = rest
    var isQuoted = false
    while let byte = rest.first, isQuoted || byte != UInt8(ascii: separator) {
      rest.removeFirst()
      if byte == .quote { isQuoted.toggle() }
      if byte == .backslash, isQuoted, !rest.isEmpty { rest.removeFirst() }
    }
    let part = start[..<rest.startIndex]
    if !rest.isEmpty { rest.removeFirst() }
    return Substring(part)
  }
}

extension StringProtocol {
  /// Returns the non-empty elements of a list, without the blanks around them (RFC 9110 §5.6.1).
  package func fieldElements(separator: Unicode.Scalar = ",") -> [String] {
    var lexer = FieldLexer(self)
    var elements: [String] = []
    while !lexer.isAtEnd {
      let element = lexer.take(to: separator).trimmingBlanks
      if !element.isEmpty { elements.append(element) }
    }
    return elements
  }

  /// The text of a quoted string; any other text unchanged.
  package var unquoted: String {
    var lexer = FieldLexer(self)
    return lexer.quotedString() ?? String(self)
  }
}

extension UInt8 {
  fileprivate static let quote = UInt8(ascii: "\"")
  fileprivate static let backslash = UInt8(ascii: "\\")
}

/// A header field with a value and parameters: `attachment; filename="a;b.txt"` (RFC 9110 §5.6.6).
package struct FieldParameters {
  /// The part before the first semicolon, in lower case.
  package let value: String
  private let parameters: [String: String]

  /// The parameter with a name in lower case. If a name occurs twice, the first parameter is used.
  package subscript(name: String) -> String? { parameters[name] }

  /// Parses a field. Parts that are not parameters are skipped.
  package init(_ field: String) {
    var lexer = FieldLexer(field)
    value = lexer.take(to: ";").trimmingBlanks.lowercased()
    var parameters: [String: String] = [:]
    while !lexer.isAtEnd {
      let part = lexer.take(to: ";")
      guard let equals = part.firstIndex(of: "=") else { continue }
      let name = part[..<equals].trimmingBlanks.lowercased()
      let value = part[part.index(after: equals)...].trimmingBlanks.unquoted
      if parameters[name] == nil { parameters[name] = value }
    }
    self.parameters = parameters
  }
}
