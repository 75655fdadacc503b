/// The coding of queries and of forms: `name=value&name=value`.
enum FormCoding {
  /// The names and values of an encoded text, in order. A `%` without two hexadecimal digits is left unchanged, and
  /// bytes that are not UTF-8 become U+FFFD.
  static func pairs(_ text: some StringProtocol) -> [(name: String, value: String)] {
    text.split(separator: "&").map { item in
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let value = parts.count > 1 ? parts[1] : ""
      return (decoded(parts[0], plusIsBlank: true), decoded(value, plusIsBlank: true))
    }
  }

  /// The text with its percent-encoded bytes, such as `%41`, decoded.
  static func decoded(_ text: some StringProtocol, plusIsBlank: Bool = false) -> String {
    let coded = Array(text.utf8)
    var bytes: [UInt8] = []
    var index = 0
    while index < coded.count {
      if coded[index] == UInt8(ascii: "%"), let byte = byte(coded, at: index + 1) {
        bytes.append(byte)
        index += 3
      } else {
        let isBlank = plusIsBlank && coded[index] == UInt8(ascii: "+")
        bytes.append(isBlank ? UInt8(ascii: " ") : coded[index])
        index += 1
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func byte(_ coded: [UInt8], at index: Int) -> UInt8? {
    guard index + 1 < coded.count, let high = digit(coded[index]), let low = digit(coded[index + 1])
    else { return nil }
    return high << 4 | low
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    Character(UnicodeScalar(byte)).hexDigitValue.flatMap { UInt8(exactly: $0) }
  }
}

extension StringProtocol {
  /// The text without spaces and tabs at its ends.
  var withoutOuterSpace: String {
    var rest = Substring(self)
    while let first = rest.first, " \t".contains(first) { rest.removeFirst() }
    while let last = rest.last, " \t".contains(last) { rest.removeLast() }
    return String(rest)
  }
}
