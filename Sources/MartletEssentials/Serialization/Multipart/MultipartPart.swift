import MartletCore

/// One part of a form.
struct MultipartPart: Sendable {
  /// The kind of a part, which determines the header lines before its content.
  enum Heading: Sendable {
    case field(name: String)
    case file(name: String, fileName: String, type: String)
    case raw(HTTPFields)
  }

  let heading: Heading
  let body: RequestBody

  /// Returns the header lines and the empty line after them (REQ-M8, REQ-M9). They are always sent in UTF-8 (REQ-M7).
  func head(_ encoding: MultipartFormData.NameEncoding) -> String {
    switch heading {
    case .field(let name):
      return "Content-Disposition: form-data; name=\"\(name.escaped(encoding))\"\r\n\r\n"
    case .file(let name, let fileName, let type):
      return """
        Content-Disposition: form-data; name="\(name.escaped(encoding))"; \
        filename="\(fileName.escaped(encoding))"\r
        Content-Type: \(type)\r
        \r

        """
    case .raw(let fields):
      let ordered =
        fields[fields: .contentDisposition] + fields[fields: .contentType]
        + fields.filter { $0.name != .contentDisposition && $0.name != .contentType }
      return ordered.map { "\($0.name.rawName): \($0.value)\r\n" }.joined() + "\r\n"
    }
  }

  /// The name of the part in messages.
  var label: String {
    switch heading {
    case .field(let name), .file(let name, _, _): name
    case .raw(let fields): fields[.contentDisposition] ?? ""
    }
  }
}

extension String {
  /// Returns the text as the name of a part or of its file.
  ///
  /// The escapes are those of browsers (WHATWG HTML, “multipart/form-data encoding algorithm”). NUL is escaped, too.
  fileprivate func escaped(_ encoding: MultipartFormData.NameEncoding) -> String {
    guard !utf8.allSatisfy({ $0.isUnescapedInName(encoding) }) else { return self }
    var bytes: [UInt8] = []
    for byte in utf8 {
      guard !byte.isUnescapedInName(encoding) else {
        bytes.append(byte)
        continue
      }
      bytes.append(escapeOf: byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension UInt8 {
  fileprivate func isUnescapedInName(_ encoding: MultipartFormData.NameEncoding) -> Bool {
    switch self {
    case UInt8(ascii: "\""), UInt8(ascii: "\r"), UInt8(ascii: "\n"), 0: false
    case UInt8(ascii: " ")..<0x7F where self != UInt8(ascii: "%"): true
    default: encoding == .utf8
    }
  }
}
