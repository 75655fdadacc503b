import EssentialFoundation
public import HTTPTypes
public import NIOCore

/// The response of a route's handler.
public struct ServerResponse: Sendable {
  /// The body of a response.
  public enum Body: Sendable {
    /// No bytes.
    case empty
    /// Bytes in memory.
    case bytes(ByteBuffer)
    /// A closure that writes the body chunk by chunk; each write returns when its chunk has been sent. Without a
    /// length, HTTP/1.1 sends the body in chunks.
    case producer(length: Int?, @Sendable (_ write: Writer) async throws -> Void)
  }

  /// Writes one chunk of a body, and returns when the next one may be written.
  public typealias Writer = @Sendable (ByteBuffer) async throws -> Void

  /// The status code and reason phrase.
  public var status: HTTPResponse.Status
  /// The header fields. Those that frame the message, and `Date`, are set when the response is sent.
  public var headers: HTTPFields
  /// The body.
  public var body: Body

  /// A response from its parts.
  ///
  /// - Parameters:
  ///   - status: The default is 200.
  ///   - headers: The default is none.
  ///   - body: The default is none.
  public init(
    _ status: HTTPResponse.Status = .ok, headers: HTTPFields = [:], body: Body = .empty
  ) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// A response with a text of the given media type.
  ///
  /// - Parameters:
  ///   - text: The body.
  ///   - type: The `Content-Type`. The default is plain text in UTF-8.
  ///   - status: The default is 200.
  /// - Returns: A response with the text as its body.
  public static func text(
    _ text: String, type: String = "text/plain; charset=utf-8", status: HTTPResponse.Status = .ok
  ) -> ServerResponse {
    ServerResponse(
      status, headers: [.contentType: type], body: .bytes(ByteBuffer(string: text)))
  }

  /// A response with a value as JSON.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - status: The default is 200.
  /// - Returns: A response with the JSON as its body.
  /// - Throws: `EncodingError` when the value cannot be encoded.
  public static func json(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws
    -> ServerResponse
  {
    ServerResponse(
      status, headers: [.contentType: "application/json"],
      body: .bytes(ByteBuffer(bytes: try JSONEncoder().encode(value))))
  }

  /// A response with an object as indented JSON, with sorted keys and a line break at the end.
  static func indentedJSON(_ object: [String: Any], status: HTTPResponse.Status = .ok) throws
    -> ServerResponse
  {
    let text = try EchoedJSON(object).text(.prettyPrinted)
    return ServerResponse(
      status, headers: [.contentType: "application/json"],
      body: .bytes(ByteBuffer(string: text + "\n")))
  }
}

/// Thrown by a handler to answer with an error.
struct RouteError: Error {
  var status: HTTPResponse.Status
  var reason: String

  static func badRequest(_ reason: String) -> RouteError {
    RouteError(status: .badRequest, reason: reason)
  }
}
