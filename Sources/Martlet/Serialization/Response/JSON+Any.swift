import Foundation

extension JSON {
  /// The value of an untyped tree, such as `JSONSerialization` makes.
  ///
  /// - Throws: `MartletError` with code `.invalidJSONParameters` when something in it has no form in
  ///   JSON: a date, a set, a number that is not finite.
  public init(_ any: Any) throws(MartletError) {
    switch any {
    case let json as JSON: self = json
    case let number as NSNumber: self = try JSON(number)
    case let text as any StringProtocol: self = .string(String(text))
    case is NSNull: self = .null
    case let entries as [String: Any]:
      var object: [String: JSON] = [:]
      for (key, value) in entries { object[key] = try JSON(value) }
      self = .object(object)
    case let elements as [Any]:
      self = .array(try elements.map { element throws(MartletError) in try JSON(element) })
    default: throw .invalidJSONParameters
    }
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
