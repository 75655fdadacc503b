import Foundation
import MartletCore

/// The field that says what a body is to be called (RFC 6266 §4).
struct ContentDisposition {
  /// The name as the server wrote it; `filename*` wins over `filename` (§4.3).
  let fileName: String?

  init(_ field: String) {
    let parameters = FieldParameters(field)
    fileName = parameters["filename*"].flatMap(Self.extended) ?? parameters["filename"]
  }

  /// `UTF-8''na%C3%AFve.txt` (RFC 8187 §3.2), or the same in ISO-8859-1, which RFC 5987 §3.2 had as well.
  private static func extended(_ value: String) -> String? {
    let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    switch parts[0].lowercased() {
    case "utf-8": return String(parts[2]).removingPercentEncoding
    case "iso-8859-1": return latin1(parts[2])
    default: return nil
    }
  }

  /// Every byte is a character of its own.
  private static func latin1(_ text: Substring) -> String? {
    var characters = String.UnicodeScalarView()
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        characters.append(Unicode.Scalar(byte))
        continue
      }
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      guard digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit),
        let escaped = UInt8(digits, radix: 16)
      else { return nil }
      characters.append(Unicode.Scalar(escaped))
      rest = rest.dropFirst(2)
    }
    return String(characters)
  }
}
