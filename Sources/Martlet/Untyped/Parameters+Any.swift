import Foundation
public import MartletEssentials

extension Parameters {
  /// Parameters from a dictionary of untyped values, as used by code that comes from Objective-C.
  ///
  /// The dictionary may contain text, numbers, booleans, dates, data, `NSNull`, optionals without a value,
  /// `Parameters`, and arrays, sets and dictionaries of these. The keys of all dictionaries are text.
  ///
  /// - Throws: `MartletError` with code `.invalidParameters` for anything else.
  public init(_ dictionary: [String: Any]) throws(MartletError) {
    self = try .make(dictionary, at: "")
  }

  private static func make(_ value: Any, at path: String) throws(MartletError) -> Parameters {
    switch UntypedValue(value) {
    case .null: .null
    case .bool(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .unsigned(let value): .unsigned(value)
    case .double(let value): .double(value)
    case .string(let text): .string(text)
    case .dictionary(let entries): try .dictionary(self.entries(entries, at: path))
    case .array(let values): try .array(elements(values, at: path))
    case .set(let values): try .set(elements(values, at: path))
    case .other(let parameters as Parameters): parameters
    case .other(let date as Date): .date(date)
    case .other(let data as Data): .data(data)
    case .other(let value): throw .unsupportedParameter(value, at: path)
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
}

extension Parameters {
  /// Returns the value in the form in which Foundation writes it into a property list.
  ///
  /// - Throws: `MartletError` with code `.invalidParameters` for a value that property lists cannot represent.
  func propertyList(at path: String) throws(MartletError) -> Any {
    switch self {
    case .null: throw .notInPropertyLists("null", at: path)
    case .set: throw .notInPropertyLists("a set", at: path)
    case .bool(let value): return value
    case .integer(let value): return value
    case .unsigned(let value): return value
    case .double(let value): return value
    case .string(let value): return value
    case .date(let value): return value
    case .data(let value): return value
    case .array(let elements):
      return try elements.map { element throws(MartletError) in
        try element.propertyList(at: path + "[]")
      }
    case .dictionary(let entries): return try Self.propertyList(of: entries.map { $0 }, at: path)
    case .ordered(let entries): return try Self.propertyList(of: entries, at: path)
    case .encodable(let value): return try Self.propertyList(of: value)
    }
  }

  private static func propertyList(of entries: [(String, Parameters)], at path: String)
    throws(MartletError) -> [String: Any]
  {
    var list: [String: Any] = [:]
    for (key, value) in entries {
      list[key] = try value.propertyList(at: path.isEmpty ? key : "\(path)[\(key)]")
    }
    return list
  }

  /// Encodes an array with one element, because the encoder accepts only containers at the top level.
  private static func propertyList(of value: any Encodable) throws(MartletError) -> Any {
    do {
      let encoder = PropertyListEncoder()
      encoder.outputFormat = .binary
      let data = try encoder.encode([Erased(value: value)])
      let list = try PropertyListSerialization.propertyList(from: data, format: nil)
      return (list as? [Any])?.first ?? [String: Any]()
    } catch {
      throw .parametersNotEncodable(as: type(of: value), underlying: Self.cause(of: error))
    }
  }

  /// Returns the error that the value itself has thrown, which the encoder makes the underlying error of an error about
  /// the array.
  private static func cause(of error: any Error) -> any Error {
    guard case EncodingError.invalidValue(_, let context) = error else { return error }
    return context.underlyingError ?? error
  }

  /// Encodes its value.
  private struct Erased: Encodable {
    let value: any Encodable

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(value)
    }
  }
}
