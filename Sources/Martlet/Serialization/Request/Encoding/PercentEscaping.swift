extension String {
  /// The text as a query may hold it, whether as a name or as a value.
  ///
  /// ASCII letters, digits and `-._~/?` stay as they are; every other byte of the UTF-8 form becomes
  /// `%` and two upper-case hexadecimal digits (REQ-Q1 to REQ-Q6). Text that is escaped already is
  /// escaped once more.
  public func percentEscapedForQuery() -> String {
    guard !utf8.allSatisfy({ $0.isBareInQuery }) else { return self }
    var bytes: [UInt8] = []
    bytes.appendEscaped(self, spaces: .percent)
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension [UInt8] {
  /// Appends `text` as a query may hold it.
  mutating func appendEscaped(_ text: String, spaces: ParameterEncoding.Spaces) {
    for byte in text.utf8 {
      if byte.isBareInQuery {
        append(byte)
      } else if byte == UInt8(ascii: " "), spaces == .plus {
        append(UInt8(ascii: "+"))
      } else {
        appendPercentEscape(of: byte)
      }
    }
  }

  /// Appends `%` and two upper-case hexadecimal digits (RFC 3986 §2.1).
  mutating func appendPercentEscape(of byte: UInt8) {
    append(UInt8(ascii: "%"))
    append((byte >> 4).upperCaseHexDigit)
    append((byte & 0xF).upperCaseHexDigit)
  }
}

extension UInt8 {
  /// Whether the character needs no escape. `/` and `?` may stand in a query (RFC 3986 §3.4).
  fileprivate var isBareInQuery: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"), UInt8(ascii: "?"):
      true
    default: false
    }
  }

  fileprivate var upperCaseHexDigit: UInt8 {
    self < 10 ? UInt8(ascii: "0") + self : UInt8(ascii: "A") + self - 10
  }
}
