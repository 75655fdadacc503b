public import EssentialFoundation
public import MartletCore

/// A body with its media type, for the verbs of a manager.
///
///     try await api.put("photos/7", body: .file(at: photo))
///     try await api.post("users", body: .json(user))
///     try await api.post("notes", body: .text("Two terns"))
///
/// The media type is sent as `Content-Type`, unless the call has this header itself.
public struct RequestContent: Sendable {
  /// The bytes.
  public var body: RequestBody
  /// Their media type.
  public var contentType: String

  /// A body of any kind.
  ///
  /// - Parameters:
  ///   - body: The bytes.
  ///   - contentType: Their media type. The default is `application/octet-stream`.
  public init(_ body: RequestBody, contentType: String = "application/octet-stream") {
    self.body = body
    self.contentType = contentType
  }

  /// Bytes in memory.
  ///
  /// - Parameters:
  ///   - data: The bytes.
  ///   - contentType: Their media type. The default is `application/octet-stream`.
  /// - Returns: A body that can be sent again.
  public static func data(_ data: Data, contentType: String = "application/octet-stream")
    -> RequestContent
  {
    RequestContent(.data(data), contentType: contentType)
  }

  /// A text in UTF-8.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - contentType: Its media type. The default is `text/plain; charset=utf-8`.
  /// - Returns: A body that can be sent again.
  public static func text(_ text: String, contentType: String = "text/plain; charset=utf-8")
    -> RequestContent
  {
    RequestContent(.text(text), contentType: contentType)
  }

  /// A value as JSON.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - encoder: The encoder. The default is a plain `JSONEncoder`.
  ///   - contentType: The media type. The default is `application/json`.
  /// - Returns: A body that can be sent again.
  /// - Throws: `MartletError` with code `.invalidParameters` when the value cannot be encoded.
  public static func json(
    _ value: some Encodable, encoder: JSONEncoder = JSONEncoder(),
    contentType: String = "application/json"
  ) throws(MartletError) -> RequestContent {
    do {
      return .data(try encoder.encode(value), contentType: contentType)
    } catch {
      throw .parametersNotEncodable(as: type(of: value), underlying: error)
    }
  }

  /// A file, read while it is sent and never held in memory as a whole.
  ///
  /// - Parameters:
  ///   - url: A file URL.
  ///   - contentType: The media type. The default, `nil`, is that of the file's extension, or else
  ///     `application/octet-stream`.
  /// - Returns: A body that can be sent again as long as the file does not change.
  /// - Throws: What `RequestBody.file(at:offset:length:)` throws.
  public static func file(at url: URL, contentType: String? = nil) throws(MartletError)
    -> RequestContent
  {
    RequestContent(
      try .file(at: url),
      contentType: contentType ?? MediaType.ofFile(named: url.lastPathComponent))
  }
}
