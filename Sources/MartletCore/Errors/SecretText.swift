package import NIOCore

/// A body as text, with the values of the fields that are credentials masked.
///
/// It knows forms and JSON, by their content type. The names are those of secret parameters of URLs.
package struct SecretText {
  /// What a body may have.
  private enum Form {
    case json
    case pairs
    /// Secrets that cannot be found.
    case unknown
    /// No names.
    case plain

    init(type: String) {
      let type = type.lowercased()
      if type.contains("json") {
        self = .json
      } else if type.hasPrefix("application/x-www-form-urlencoded") {
        self = .pairs
      } else if type.hasPrefix("multipart/") || type.contains("xml") && !type.contains("html") {
        self = .unknown
      } else {
        self = .plain
      }
    }

    /// The form of a text without a content type.
    init(guessedFrom text: String) {
      let first = text.utf8.first { !" \t\r\n".utf8.contains($0) }
      self = first.map("[{".utf8.contains) == true ? .json : .pairs
    }
  }

  private let bytes: [UInt8]
  private let text: String
  private let form: Form

  /// - Parameters:
  ///   - text: The body.
  ///   - type: Its content type; `nil` or empty if there is none.
  package init(_ text: String, type: String?) {
    self.text = text
    form = Self.known(type) ?? Form(guessedFrom: text)
    bytes = Array(text.utf8)
  }

  /// The text with `***` in place of the values; `nil` for a type whose credentials cannot be found, such as a multipart form.
  package var masked: String? {
    switch form {
    case .json: maskedJSON
    case .pairs: text.maskingSecretPairs(with: "***", valuesEndAt: String.endsFormValue)
    case .unknown: nil
    case .plain: text
    }
  }

  /// Returns the bytes of a body with the values masked; `nil` if they cannot be found, because of the type, or because a form,
  /// JSON or XML is not UTF-8. Without a type, bytes that are not UTF-8 are hidden if they have a secret name and its value.
  package static func masked(_ bytes: ByteBuffer, type: String?) -> ByteBuffer? {
    let isText = !bytes.readableBytesView.contains(0)
    guard isText, let text = String(validating: bytes.readableBytesView, as: UTF8.self) else {
      if let form = known(type) { return form == .plain ? bytes : nil }
      let text = String(decoding: bytes.readableBytesView.lazy.filter { $0 != 0 }, as: UTF8.self)
      return SecretText(text, type: nil).masked == text ? bytes : nil
    }
    return SecretText(text, type: type).masked.map(ByteBuffer.init(string:))
  }

  private static func known(_ type: String?) -> Form? {
    type.flatMap { $0.isEmpty ? nil : Form(type: $0) }
  }

  /// Copies the text, except for the values that follow secret names.
  private var maskedJSON: String {
    var masked: [UInt8] = []
    var (copied, position) = (0, 0)
    while let name = string(from: position) {
      position = name.upperBound
      let content = String(decoding: bytes[name].dropFirst().dropLast(), as: UTF8.self)
      guard content.isSecretName, let value = value(after: name.upperBound) else { continue }
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

  /// The value behind a colon: a string, an array or object with all that it has, or the rest up to the next comma or bracket.
  private func value(after name: Int) -> Range<Int>? {
    guard let colon = next(from: name), bytes[colon] == UInt8(ascii: ":"),
      let start = next(from: colon + 1)
    else { return nil }
    if bytes[start] == UInt8(ascii: "\"") { return string(from: start) }
    var (depth, index) = (0, start)
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth -= 1
        if depth <= 0 { return start..<(depth == 0 ? index + 1 : index) }
      case UInt8(ascii: ",") where depth == 0: return start..<index
      case UInt8(ascii: "\""): index = (string(from: index)?.upperBound ?? bytes.count) - 1
      default: break
      }
      index += 1
    }
    return start..<bytes.count
  }

  /// The next byte that is not blank.
  private func next(from index: Int) -> Int? {
    bytes[index...].firstIndex { !" \t\r\n".utf8.contains($0) }
  }
}
