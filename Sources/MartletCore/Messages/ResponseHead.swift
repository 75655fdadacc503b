public import HTTPTypes

/// The status line and header section of a response.
///
/// Fields keep the order in which they arrived, duplicates included.
public struct ResponseHead: Hashable, Sendable {
  /// The status code and reason phrase.
  public var status: HTTPResponse.Status
  /// The header fields, in order of arrival.
  public var headers: HTTPFields

  /// A head from its parts.
  public init(status: HTTPResponse.Status, headers: HTTPFields = [:]) {
    self.status = status
    self.headers = headers
  }

  /// The head as a value of swift-http-types.
  public var httpResponse: HTTPResponse {
    HTTPResponse(status: status, headerFields: headers)
  }

  /// The length that `Content-Length` announces, if it is a number.
  public var contentLength: Int64? {
    let values = headers[values: .contentLength]
    return values.count == 1 ? Int64(values[0]) : nil
  }

  /// The media type without parameters, in lower case, or `nil` when there is none.
  public var mimeType: String? {
    guard let field = headers[.contentType] else { return nil }
    let type = field.utf8.prefix { $0 != UInt8(ascii: ";") }.trimmingBlanks
    return type.isEmpty ? nil : Substring(type).lowercased()
  }

  /// The charset that the media type names, in lower case, or `nil` when it names none.
  public var charset: String? {
    guard let field = headers[.contentType] else { return nil }
    return FieldParameters(field)["charset"].flatMap { $0.isEmpty ? nil : $0.lowercased() }
  }

  /// Whether the body is compressed.
  package var isEncoded: Bool {
    headers[.contentEncoding].map { $0.lowercased() != "identity" } ?? false
  }
}

extension ResponseHead: Codable {
  /// Encodes the head as swift-http-types does.
  public func encode(to encoder: any Encoder) throws {
    try httpResponse.encode(to: encoder)
  }

  /// Decodes a head.
  ///
  /// - Throws: `DecodingError` for data that is not a head.
  public init(from decoder: any Decoder) throws {
    let response = try HTTPResponse(from: decoder)
    self.init(status: response.status, headers: response.headerFields)
  }
}

extension ResponseHead: CustomStringConvertible, CustomReflectable {
  /// The head as text, such as `<ResponseHead: 200 OK [Set-Cookie: ***]>`; secrets are masked.
  public var description: String { "<ResponseHead: \(text)>" }

  /// The mirror for debuggers; secrets are masked.
  public var customMirror: Mirror {
    Mirror(
      self, children: ["status": status.description, "headers": headers.map(\.masked)],
      displayStyle: .struct)
  }

  /// The status and the masked fields.
  var text: String { "\(status)\(headers.masked)" }
}
