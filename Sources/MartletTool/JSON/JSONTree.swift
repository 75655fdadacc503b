import EssentialFoundation

/// A JSON value that is built from fields.
///
/// A value given as JSON text keeps that text until a field is added to it, so that no number loses a digit.
enum JSONTree: Equatable, Sendable {
  /// The kinds of values. The raw values are their names in error sentences.
  enum Kind: String {
    case object = "an object"
    case array = "an array"
    case string = "a string"
    case number = "a number"
    case boolean = "a boolean"
    case null
  }

  /// A value as JSON text.
  case written(String)
  case object(Members)
  case array([JSONTree])

  /// The members of an object, in order.
  struct Members: Equatable, Sendable {
    /// The names as JSON strings, with their quotation marks.
    private(set) var names: [String] = []
    private var values: [String: JSONTree] = [:]

    /// The value of a member. Changing a new member adds it at the end; until then its value is null.
    subscript(name: String) -> JSONTree {
      get { values[name] ?? .null }
      _modify {
        if values[name] == nil { names.append(name) }
        yield &values[name, default: .null]
      }
    }
  }

  static let null = JSONTree.written("null")

  var kind: Kind {
    switch self {
    case .object: .object
    case .array: .array
    case .written(let text):
      switch text.utf8.first(where: { $0 > 0x20 }) {
      case UInt8(ascii: "{"): .object
      case UInt8(ascii: "["): .array
      case UInt8(ascii: "\""): .string
      case UInt8(ascii: "t"), UInt8(ascii: "f"): .boolean
      case UInt8(ascii: "n"): .null
      default: .number
      }
    }
  }

  /// The value as JSON.
  var text: String {
    switch self {
    case .written(let text): text
    case .array(let elements): "[" + elements.map(\.text).joined(separator: ", ") + "]"
    case .object(let members):
      "{" + members.names.map { "\($0): \(members[$0].text)" }.joined(separator: ", ") + "}"
    }
  }
}

extension String {
  /// The text as a JSON string, with its quotation marks (RFC 8259 §7).
  var quotedAsJSON: String {
    var quoted = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      case "\0"..<" ":
        quoted += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}

/// The members of a JSON object, or the elements of an array, each as it was written.
struct JSONParts {
  struct Part: Equatable {
    /// The name of a member, in quotation marks; `nil` for an element.
    var name: String?
    var value: String
  }

  private(set) var parts: [Part] = []

  /// - Parameter text: A valid JSON object or array.
  init(_ text: String) {
    var lexer = JSONLexer(Array(text.utf8))
    var depth = 0
    var name: Range<Int>?
    var value: Range<Int>?
    while let token = try? lexer.next() {
      if token.kind == .closeObject || token.kind == .closeArray { depth -= 1 }
      switch (token.kind, depth) {
      case (.openObject, 0), (.openArray, 0): break
      case (.comma, 1), (.closeObject, 0), (.closeArray, 0):
        if let value {
          let written = { String(decoding: lexer.bytes[$0], as: UTF8.self) }
          parts.append(Part(name: name.map(written), value: written(value)))
        }
        (name, value) = (nil, nil)
      case (.colon, 1): (name, value) = (value, nil)
      default: value = (value?.lowerBound ?? token.range.lowerBound)..<token.range.upperBound
      }
      if token.kind == .openObject || token.kind == .openArray { depth += 1 }
    }
  }
}

extension JSONTree.Members {
  /// The members of an object given as JSON text. Of several members with the same name, the last one counts.
  init(written text: String) {
    self.init()
    for part in JSONParts(text).parts {
      self[Self.name(part.name ?? "\"\"")] = .written(part.value)
    }
  }

  /// The name in uniform spelling. A name that cannot be decoded, such as half a surrogate pair, is not changed.
  private static func name(_ written: String) -> String {
    (try? JSONDecoder().decode(String.self, from: Data(written.utf8)))?.quotedAsJSON ?? written
  }
}
