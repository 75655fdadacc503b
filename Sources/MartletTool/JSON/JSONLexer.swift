/// Splits a JSON text into its tokens, and does not change their bytes (RFC 8259 §2).
struct JSONLexer {
  enum Kind: Equatable {
    case openObject, closeObject, openArray, closeArray
    case comma, colon
    case string, number, literal
  }

  struct Token {
    let kind: Kind
    let range: Range<Int>
  }

  /// The text contains something that is not a token.
  struct Malformed: Error {}

  let bytes: [UInt8]
  private var index = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The next token, or `nil` at the end of the text.
  mutating func next() throws(Malformed) -> Token? {
    skip { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
    guard index < bytes.count else { return nil }
    let start = index
    let kind = try kind(startingWith: bytes[index])
    return Token(kind: kind, range: start..<index)
  }

  private mutating func kind(startingWith byte: UInt8) throws(Malformed) -> Kind {
    if let mark = Self.marks[byte] {
      index += 1
      return mark
    }
    switch byte {
    case UInt8(ascii: "\""): return try string()
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default: return try literal()
    }
  }

  private static let marks: [UInt8: Kind] = [
    UInt8(ascii: "{"): .openObject, UInt8(ascii: "}"): .closeObject,
    UInt8(ascii: "["): .openArray, UInt8(ascii: "]"): .closeArray,
    UInt8(ascii: ","): .comma, UInt8(ascii: ":"): .colon,
  ]

  // MARK: Strings (§7)

  private mutating func string() throws(Malformed) -> Kind {
    index += 1
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      switch byte {
      case UInt8(ascii: "\""): return .string
      case UInt8(ascii: "\\"): try escape()
      case 0..<0x20: throw Malformed()
      default: break
      }
    }
    throw Malformed()
  }

  private mutating func escape() throws(Malformed) {
    guard index < bytes.count else { throw Malformed() }
    let byte = bytes[index]
    index += 1
    if byte == UInt8(ascii: "u") {
      try require(4) { Character(Unicode.Scalar($0)).isHexDigit }
    } else if !"\"\\/bfnrt".utf8.contains(byte) {
      throw Malformed()
    }
  }

  // MARK: Numbers (§6)

  private mutating func number() throws(Malformed) -> Kind {
    take("-")
    // No digit may follow a leading zero: 01 is two tokens, and not valid JSON.
    if !take("0") { try digits() }
    if take(".") { try digits() }
    if take("e") || take("E") {
      if !take("+") { take("-") }
      try digits()
    }
    return .number
  }

  private mutating func digits() throws(Malformed) {
    try require(1, Self.isDigit)
    skip(Self.isDigit)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  // MARK: Literals (§3)

  private mutating func literal() throws(Malformed) -> Kind {
    for word in ["true", "false", "null"] where bytes[index...].starts(with: word.utf8) {
      index += word.utf8.count
      return .literal
    }
    throw Malformed()
  }

  // MARK: Steps

  private mutating func skip(_ isWanted: (UInt8) -> Bool) {
    while index < bytes.count, isWanted(bytes[index]) { index += 1 }
  }

  private mutating func require(_ count: Int, _ isWanted: (UInt8) -> Bool) throws(Malformed) {
    for _ in 0..<count {
      guard index < bytes.count, isWanted(bytes[index]) else { throw Malformed() }
      index += 1
    }
  }

  @discardableResult
  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }
}
