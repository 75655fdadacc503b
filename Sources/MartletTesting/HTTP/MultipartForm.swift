import EssentialFoundation
import NIOCore

/// Parses `multipart/form-data` (RFC 7578), independently of the library's own writer.
enum MultipartForm {
  struct Part {
    var name: String
    var filename: String?
    var type: String
    var content: ByteBuffer

    var isFile: Bool { filename != nil }
    var text: String { textOrDataURL(content, type: type) }
  }

  /// The well-formed parts of a body, in order. Malformed parts are skipped.
  static func parts(of body: ByteBuffer, boundary: String) -> [Part] {
    guard !boundary.isEmpty else { return [] }
    let data = Data(body.readableBytesView)
    let delimiter = Data("--\(boundary)".utf8)
    var parts: [Part] = []
    var delimiters = LineStarts(of: delimiter, in: data)
    guard var start = delimiters.next()?.upperBound else { return [] }
    while let end = delimiters.next() {
      if let part = part(data[start..<end.lowerBound]) { parts.append(part) }
      start = end.upperBound
    }
    return parts
  }

  /// Parses a part, from the line break after its delimiter to the line break before the next delimiter.
  private static func part(_ bytes: Data) -> Part? {
    let lineBreak = Data("\r\n".utf8)
    guard let start = bytes.firstRange(of: lineBreak)?.upperBound,
      let gap = bytes.firstRange(of: Data("\r\n\r\n".utf8), in: start - 2..<bytes.endIndex),
      bytes.suffix(2) == lineBreak
    else { return nil }
    let content =
      gap.upperBound <= bytes.endIndex - 2 ? bytes[gap.upperBound..<bytes.endIndex - 2] : Data()
    let fields = fields(String(decoding: bytes[start..<max(start, gap.lowerBound)], as: UTF8.self))
    let disposition = MediaType(fields["content-disposition"] ?? "")
    guard disposition.name == "form-data", let name = disposition.parameters["name"] else {
      return nil
    }
    return Part(
      name: name, filename: disposition.parameters["filename"],
      type: MediaType(fields["content-type"] ?? "").name, content: ByteBuffer(bytes: content))
  }

  private static func fields(_ text: String) -> [String: String] {
    var fields: [String: String] = [:]
    for line in text.split(separator: "\r\n") {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let value = line[line.index(after: colon)...].withoutOuterSpace
      fields[line[..<colon].lowercased()] = value
    }
    return fields
  }
}

/// The ranges in which a delimiter begins a line.
private struct LineStarts: IteratorProtocol {
  private let delimiter: Data
  private let data: Data
  private var position: Int

  init(of delimiter: Data, in data: Data) {
    (self.delimiter, self.data, position) = (delimiter, data, data.startIndex)
  }

  mutating func next() -> Range<Int>? {
    while let range = data.firstRange(of: delimiter, in: position..<data.endIndex) {
      position = range.upperBound
      let isLineStart =
        range.lowerBound == data.startIndex || data[range.lowerBound - 1] == UInt8(ascii: "\n")
      if isLineStart { return range }
    }
    return nil
  }
}

/// A media type, or any other field value with parameters: `text/plain; charset=utf-8`.
struct MediaType {
  /// The part before the first semicolon, in lower case.
  let name: String
  /// The parameters, their names in lower case and their values without quotes.
  let parameters: [String: String]

  init(_ field: String) {
    let parts = Self.split(field)
    name = parts.first?.lowercased() ?? ""
    var parameters: [String: String] = [:]
    for part in parts.dropFirst() {
      guard let sign = part.firstIndex(of: "=") else { continue }
      let key = part[..<sign].withoutOuterSpace.lowercased()
      parameters[key] = Self.unquoted(part[part.index(after: sign)...])
    }
    self.parameters = parameters
  }

  /// Splits at semicolons outside of quotes.
  private static func split(_ field: String) -> [String] {
    var parts = [""]
    var isQuoted = false
    var isEscaped = false
    for character in field {
      if character == ";" && !isQuoted {
        parts.append("")
        continue
      }
      if character == "\"" && !isEscaped { isQuoted.toggle() }
      isEscaped = character == "\\" && !isEscaped
      parts[parts.count - 1].append(character)
    }
    return parts.map { $0.withoutOuterSpace }
  }

  /// The text without the quotation marks around it. In a quoted text, the escapes `\"` and `\\` are decoded. `%22`,
  /// with which browsers escape a quotation mark, is not decoded.
  private static func unquoted(_ text: Substring) -> String {
    let text = text.withoutOuterSpace
    guard text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
    return String(text.dropFirst().dropLast())
      .replacing("\\\"", with: "\"").replacing("\\\\", with: "\\")
  }
}
