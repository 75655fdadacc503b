// Character classes of HTTP and URLs, for bytes.

extension UInt8 {
  /// Whether this is a space or a tab, the optional white space of fields (RFC 9110 §5.6.3).
  @inlinable package var isBlank: Bool { self == 0x20 || self == 0x09 }

  /// Whether this is a digit, `0` to `9`.
  @inlinable package var isDigit: Bool { 0x30 <= self && self <= 0x39 }

  /// Whether this is a letter, `A` to `Z` or `a` to `z`.
  @inlinable package var isLetter: Bool { 0x61 <= self | 0x20 && self | 0x20 <= 0x7A }

  /// Whether this is a character of a token, such as the name of a field (RFC 9110 §5.6.2).
  package var isTokenCharacter: Bool {
    isLetter || isDigit || "!#$%&'*+-.^_`|~".utf8.contains(self)
  }

  /// The value of a hexadecimal digit in upper or lower case; `nil` for another byte.
  @inlinable package var hexadecimalValue: UInt8? {
    switch self {
    case 0x30...0x39: self - 0x30
    case 0x41...0x46: self - 0x41 + 10
    case 0x61...0x66: self - 0x61 + 10
    default: nil
    }
  }

  /// The upper-case digit of a value below 16.
  package var hexadecimalDigit: UInt8 {
    self < 10 ? UInt8(ascii: "0") + self : UInt8(ascii: "A") - 10 + self
  }

  /// The ASCII letter in lower case; any other byte unchanged.
  @inlinable package var lowercased: UInt8 { 0x41 <= self && self <= 0x5A ? self | 0x20 : self }

  /// Whether every component of a URL, except scheme and port, may contain this letter, digit or mark (RFC 3986 §2).
  package var isUnreservedOrSubDelimiter: Bool { isUnreserved || "!$&'()*+,;=".utf8.contains(self) }

  /// Whether this is a letter, digit or mark that is never escaped in a URL (RFC 3986 §2.3).
  package var isUnreserved: Bool { isLetter || isDigit || "-._~".utf8.contains(self) }
}

extension BidirectionalCollection<UInt8> where SubSequence == Self {
  /// The bytes without spaces and tabs at both ends.
  @inlinable package var trimmingBlanks: Self {
    var rest = drop { $0.isBlank }
    while let last = rest.last, last.isBlank { rest = rest.dropLast() }
    return rest
  }
}

extension StringProtocol {
  /// The text without spaces and tabs at both ends.
  package var trimmingBlanks: String {
    String(decoding: Substring(self).utf8.trimmingBlanks, as: UTF8.self)
  }

  /// The text with only its ASCII letters in lower case.
  ///
  /// Other letters are kept, because the lower case of some of them is an ASCII letter.
  package var asciiLowercased: String { String(decoding: utf8.map(\.lowercased), as: UTF8.self) }
}

extension String {
  /// Whether more than 128 combining marks follow each other. Unicode's stream-safe format allows 30 (UAX #15 §13).
  ///
  /// Such a text must not be compared or hashed: the standard library sorts the marks in quadratic time.
  package var hasLongRunOfMarks: Bool {
    guard !utf8.allSatisfy({ $0 < 0x80 }) else { return false }
    var count = 0
    for scalar in unicodeScalars {
      count = scalar.decomposesIntoMarks ? count + 1 : 0
      if count > 128 { return true }
    }
    return false
  }
}

extension Unicode.Scalar {
  /// Whether the canonical decomposition consists of marks that are sorted.
  fileprivate var decomposesIntoMarks: Bool {
    switch value {
    // Three Tibetan vowel signs are not sorted themselves, but decompose into two marks that are.
    case 0x0F73, 0x0F75, 0x0F81: true
    default: properties.canonicalCombiningClass != .notReordered
    }
  }
}

extension Sequence<UInt8> {
  /// The bytes as hexadecimal digits, in lower case.
  package var hexadecimal: String {
    var digits: [UInt8] = []
    for byte in self {
      digits.append((byte >> 4).hexadecimalDigit.lowercased)
      digits.append((byte & 15).hexadecimalDigit.lowercased)
    }
    return String(decoding: digits, as: UTF8.self)
  }
}
