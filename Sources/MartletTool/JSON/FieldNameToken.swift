/// A token of a field's name: a bracket, or text outside of brackets or between them.
struct FieldNameToken: Equatable {
  enum Kind: Equatable {
    case open, close
    case text
    /// Digits, perhaps with a sign.
    case number
  }

  let kind: Kind
  /// The text without the backslashes that escape.
  let text: String
  /// The position in the name, counted in Unicode scalars.
  let range: Range<Int>

  /// The tokens of a name.
  ///
  /// A backslash before a bracket or another backslash makes that character a part of the text. A backslash before a
  /// number makes the number a text. Any other backslash is an ordinary character.
  static func all(of name: String) -> [FieldNameToken] {
    var tokenizer = FieldNameTokenizer(Array(name.unicodeScalars))
    var tokens: [FieldNameToken] = []
    while let token = tokenizer.next() { tokens.append(token) }
    return tokens
  }
}

/// Splits a field's name into its tokens.
private struct FieldNameTokenizer {
  private let scalars: [Unicode.Scalar]
  private var index = 0

  init(_ scalars: [Unicode.Scalar]) {
    self.scalars = scalars
  }

  mutating func next() -> FieldNameToken? {
    guard index < scalars.count else { return nil }
    switch scalars[index] {
    case "[": return bracket(.open)
    case "]": return bracket(.close)
    default: return text()
    }
  }

  private mutating func bracket(_ kind: FieldNameToken.Kind) -> FieldNameToken {
    defer { index += 1 }
    return FieldNameToken(
      kind: kind, text: String(scalars[index]), range: index..<index + 1)
  }

  private mutating func text() -> FieldNameToken {
    let start = index
    var text = String.UnicodeScalarView()
    var hasEscapes = false
    while index < scalars.count, scalars[index] != "[", scalars[index] != "]" {
      if scalars[index] == "\\", index + 1 < scalars.count {
        index += 1
        if ["[", "]", "\\"].contains(scalars[index]) {
          hasEscapes = true
        } else {
          text.append("\\")
        }
      }
      text.append(scalars[index])
      index += 1
    }
    let whole = String(text)
    let (kind, meaning) = hasEscapes ? (.text, whole) : Self.meaning(of: whole)
    return FieldNameToken(kind: kind, text: meaning, range: start..<index)
  }

  private static func meaning(of text: String) -> (FieldNameToken.Kind, String) {
    if isNumber(text) { return (.number, text) }
    let rest = String(text.dropFirst())
    return (.text, text.hasPrefix("\\") && isNumber(rest) ? rest : text)
  }

  private static func isNumber(_ text: String) -> Bool {
    text.wholeMatch(of: /[+-]?[0-9]+/) != nil
  }
}
