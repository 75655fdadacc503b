public import Foundation
public import MartletEssentials

extension PropertyListDecoder: DataDecoder {
  /// Those of ``PropertyListResponseSerializer``.
  public var contentTypes: Set<String>? { PropertyListResponseSerializer.defaultContentTypes }

  /// The value of a property list.
  ///
  /// The bytes are read as ``PropertyList``, and the decoder is given what came out of that: given
  /// bytes that mean harm, lists that nest without end or hold themselves, it would bring the process
  /// down.
  ///
  /// - Parameters:
  ///   - type: What to decode.
  ///   - data: The property list, in any format.
  /// - Returns: The value.
  /// - Throws: A `DecodingError`, or `MartletError` with code `.decodingFailed`.
  public func decodeValue<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    let list = try PropertyList(parsing: data)
    return try list as? Value ?? decode(type, from: list.data(format: .binary))
  }
}
