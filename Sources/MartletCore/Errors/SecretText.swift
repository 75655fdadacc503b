/// A body as text, with the values of the fields that are credentials masked.
///
/// It knows forms, whose fields are `name=value`, and JSON, whose members are `"name": value`. The names are those of secret
/// parameters of URLs. A text that is neither stays as it is.
struct SecretText {
  private let bytes: [UInt8]
  private let text: String

  init(_ text: String) {
    self.text = text
    bytes = Array(text.utf8)
  }

  /// The text with `***` in place of the values.
  var masked: String {
    guard bytes.contains(UInt8(ascii: "{")) else {
      return String("?\(text)".maskingSecretParameters().dropFirst())
    }
    return maskedJSON
  }

  /// Copies the text, except for the values that follow secret names.
  private var maskedJSON: String {
    var masked: [UInt8] = []
    var (copied, position) = (0, 0)
    while let name = string(from: position) {
      position = name.upperBound
      let content = String(decoding: bytes[name].dropFirst().dropLast(), as: UTF8.self)
      guard content.isSecretParameter, let value = value(after: name.upperBound) else { continue }
      masked += bytes[copied..<value.lowerBound] + Array("\"***\"".utf8)
      (copied, position) = (value.upperBound, value.upperBound)
    }
    return String(decoding: masked + bytes[copied...], as: UTF8.self)
  }

  /// The next string with its quotes; to the end of the text if its end is missing.
  private func string(from start: Int) -> Range<Int>? {
    guard let open = bytes[start...].firstIndex(of: UInt8(ascii: "\"")) else { return nil }
    var index = open + 1
    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return open..<min(index + 1, bytes.count)
  }

  /// The value behind a colon: a string, or all up to the next comma, bracket or brace.
  private func value(after name: Int) -> Range<Int>? {
    let blanks = Set(" \t\r\n".utf8)
    guard let colon = bytes[name...].firstIndex(where: { !blanks.contains($0) }),
      bytes[colon] == UInt8(ascii: ":"),
      let start = bytes[(colon + 1)...].firstIndex(where: { !blanks.contains($0) })
    else { return nil }
    if bytes[start] == UInt8(ascii: "\"") { return string(from: start) }
    let end = bytes[start...].firstIndex { ",]}".utf8.contains($0) } ?? bytes.count
    return start..<end
  }
}
