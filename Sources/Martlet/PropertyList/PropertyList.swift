public import Foundation
import MartletEssentials

/// Any value of a property list.
///
///     let list = try PropertyList(parsing: data)
///     let name = list["users"][0]["name"]?.stringValue
public enum PropertyList: Hashable, Sendable {
  /// `true` or `false`
  case bool(Bool)
  /// A whole number.
  case integer(Int64)
  /// A whole number larger than `Int64.max`.
  case unsigned(UInt64)
  /// Any other number.
  case real(Double)
  /// Text.
  case string(String)
  /// A point in time.
  case date(Date)
  /// Bytes.
  case data(Data)
  /// Values in order.
  case array([PropertyList])
  /// Values with names.
  case dictionary([String: PropertyList])
}

extension PropertyList {
  /// The value under `key`, if this is a dictionary that has it. Setting a value makes this a dictionary; setting `nil`
  /// removes the entry.
  public subscript(key: String) -> PropertyList? {
    get { dictionaryValue?[key] }
    set {
      var dictionary = dictionaryValue ?? [:]
      self = .bool(false)  // releases the entries, so that they are changed in place
      dictionary[key] = newValue
      self = .dictionary(dictionary)
    }
  }

  /// The element at `index`, if this is an array that has it.
  public subscript(index: Int) -> PropertyList? {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
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
    case .real(let value): Int(exactly: value)
    default: nil
    }
  }

  /// The number, if this is one, rounded to a `Double`.
  public var doubleValue: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .unsigned(let value): Double(value)
    case .real(let value): value
    default: nil
    }
  }

  /// The text, if this is a string.
  public var stringValue: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The point in time, if this is one.
  public var dateValue: Date? {
    if case .date(let value) = self { value } else { nil }
  }

  /// The bytes, if this is data.
  public var dataValue: Data? {
    if case .data(let value) = self { value } else { nil }
  }

  /// The elements, if this is an array.
  public var arrayValue: [PropertyList]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The entries, if this is a dictionary.
  public var dictionaryValue: [String: PropertyList]? {
    if case .dictionary(let entries) = self { entries } else { nil }
  }
}

extension PropertyList? {
  /// The value under `key`; `nil` if this is `nil` or has no such value.
  public subscript(key: String) -> PropertyList? { flatMap { $0[key] } }
  /// The element at `index`; `nil` if this is `nil` or has no such element.
  public subscript(index: Int) -> PropertyList? { flatMap { $0[index] } }
}

extension PropertyList: Codable {
  /// Decodes any value that a property list can represent.
  ///
  /// - Throws: `DecodingError`, also for a value that is nested more than 64 levels deep in the body.
  public init(from decoder: any Decoder) throws {
    try decoder.checkDepth()
    let container = try decoder.singleValueContainer()
    if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(UInt64.self) {
      self = .unsigned(value)
    } else if let value = try? container.decode(Double.self) {
      self = .real(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode(Date.self) {
      self = .date(value)
    } else if let value = try? container.decode(Data.self) {
      self = .data(value)
    } else if var list = try? decoder.unkeyedContainer() {
      // Not decoded as `[PropertyList]`, because then the error of an element would be lost here.
      var elements: [PropertyList] = []
      while !list.isAtEnd { elements.append(try list.decode(PropertyList.self)) }
      self = .array(elements)
    } else {
      self = .dictionary(try container.decode([String: PropertyList].self))
    }
  }

  /// Encodes the value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .unsigned(let value): try container.encode(value)
    case .real(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .date(let value): try container.encode(value)
    case .data(let value): try container.encode(value)
    case .array(let elements): try container.encode(elements)
    case .dictionary(let entries): try container.encode(entries)
    }
  }
}

extension PropertyList: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
  /// A dictionary. If two entries have the same name, the later one is used.
  public init(dictionaryLiteral elements: (String, PropertyList)...) {
    self = .dictionary(Dictionary(elements) { $1 })
  }

  /// An array.
  public init(arrayLiteral elements: PropertyList...) {
    self = .array(elements)
  }
}

extension PropertyList: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral
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
    self = .real(value)
  }

  /// `true` or `false`
  public init(booleanLiteral value: Bool) {
    self = .bool(value)
  }
}
