public import Foundation

extension JSON: CustomStringConvertible {
  /// The value of a JSON text in UTF-8, UTF-16 or UTF-32 (RES-J4).
  ///
  /// - Parameters:
  ///   - data: The text.
  ///   - options: `.fragmentsAllowed` takes single values too. The default takes objects and arrays.
  /// - Throws: `MartletError` with code `.decodingFailed` when the text is malformed or nested more
  ///   than 512 deep.
  public init(parsing data: Data, options: JSONSerialization.ReadingOptions = [])
    throws(MartletError)
  {
    do {
      self = try JSON(JSONSerialization.jsonObject(with: data, options: options))
    } catch {
      throw .notJSON(underlying: error)
    }
  }

  /// The value as JSON text in UTF-8, with the entries of objects sorted by name.
  ///
  /// - Parameter options: The layout. The default is compact, with slashes escaped.
  /// - Returns: The text; numbers that are not finite, for which JSON has no form, become `null`.
  public func data(options: JSONEncoder.OutputFormatting = []) -> Data {
    Data(JSONWriter.write(self, options: options))
  }

  /// The value as compact JSON text.
  public var description: String {
    String(decoding: JSONWriter.write(self, options: .withoutEscapingSlashes), as: UTF8.self)
  }
}
