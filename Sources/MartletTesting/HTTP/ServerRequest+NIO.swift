import HTTPTypes
import NIOCore
import NIOHTTP1

extension ServerRequest {
  /// The request that NIO's parser saw. What is no field by RFC 9110 is left out.
  init(_ head: HTTPRequestHead, body: ByteBuffer, remoteAddress: String?, isSecure: Bool) {
    var fields = HTTPFields()
    for (name, value) in head.headers {
      guard let name = HTTPField.Name(name) else { continue }
      fields.append(HTTPField(name: name, value: value))
    }
    self.init(
      method: HTTPRequest.Method(head.method.rawValue) ?? .get, target: head.uri, headers: fields,
      body: body, remoteAddress: remoteAddress ?? "127.0.0.1", isSecure: isSecure)
  }
}
