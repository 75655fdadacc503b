public import EssentialFoundation
public import HTTPTypes
public import MartletCore
import NIOCore

/// Responses for an in-process transport.
///
///     let api = HTTPSessionManager(baseURL: url) {
///       $0.transport = InProcessTransport { request in try .json(User(name: "Ada"), to: request) }
///     }
///     #expect(try await api.get("users/7", as: User.self).name == "Ada")
extension Response {
  /// A response with a value as JSON.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - request: The request that is answered.
  ///   - status: The status. The default is 200.
  ///   - headers: Further fields. The default is none.
  ///   - encoder: The encoder. The default is a plain `JSONEncoder`.
  /// - Returns: The response.
  /// - Throws: `EncodingError` when the value cannot be encoded.
  public static func json(
    _ value: some Encodable, to request: Request, status: HTTPResponse.Status = .ok,
    headers: HTTPFields = [:], encoder: JSONEncoder = JSONEncoder()
  ) throws -> Response {
    .data(
      try encoder.encode(value), to: request, contentType: "application/json", status: status,
      headers: headers)
  }

  /// A response with a text in UTF-8.
  public static func text(
    _ text: String, to request: Request, contentType: String = "text/plain; charset=utf-8",
    status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
  ) -> Response {
    .data(
      Data(text.utf8), to: request, contentType: contentType, status: status, headers: headers)
  }

  /// A response with bytes.
  public static func data(
    _ data: Data, to request: Request, contentType: String = "application/octet-stream",
    status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
  ) -> Response {
    var headers = headers
    headers[.contentType] = contentType
    headers[.contentLength] = String(data.count)
    return Response(
      head: ResponseHead(status: status, headers: headers), url: request.url,
      body: ResponseBody(bytes: ByteBuffer(bytes: data)))
  }

  /// A response without a body.
  public static func status(
    _ status: HTTPResponse.Status, to request: Request, headers: HTTPFields = [:]
  ) -> Response {
    Response(head: ResponseHead(status: status, headers: headers), url: request.url)
  }
}
