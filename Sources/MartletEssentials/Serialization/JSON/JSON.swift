/// Any JSON value.
///
///     let page = try JSON(parsing: data)
///     let name = page["users"][0]["name"]?.stringValue
///
/// Whole numbers of 64 bits are kept exactly.
public enum JSON: Hashable, Sendable {
  /// `null`
  case null
  /// `true` or `false`
  case bool(Bool)
  /// A whole number.
  case integer(Int64)
  /// A whole number larger than `Int64.max`.
  case unsigned(UInt64)
  /// Any other number.
  case double(Double)
  /// Text.
  case string(String)
  /// Values in order.
  case array([JSON])
  /// Values with names.
  case object([String: JSON])
}

extension JSON {
  /// The value under `key`, if this is an object that has it. Setting a value makes this an object; setting `nil`
  /// removes the entry.
  public subscript(key: String) -> JSON? {
    get { objectValue?[key] }
    set {
      var object = objectValue ?? [:]
      self = .null  // releases the entries, so that they are changed in place
      object[key] = newValue
      self = .object(object)
    }
  }

  /// The element at `index`, if this is an array that has it.
  public subscript(index: Int) -> JSON? {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }

  /// The text, if this is a string.
  public var stringValue: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The boolean, if this is one.
  public var boolValue: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The number, if this is a whole number that fits into an `Int`.
  public var intValue: Int? {
    switch self {
    case .integer(let value): Int(exactly: value)
    case .unsigned(let value): Int(exactly: value)
    case .double(let value): Int(exactly: value)
    default: nil
    }
  }

  /// The number, if this is one, rounded to a `Double`.
  public var doubleValue: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .unsigned(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }

  /// The elements, if this is an array.
  public var arrayValue: [JSON]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The entries, if this is an object.
  public var objectValue: [String: JSON]? {
    if case .object(let entries) = self { entries } else { nil }
  }

  /// Whether this is `null`.
  public var isNull: Bool { self == .null }

  /// Whether this is an array or an object.
  var isContainer: Bool {
    switch self {
    case .array, .object: true
    default: false
    }
  }
}

extension JSON? {
  /// The value under `key`; `nil` if this is `nil` or has no such value.
  public subscript(key: String) -> JSON? { flatMap { $0[key] } }
  /// The element at `index`; `nil` if this is `nil` or has no such element.
  public subscript(index: Int) -> JSON? { flatMap { $0[index] } }
}

extension JSON {
  /// Returns the value without `null`s (RES-J6 to RES-J9).
  ///
  /// Entries and elements that are `null` are removed at every depth. Containers that become empty are kept. If the
  /// whole value is `null`, it is returned unchanged.
  public func removingNulls() -> JSON {
    switch self {
    case .array(let elements): .array(elements.filter { !$0.isNull }.map { $0.removingNulls() })
    case .object(let entries):
      .object(entries.filter { !$0.value.isNull }.mapValues { $0.removingNulls() })
    default: self
    }
  }
}

/// Returns the value without `null`s; see `JSON.removingNulls()`.
public func removingNulls(from json: JSON) -> JSON {
  json.removingNulls()
}

extension JSON: Codable {
  /// Decodes any value that JSON can represent.
  ///
  /// - Throws: `DecodingError`, also for a value that is nested more than 64 levels deep in the body.
  public init(from decoder: any Decoder) throws {
    try decoder.checkDepth()
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(UInt64.self) {
      self = .unsigned(value)
    } else if let value = try? container.decode(Double.self) {
      self = .double(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if var list = try? decoder.unkeyedContainer() {
      // Not decoded as `[JSON]`, because then the error of an element would be lost here.
      var elements: [JSON] = []
      while !list.isAtEnd { elements.append(try list.decode(JSON.self)) }
      self = .array(elements)
    } else {
      self = .object(try container.decode([String: JSON].self))
    }
  }

  /// Encodes the value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .unsigned(let value): try container.encode(value)
    case .double(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let elements): try container.encode(elements)
    case .object(let entries): try container.encode(entries)
    }
  }
}

extension JSON: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
  /// An object. If two entries have the same name, the later one is used.
  public init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(Dictionary(elements) { $1 })
  }

  /// An array.
  public init(arrayLiteral elements: JSON...) {
    self = .array(elements)
  }
}

extension JSON: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
  /// Text.
  public init(stringLiteral value: String) {
    self = .string(value)
  }

  /// A whole number.
  public init(integerLiteral value: Int64) {
    self = .integer(value)
  }

  /// A number.
  public init(floatLiteral value: Double) {
    self = .double(value)
  }

  /// `true` or `false`
  public init(booleanLiteral value: Bool) {
    self = .bool(value)
  }

  /// `null`
  public init(nilLiteral: ()) {
    self = .null
  }
}
