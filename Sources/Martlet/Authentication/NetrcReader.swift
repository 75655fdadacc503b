import MartletCore

/// One entry of a netrc file.
struct NetrcMachine: Sendable {
  /// `nil` for the default entry.
  var host: String?
  var user: String?
  var password: String?
}

/// Reads a netrc file word by word.
struct NetrcReader {
  private var rest: Substring.UnicodeScalarView
  private var line = 1
  private var found: [NetrcMachine] = []

  init(_ text: String) {
    rest = text[...].unicodeScalars
  }

  mutating func machines() throws(MartletError) -> [NetrcMachine] {
    while let word = try word(orComment: true) {
      switch word {
      case "machine": found.append(NetrcMachine(host: try value(of: word).lowercased()))
      case "default": found.append(NetrcMachine())
      case "login": try set(\.user, word)
      case "password": try set(\.password, word)
      case "account": _ = try value(of: word)
      case "macdef": try skipMacro()
      default: throw .invalidNetrc(line: line, "it has an unknown word where a keyword belongs")
      }
    }
    return found
  }

  private mutating func set(
    _ part: WritableKeyPath<NetrcMachine, String?>, _ keyword: String
  ) throws(MartletError) {
    let value = try value(of: keyword)
    guard let last = found.indices.last else {
      throw .invalidNetrc(line: line, "“\(keyword)” stands before any machine")
    }
    found[last][keyPath: part] = value
  }

  private mutating func value(of keyword: String) throws(MartletError) -> String {
    let start = line
    guard let value = try word(orComment: false) else {
      throw .invalidNetrc(line: start, "nothing follows “\(keyword)”")
    }
    return value
  }

  /// The next word, over line ends, and over comments where a keyword may stand; `nil` at the end.
  private mutating func word(orComment: Bool) throws(MartletError) -> String? {
    while let first = rest.first {
      if first == "#", orComment {
        skipLine()
      } else if first.properties.isWhitespace {
        advance()
      } else {
        return first == "\"" ? try quoted() : plain()
      }
    }
    return nil
  }

  private mutating func plain() -> String {
    let word = rest.prefix { !$0.properties.isWhitespace }
    rest = rest[word.endIndex...]
    return String(word)
  }

  private mutating func quoted() throws(MartletError) -> String {
    let start = line
    advance()
    var word = String.UnicodeScalarView()
    while let scalar = advance() {
      switch scalar {
      case "\"": return String(word)
      case "\\": if let escaped = advance() { word.append(escaped) }
      default: word.append(scalar)
      }
    }
    throw .invalidNetrc(line: start, "a quotation mark is not closed")
  }

  /// A macro goes to the next empty line.
  private mutating func skipMacro() throws(MartletError) {
    _ = try value(of: "macdef")
    skipLine()
    while let first = rest.first, first != "\n", first != "\r" { skipLine() }
  }

  private mutating func skipLine() {
    while let scalar = advance(), scalar != "\n" {}
  }

  @discardableResult
  private mutating func advance() -> Unicode.Scalar? {
    let scalar = rest.popFirst()
    if scalar == "\n" { line += 1 }
    return scalar
  }
}
