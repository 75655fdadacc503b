import Foundation

/// Everything but a custom query style, which is a closure (REQ-P5).
extension PropertyListRequestSerializer: Codable {
  private enum Key: CodingKey {
    case http, format
  }

  /// Reads a serializer.
  ///
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    let number = try values.decode(UInt.self, forKey: .format)
    guard let format = PropertyListSerialization.PropertyListFormat(rawValue: number) else {
      throw DecodingError.dataCorruptedError(
        forKey: .format, in: values, debugDescription: "\(number) is no format of property lists.")
    }
    self.init(format: format)
    http = try values.decode(HTTPRequestSerializer.self, forKey: .http)
  }

  /// Writes the serializer.
  ///
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(http, forKey: .http)
    try values.encode(format.rawValue, forKey: .format)
  }
}
