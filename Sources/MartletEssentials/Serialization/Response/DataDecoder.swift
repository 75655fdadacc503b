public import EssentialFoundation

/// Makes values of `Decodable` types from bodies.
///
/// `JSONDecoder` and `PropertyListDecoder` do; a decoder of another format needs two lines.
public protocol DataDecoder: AnyObject, Sendable {
  /// The content types that it reads, in lower case and without parameters; `nil` stands for any.
  var contentTypes: Set<String>? { get }

  /// The value that a body holds.
  ///
  /// - Parameters:
  ///   - type: What to decode.
  ///   - data: The body, of one byte or more.
  /// - Returns: The value.
  /// - Throws: A `DecodingError`, or whatever says what is wrong.
  func decodeValue<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value
}

extension JSONDecoder: DataDecoder {
  /// Those of ``JSONResponseSerializer``.
  public var contentTypes: Set<String>? { JSONResponseSerializer.defaultContentTypes }

  /// The value of a JSON text.
  ///
  /// - Parameters:
  ///   - type: What to decode.
  ///   - data: The text.
  /// - Returns: The value.
  /// - Throws: A `DecodingError`.
  public func decodeValue<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    // `JSON` tries one type after the other, which takes seconds for 500 levels.
    if Value.self == JSON.self, !allowsJSON5, !assumesTopLevelDictionary,
      let value = try JSON(parsing: data, options: .fragmentsAllowed) as? Value
    {
      return value
    }
    return try decode(type, from: data)
  }
}
