import Foundation
public import MartletEssentials

extension JSON {
  /// The value of an untyped tree, such as `JSONSerialization` returns.
  ///
  /// The tree may contain text, numbers, booleans, `NSNull`, optionals without a value, `JSON`, and arrays and
  /// dictionaries of these.
  ///
  /// - Throws: `MartletError` with code `.invalidJSONParameters` when it contains a value that JSON cannot represent,
  ///   such as a date, a set, or a number that is not finite.
  public init(_ any: Any) throws(MartletError) {
    switch UntypedValue(any) {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .integer(value)
    case .unsigned(let value): self = .unsigned(value)
    case .double(let value) where value.isFinite: self = .double(value)
    case .string(let text): self = .string(text)
    case .dictionary(let entries): self = try .object(of: entries)
    case .array(let elements):
      self = .array(try elements.map { element throws(MartletError) in try JSON(element) })
    case .other(let json as JSON): self = json
    case .double, .set, .other: throw .invalidJSONParameters
    }
  }

  private static func object(of entries: [String: Any]) throws(MartletError) -> JSON {
    var object: [String: JSON] = [:]
    object.reserveCapacity(entries.count)
    for (key, value) in entries { object[key] = try JSON(value) }
    return .object(object)
  }

  /// The same value as an untyped tree, such as `JSONSerialization` writes, with `NSNull` for `null`.
  public var any: Any {
    switch self {
    case .null: NSNull()
    case .bool(let value): value
    case .integer(let value): value
    case .unsigned(let value): value
    case .double(let value): value
    case .string(let value): value
    case .array(let elements): elements.map(\.any)
    case .object(let entries): entries.mapValues(\.any)
    }
  }
}
