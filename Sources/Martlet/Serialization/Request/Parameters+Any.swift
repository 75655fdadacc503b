import Foundation

extension Parameters {
  /// Parameters from a dictionary of untyped values, as code that comes from Objective-C has them.
  ///
  /// Taken are text, numbers, booleans, `NSNull`, absent optionals, `Parameters`, and arrays, sets and
  /// dictionaries of these.
  ///
  /// - Throws: `MartletError` with code `.invalidParameters` for anything else. Dates and data are
  ///   refused because they have no one form on the wire (REQ-Q15).
  public init(_ dictionary: [String: Any]) throws(MartletError) {
    self = try .make(dictionary, at: "")
  }

  private static func make(_ value: Any, at path: String) throws(MartletError) -> Parameters {
    if let leaf = leaf(value) { return leaf }
    switch value {
    case let dictionary as [String: Any]: return try .dictionary(entries(dictionary, at: path))
    case let array as [Any]: return try .array(elements(array, at: path))
    case let set as Set<AnyHashable>:
      return try .set(elements(set.map(\.base), at: path))
    case let optional as any Wrapping:
      guard let wrapped = optional.wrapped else { return .null }
      return try make(wrapped, at: path)
    default: throw .unsupportedParameter(value, at: path)
    }
  }

  private static func entries(_ dictionary: [String: Any], at path: String) throws(MartletError)
    -> [String: Parameters]
  {
    var entries: [String: Parameters] = [:]
    for (key, value) in dictionary {
      entries[key] = try make(value, at: path.isEmpty ? key : "\(path)[\(key)]")
    }
    return entries
  }

  private static func elements(_ values: [Any], at path: String) throws(MartletError)
    -> [Parameters]
  {
    var elements: [Parameters] = []
    for value in values { elements.append(try make(value, at: "\(path)[]")) }
    return elements
  }

  /// The value, if it is no container.
  private static func leaf(_ value: Any) -> Parameters? {
    // By type and not by cast, because on Apple systems every `NSNumber` can be cast to `Bool`.
    if type(of: value) == Bool.self { return (value as? Bool).map(Parameters.bool) }
    return switch value {
    case let value as Parameters: value
    case let text as any StringProtocol: .string(String(text))
    case let number as any BinaryInteger: wholeNumber(number)
    case let number as any BinaryFloatingPoint: .double(Double(number))
    case is NSNull: .null
    case let number as NSNumber: boxedNumber(number)
    case let text as NSString: .string(String(describing: text))
    default: nil
    }
  }

  private static func wholeNumber(_ number: some BinaryInteger) -> Parameters? {
    if let signed = Int64(exactly: number) { return .integer(signed) }
    return UInt64(exactly: number).map(Parameters.unsigned)
  }

  private static func boxedNumber(_ number: NSNumber) -> Parameters {
    switch number.content {
    case .bool(let value): .bool(value)
    case .signed(let value): .integer(value)
    case .unsigned(let value): .unsigned(value)
    case .floating(let value): .double(value)
    }
  }
}
