import EssentialFoundation
import MartletEssentials

/// One item of the command line: a header, a parameter of the query, or a field of the body.
///
/// | item | meaning |
/// |---|---|
/// | `name:value` | a header |
/// | `name:` | no such header, even if it is a default |
/// | `name;` | a header with an empty value |
/// | `name==value` | a parameter of the query |
/// | `name=value` | a field with a text value |
/// | `name:=json` | a field with any JSON value |
/// | `name@file` | a file, sent as a part of a form; `name@file;type=image/png` sets its media type |
/// | `@file` | a file that is the whole body; `@file;type=image/png` sets its media type |
///
/// An `@` after the separator takes the value from a file: `name=@file`. The first separator in the item counts;
/// of several that begin at the same character, the longest. A backslash before `:`, `;`, `=` or `@` makes it an
/// ordinary character.
enum RequestItem: Equatable, Sendable {
  case header(String, Content)
  case removedHeader(String)
  case emptyHeader(String)
  case query(String, Content)
  case field(String, Content)
  case json(String, Content)
  case file(String, path: String, type: String?)
  case body(path: String, type: String?)

  /// A value as given on the command line.
  enum Content: Equatable, Sendable {
    case text(String)
    /// The path of a file that holds the value.
    case file(String)
  }

  /// Reads an item.
  ///
  /// - Throws: `ToolFailure` when the text is not a valid item.
  init(_ text: String) throws(ToolFailure) {
    let symbols = Symbol.all(of: text)
    guard let (index, separator) = Separator.first(in: symbols) else { throw .notAnItem(text) }
    let name = Symbol.text(of: symbols[..<index])
    let value = Symbol.text(of: symbols[(index + separator.rawValue.count)...])
    guard !name.isEmpty || separator.isOfBody else { throw .namelessItem(text, separator) }
    switch separator {
    case .header: self = Self.header(name, value)
    case .emptyHeader:
      guard value.isEmpty else { throw .filledEmptyHeader(text) }
      self = .emptyHeader(name)
    case .query: self = .query(name, .text(value))
    case .field: self = .field(name, .text(value))
    case .json: self = .json(name, .text(value))
    case .headerFile: self = .header(name, .file(value))
    case .queryFile: self = .query(name, .file(value))
    case .fieldFile: self = .field(name, .file(value))
    case .jsonFile: self = .json(name, .file(value))
    case .part: self = Self.file(name, value)
    }
  }

  /// A header item. Blanks around the value are not part of it (RFC 9110 §5.5): `Name: value` is `Name:value`.
  private static func header(_ name: String, _ value: String) -> RequestItem {
    let value = value.trimmingBlanks
    return value.isEmpty ? .removedHeader(name) : .header(name, .text(value))
  }

  private static func file(_ name: String, _ value: String) -> RequestItem {
    let mark = value.ranges(of: ";type=").last
    let path = String(value[..<(mark?.lowerBound ?? value.endIndex)])
    let type = mark.map { String(value[$0.upperBound...]) }
    return name.isEmpty
      ? .body(path: path, type: type) : .file(name, path: path, type: type)
  }

  /// The name of the header field that the item sets or removes.
  var headerName: String? {
    switch self {
    case .header(let name, _), .removedHeader(let name), .emptyHeader(let name): name
    default: nil
    }
  }

  /// Whether the item is a field of the body.
  var isField: Bool {
    switch self {
    case .field, .json, .file: true
    default: false
    }
  }

  /// Whether the item makes the body a multipart form.
  var isFile: Bool {
    if case .file = self { true } else { false }
  }

  /// Whether the item is the whole body.
  var isBody: Bool {
    if case .body = self { true } else { false }
  }
}

extension String {
  /// The text without the spaces and tabs at both ends. Line breaks stay, and are rejected later.
  fileprivate var trimmingBlanks: String {
    let isBlank = { (scalar: Unicode.Scalar) in scalar == " " || scalar == "\t" }
    let front = unicodeScalars.drop(while: isBlank)
    let count = front.reversed().prefix(while: isBlank).count
    return String(front.dropLast(count))
  }
}

extension ToolFailure {
  fileprivate static func notAnItem(_ text: String) -> ToolFailure {
    .usage(
      "“\(text.masked)” is not an item: write Header:value, name==value, field=value, field:=json or field@file."
    )
  }

  fileprivate static func namelessItem(_ text: String, _ separator: Separator) -> ToolFailure {
    .usage(
      "The item “\(text.masked)” has no name before “\(separator.rawValue)”: write one, or escape the separator with a backslash."
    )
  }

  fileprivate static func filledEmptyHeader(_ text: String) -> ToolFailure {
    .usage(
      "The item “\(text.masked)” has a value after “;”: write Header; for an empty header, or Header:value to send a value."
    )
  }
}

extension RequestItem {
  /// The item, with its value read from a file if the item takes its value from a file.
  ///
  /// - Throws: `ToolFailure` when a file that it names cannot be read, a file to send is not a regular file, or a value
  ///   in a file is not UTF-8.
  func readingFile() throws(ToolFailure) -> RequestItem {
    switch self {
    case .header(let name, let content): .header(name, try content.read(trimming: true))
    case .query(let name, let content): .query(name, try content.read())
    case .field(let name, let content): .field(name, try content.read())
    case .json(let name, let content): .json(name, try content.read())
    case .file(_, let path, _), .body(let path, _): try checking(path)
    case .removedHeader, .emptyHeader: self
    }
  }

  private func checking(_ path: String) throws(ToolFailure) -> RequestItem {
    try InputFile(path).checkRegular()
    return self
  }
}

extension RequestItem.Content {
  /// The value as text; empty while it has not been read from its file.
  var text: String {
    if case .text(let text) = self { text } else { "" }
  }

  /// Reads the value from its file. With `trimming`, white space at both ends is removed, such as a final line break.
  fileprivate func read(trimming: Bool = false) throws(ToolFailure) -> Self {
    guard case .file(let path) = self else { return self }
    let data = try InputFile(path).contents()
    guard let text = String(validating: data, as: UTF8.self) else {
      throw .usage("The file “\(path.masked)” is not text in UTF-8: convert it to UTF-8.")
    }
    return .text(trimming ? text.trimmed : text)
  }
}

extension String {
  /// The text without white space, such as blanks and line breaks, at its ends.
  fileprivate var trimmed: String {
    var rest = self[...].drop(while: \.isWhitespace)
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}
