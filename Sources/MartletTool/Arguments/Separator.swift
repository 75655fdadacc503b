/// What stands between name and value of an item.
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

  /// All characters that a backslash deprives of their meaning.
  static let characters: Set<Unicode.Scalar> = [":", ";", "=", "@"]

  /// Whether it makes a part of the body, whose name may be empty.
  var isOfBody: Bool {
    switch self {
    case .field, .json, .part, .fieldFile, .jsonFile: true
    case .header, .emptyHeader, .query, .headerFile, .queryFile: false
    }
  }

  private static let longestFirst = allCases.sorted { $0.rawValue.count > $1.rawValue.count }

  /// The earliest separator, and the longest of those that begin there.
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

/// A character of an item, and whether a backslash stood before it.
struct Symbol {
  let scalar: Unicode.Scalar
  var isEscaped = false

  /// The characters of an item. A backslash before anything but a separator's character is itself, and so is what
  /// follows it: in `a\\=b` the separator has its meaning.
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
