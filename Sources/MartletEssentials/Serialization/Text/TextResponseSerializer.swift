public import EssentialFoundation

/// Decodes text into a `String`.
///
/// The encoding is that of the byte-order mark, else that of the charset that `Content-Type` names, else UTF-8. A body
/// without bytes becomes an empty text.
public struct TextResponseSerializer: HTTPResponseSerializing, Hashable, Codable {
  /// Which responses are acceptable. The default is 200 to 299 with any content type.
  public var http = HTTPResponseSerializer()
  private var encodingCode: UInt?

  /// A serializer.
  ///
  /// - Parameter encoding: The encoding of the text, regardless of the response. The default, `nil`, uses the encoding
  ///   that the response specifies.
  public init(encoding: String.Encoding? = nil) {
    encodingCode = encoding?.rawValue
  }

  /// The encoding of the text, regardless of the response. The default, `nil`, uses the encoding that the response
  /// specifies.
  public var encoding: String.Encoding? {
    get { encodingCode.map { String.Encoding(rawValue: $0) } }
    set { encodingCode = newValue?.rawValue }
  }

  /// Decodes the text of the body.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - data: Its body.
  /// - Returns: The text, without its byte-order mark.
  /// - Throws: `MartletError` with code `.decodingFailed` when the charset is not known or the bytes are not text in
  ///   it, or an error of `decode(_:data:with:)`.
  public func serialize(_ response: Response, data: Data) throws -> String {
    try decode(response, data: data) { try text(of: $0, in: response) }
  }

  /// Returns the text of a body, for serializers that process the text further. The response is not checked.
  ///
  /// - Parameters:
  ///   - data: The body.
  ///   - response: The response, for the charset that it names.
  /// - Returns: The text, without its byte-order mark.
  /// - Throws: `MartletError` with code `.decodingFailed` when the charset is not known or the bytes are
  ///   not text in it.
  public func text(of data: Data, in response: Response) throws(MartletError) -> String {
    do throws(TextEncoding.Failure) {
      if let encoding { return try TextEncoding(encoding).text(of: data) }
      return try TextEncoding(of: data, charset: response.charset).text(of: data)
    } catch {
      throw .notText(error)
    }
  }
}
