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
    headers[.contentLength].flatMap { Int64($0) }
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
