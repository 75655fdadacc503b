/// The separator between the name and the value of an item.
enum Separator: String, CaseIterable {
  case header = ":"
  case emptyHeader = ";"
  case query = "=="
  case field = "="
  case json = ":="
  case part = "@"
  case headerFile = ":@"
  case queryFile = "==@"
  case fieldFile = "=@"
  case jsonFile = ":=@"

  /// The characters that a backslash escapes.
  static let characters: Set<Unicode.Scalar> = [":", ";", "=", "@"]

  /// Whether the item is a part of the body. The name of such an item may be empty.
  var isOfBody: Bool {
    switch self {
    case .field, .json, .part, .fieldFile, .jsonFile: true
    case .header, .emptyHeader, .query, .headerFile, .queryFile: false
    }
  }

  private static let longestFirst = allCases.sorted { $0.rawValue.count > $1.rawValue.count }

  /// The first separator; of several that begin at the same character, the longest.
  static func first(in symbols: [Symbol]) -> (index: Int, separator: Separator)? {
    for index in symbols.indices {
      if let found = longestFirst.first(where: { $0.begins(symbols[index...]) }) {
        return (index, found)
      }
    }
    return nil
  }

  private func begins(_ symbols: ArraySlice<Symbol>) -> Bool {
    symbols.starts(with: rawValue.unicodeScalars) { symbol, scalar in
      symbol.scalar == scalar && !symbol.isEscaped
    }
  }
}

/// A character of an item, and whether a backslash escapes it.
struct Symbol {
  let scalar: Unicode.Scalar
  var isEscaped = false

  /// The characters of an item.
  ///
  /// A backslash before any character that it does not escape is an ordinary character, and so is the character after
  /// it. Therefore the `=` in `a\\=b` is a separator.
  static func all(of text: String) -> [Symbol] {
    var symbols: [Symbol] = []
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      guard scalar == "\\", let next = rest.popFirst() else {
        symbols.append(Symbol(scalar: scalar))
        continue
      }
      let isEscaped = Separator.characters.contains(next)
      if !isEscaped { symbols.append(Symbol(scalar: scalar)) }
      symbols.append(Symbol(scalar: next, isEscaped: isEscaped))
    }
    return symbols
  }

  static func text(of symbols: ArraySlice<Symbol>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: symbols.map(\.scalar))
    return String(text)
  }
}
