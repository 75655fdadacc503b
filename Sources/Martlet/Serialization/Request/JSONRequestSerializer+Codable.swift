import Foundation

/// Everything but `makeEncoder`, which is a closure: the default one comes back (REQ-J8).
extension JSONRequestSerializer: Codable {
  private enum Key: CodingKey {
    case http, writingOptions
  }

  /// Reads a serializer.
  ///
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    self.init(
      writingOptions: JSONEncoder.OutputFormatting(
        rawValue: try values.decode(UInt.self, forKey: .writingOptions)))
    http = try values.decode(HTTPRequestSerializer.self, forKey: .http)
  }

  /// Writes the serializer.
  ///
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(http, forKey: .http)
    try values.encode(writingOptions.rawValue, forKey: .writingOptions)
  }
}
