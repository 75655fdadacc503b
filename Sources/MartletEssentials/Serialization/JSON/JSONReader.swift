/// Reads JSON text in UTF-8 (RFC 8259) into a value.
struct JSONReader {
  /// The reason why a text is not JSON: a clause with the position of the problem.
  struct Problem: Error, CustomStringConvertible {
    let description: String
  }

  /// The maximum nesting depth of arrays and objects, which protects the stack.
  private static let maximumDepth = 512

  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0
  private var depth = 0

  /// Reads the value of a text.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - allowsFragments: Whether the text may be any value, and not only an array or an object.
  /// - Returns: The value.
  /// - Throws: The problem with the text.
  static func read(_ bytes: [UInt8], allowsFragments: Bool) throws(Problem) -> JSON {
    try bytes.withUnsafeBufferPointer { bytes throws(Problem) in
      var reader = JSONReader(bytes: bytes)
      reader.skipBlanks()
      let isContainer = reader.next == UInt8(ascii: "[") || reader.next == UInt8(ascii: "{")
      guard isContainer || allowsFragments || reader.next == nil else {
        throw Problem(description: "it is neither an object nor an array")
      }
      let value = try reader.value()
      reader.skipBlanks()
      guard reader.next == nil else { throw reader.unexpected() }
      return value
    }
  }

