public import NIOCore
import NIOHTTP1

/// A fixed response.
public struct CannedResponse: Sendable {
  /// The status code.
  public var status: Int
  /// The header fields, sent unchanged.
  ///
  /// `Content-Length` is added if no field frames the body, unless the status is 1xx, 204 or 304. `Connection: close`
  /// is added in the last step of a script, unless there is a `Connection` field.
  public var headers: [(name: String, value: String)]
  /// The body.
  public var body: ByteBuffer

  /// A response from its parts.
  ///
  /// - Parameters:
  ///   - status: The default is 200.
  ///   - headers: The default is none.
  ///   - body: The default is empty.
  public init(
    _ status: Int = 200, _ headers: KeyValuePairs<String, String> = [:], _ body: String = ""
  ) {
    self.init(status, headers, bytes: ByteBuffer(string: body))
  }

  /// A response with any bytes as its body.
  ///
  /// - Parameters:
  ///   - status: The default is 200.
  ///   - headers: The default is none.
  ///   - bytes: The body.
  public init(
    _ status: Int = 200, _ headers: KeyValuePairs<String, String> = [:], bytes: ByteBuffer
  ) {
    self.status = status
    self.headers = headers.map { ($0.key, $0.value) }
    body = bytes
  }

  /// The bytes on the wire.
  func bytes(closing: Bool) -> ByteBuffer {
    var text = "HTTP/1.1 \(status) \(HTTPResponseStatus(statusCode: status).reasonPhrase)\r\n"
    for (name, value) in headers { text += "\(name): \(value)\r\n" }
    let names = Set(headers.map { $0.name.lowercased() })
    let mayHaveBody = status >= 200 && status != 204 && status != 304
    if mayHaveBody && names.isDisjoint(with: ["content-length", "transfer-encoding"]) {
      text += "Content-Length: \(body.readableBytes)\r\n"
    }
    if closing && !names.contains("connection") { text += "Connection: close\r\n" }
    var bytes = ByteBuffer(string: text + "\r\n")
    bytes.writeImmutableBuffer(body)
    return bytes
  }
}
