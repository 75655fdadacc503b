public import Foundation
public import MartletEssentials

extension PropertyListDecoder: DataDecoder {
  /// The content types of ``PropertyListResponseSerializer``.
  public var contentTypes: Set<String>? { PropertyListResponseSerializer.defaultContentTypes }

  /// Decodes the value of a property list.
  ///
  /// The bytes are first read as a ``PropertyList``, and the decoder receives only what was read. Malicious bytes, such
  /// as lists that contain themselves, would otherwise crash the process in the decoder.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - data: The property list, in any format.
  /// - Returns: The value.
  /// - Throws: A `DecodingError`, or `MartletError` with code `.decodingFailed`.
  public func decodeValue<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    let list = try PropertyList(parsing: data)
    return try list as? Value ?? decode(type, from: list.data(format: .binary))
  }
}
