public import EssentialFoundation

/// Decodes bodies into values of `Decodable` types.
///
/// `JSONDecoder` and `PropertyListDecoder` conform. Another decoder needs two lines to conform.
public protocol DataDecoder: AnyObject, Sendable {
  /// The content types that the decoder reads, in lower case and without parameters; `nil` means any.
  var contentTypes: Set<String>? { get }

  /// Decodes the value of a body.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - data: The body, of one byte or more.
  /// - Returns: The value.
  /// - Throws: A `DecodingError`, or another error that describes the problem.
  func decodeValue<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value
}

extension JSONDecoder: DataDecoder {
  /// The content types of ``JSONResponseSerializer``.
  public var contentTypes: Set<String>? { JSONResponseSerializer.defaultContentTypes }

  /// Decodes the value of a JSON text.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - data: The text.
  /// - Returns: The value.
  /// - Throws: A `DecodingError`; for a value of type ``JSON``, `MartletError` with code `.decodingFailed`.
  public func decodeValue<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    // Decoding `JSON` tries one type after the other, which takes seconds for 500 levels.
    if Value.self == JSON.self, !allowsJSON5, !assumesTopLevelDictionary,
      let value = try JSON(parsing: data, options: .fragmentsAllowed) as? Value
    {
      return value
    }
    return try decode(type, from: data)
  }
}
