import Foundation

extension Parameters {
  /// Parameters from a dictionary of untyped values, as code that comes from Objective-C has them.
  ///
  /// Taken are text, numbers, booleans, dates, data, `NSNull`, absent optionals, `Parameters`, and arrays,
  /// sets and dictionaries of these. The keys of all dictionaries are text.
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