  private init(bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func value() throws(Problem) -> JSON {
    switch next {
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "{"): return .object(try object())
    case UInt8(ascii: "["): return .array(try array())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  // MARK: Containers

  private mutating func object() throws(Problem) -> [String: JSON] {
    var object: [String: JSON] = [:]
    try elements(endingWith: UInt8(ascii: "}")) { reader throws(Problem) in
      guard reader.next == UInt8(ascii: "\"") else { throw reader.unexpected() }
      let start = reader.position + 1
      let name = try reader.string()
      guard !name.hasLongRunOfMarks else {
        throw Problem(
          description:
            "the name at \(reader.place(start)) has more than 128 combining marks in sequence")
      }
      reader.skipBlanks()
      try reader.take(UInt8(ascii: ":"))
      reader.skipBlanks()
      object[name] = try reader.value()
    }
    return object
  }

  private mutating func array() throws(Problem) -> [JSON] {
    var array: [JSON] = []
    try elements(endingWith: UInt8(ascii: "]")) { reader throws(Problem) in
      array.append(try reader.value())
    }
    return array
  }

  /// Reads the elements between brackets, each with `read`.
  private mutating func elements(
    endingWith end: UInt8, _ read: (inout JSONReader) throws(Problem) -> Void
  ) throws(Problem) {
    position += 1
    depth += 1
    guard depth <= Self.maximumDepth else {
      throw Problem(description: "it nests deeper than \(Self.maximumDepth) levels")
    }
    skipBlanks()
    if next != end {
      while true {
        try read(&self)
        skipBlanks()
        if next == end { break }
        try take(UInt8(ascii: ","))
        skipBlanks()
      }
    }
    position += 1
    depth -= 1
  }

  // MARK: Single values

  private mutating func word(_ word: StaticString, _ value: JSON) throws(Problem) -> JSON {
    for index in 0..<word.utf8CodeUnitCount { try take(word.utf8Start[index]) }
    return value
  }

  /// Reads a number. Whole numbers of 64 bits are kept exactly; any other number becomes the nearest `Double`, and so
  /// does `-0`, whose sign an integer would lose.
  private mutating func number() throws(Problem) -> JSON {
    let start = position
    var isWhole = true
    if next == UInt8(ascii: "-") { position += 1 }
    if next == UInt8(ascii: "0") { position += 1 } else { try takeDigits() }
    if next == UInt8(ascii: ".") {
      position += 1
      isWhole = false
      try takeDigits()
    }
    if let byte = next, byte | 0x20 == UInt8(ascii: "e") {
      position += 1
      isWhole = false
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
      try takeDigits()
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isWhole, text != "-0" {
      if let value = Int64(text) { return .integer(value) }
      if let value = UInt64(text) { return .unsigned(value) }
    }
    guard let value = Double(text), value.isFinite else {
      throw Problem(description: "the number \(text.masked) is too large")
    }
    return .double(value)
  }

  private mutating func takeDigits() throws(Problem) {
    guard next?.isDigit == true else { throw unexpected() }
    while next?.isDigit == true { position += 1 }
  }

  // MARK: Text

  private mutating func string() throws(Problem) -> String {
    position += 1
    let start = position
    while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 {
      position += 1
    }
    guard next != UInt8(ascii: "\"") else {
      defer { position += 1 }
      return try text(bytes[start..<position], from: start)
    }
    return try string(with: Array(bytes[start..<position]), from: start)
  }

  /// Reads the rest of a text from its first escape or invalid byte. `front` is the part that has been read.
  private mutating func string(with front: [UInt8], from start: Int) throws(Problem) -> String {
    var decoded = front
    while let byte = next, byte != UInt8(ascii: "\"") {
      guard byte >= 0x20 else { throw unexpected() }
      position += 1
      if byte == UInt8(ascii: "\\") {
        decoded.append(contentsOf: String(try escape()).utf8)
      } else {
        decoded.append(byte)
      }
    }
    try take(UInt8(ascii: "\""))
    return try text(decoded, from: start)
  }

  private func text(_ bytes: some Collection<UInt8>, from start: Int) throws(Problem) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Problem(description: "the text at \(place(start)) is not UTF-8")
    }
    return text
  }

  /// Reads an escape after its backslash (RFC 8259 §7).
  private mutating func escape() throws(Problem) -> Unicode.Scalar {
    guard let byte = next else { throw unexpected() }
    switch Unicode.Scalar(byte) {
    case "\"", "\\", "/":
      position += 1
      return Unicode.Scalar(byte)
    case "b": return taken("\u{8}")
    case "f": return taken("\u{C}")
    case "n": return taken("\n")
    case "r": return taken("\r")
    case "t": return taken("\t")
    case "u": return try unicodeEscape()
    default: throw unexpected()
    }
  }

  private mutating func taken(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    position += 1
    return scalar
  }

  private mutating func unicodeEscape() throws(Problem) -> Unicode.Scalar {
    let start = position - 1
    let first = try codeUnit()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard UTF16.isLeadSurrogate(UInt16(first)), next == UInt8(ascii: "\\") else {
      throw Problem(description: "an unpaired surrogate is at \(place(start))")
    }
    position += 1
    guard next == UInt8(ascii: "u") else { throw unexpected() }
    let second = try codeUnit()
    guard UTF16.isTrailSurrogate(UInt16(second)),
      let scalar = Unicode.Scalar(0x1_0000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw Problem(description: "an unpaired surrogate is at \(place(start))") }
    return scalar
  }

  /// `uXXXX`
  private mutating func codeUnit() throws(Problem) -> UInt32 {
    position += 1
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard let value = next?.hexadecimalValue else { throw unexpected() }
      unit = unit << 4 | UInt32(value)
      position += 1
    }
    return unit
  }

  // MARK: Reading on

  private mutating func skipBlanks() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      position += 1
    }
  }

  private mutating func take(_ byte: UInt8) throws(Problem) {
    guard next == byte else { throw unexpected() }
    position += 1
  }

  private func unexpected() -> Problem {
    guard let byte = next else { return Problem(description: "unexpected end") }
    let found =
      byte >= 0x20 && byte < 0x7F
      ? "character “\(Character(Unicode.Scalar(byte)))”"
      : "byte 0x\([byte].hexadecimal.uppercased())"
    return Problem(description: "unexpected \(found) at \(place(position))")
  }

  /// `line 2, column 7`; columns count bytes.
  private func place(_ position: Int) -> String {
    let front = bytes[..<position]
    let line = front.count { $0 == 0x0A } + 1
    let start = front.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    return "line \(line), column \(position - start + 1)"
  }
}
