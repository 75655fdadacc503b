import Foundation

extension JSON {
  /// The value of an untyped tree, such as `JSONSerialization` makes.
  ///
  /// - Throws: `MartletError` with code `.invalidJSONParameters` when something in it has no form in
  ///   JSON: a date, a set, a number that is not finite.
  public init(_ any: Any) throws(MartletError) {
    // What JSONSerialization makes is told by its type, because a cast that fails is slow.
    let type = type(of: any)
    if type == String.self, let text = any as? String {
      self = .string(text)
    } else if type == [String: Any].self, let entries = any as? [String: Any] {
      self = try .object(of: entries)
    } else if type == [Any].self, let elements = any as? [Any] {
      self = try .array(of: elements)
    } else {
      self = try .other(any)
    }
  }

  private static func other(_ any: Any) throws(MartletError) -> JSON {
    switch any {
    case let number as NSNumber: try JSON(number)
    case is NSNull: .null
    case let json as JSON: json
    case let text as String: .string(text)
    case let text as Substring: .string(String(text))
    case let entries as [String: Any]: try .object(of: entries)
    case let elements as [Any]: try .array(of: elements)
    default: throw .invalidJSONParameters
    }
  }

  private static func object(of entries: [String: Any]) throws(MartletError) -> JSON {
    var object: [String: JSON] = [:]
    object.reserveCapacity(entries.count)
    for (key, value) in entries { object[key] = try JSON(value) }
    return .object(object)
  }

  private static func array(of elements: [Any]) throws(MartletError) -> JSON {
    .array(try elements.map { element throws(MartletError) in try JSON(element) })
  }

  private init(_ number: NSNumber) throws(MartletError) {
    switch number.content {
    case .bool(let value): self = .bool(value)
    case .signed(let value): self = .integer(value)
    case .unsigned(let value): self = .unsigned(value)
    case .floating(let value):
      guard value.isFinite else { throw .invalidJSONParameters }
      self = .double(value)
    }
  }

  /// The same value as Foundation's collections, with `NSNull` for `null`.
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
