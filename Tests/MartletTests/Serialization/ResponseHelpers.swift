import Foundation
import Martlet

extension Response {
  /// A response with just a status and a content type.
  static func make(_ code: Int = 200, _ contentType: String? = nil) -> Response {
    var headers = HTTPFields()
    headers[.contentType] = contentType
    return Response(
      head: ResponseHead(status: HTTPResponse.Status(code: code), headers: headers), url: .example)
  }
}

extension Data {
  /// Text as bytes.
  static func text(_ text: String) -> Data {
    Data(text.utf8)
  }
}
