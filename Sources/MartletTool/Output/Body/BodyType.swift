import Martlet

/// What kind of body the header fields announce.
struct BodyType: Equatable {
  /// The media type without parameters, in lower case.
  var mimeType: String?
  /// The charset that the media type names, in lower case.
  var charset: String?

  init(mimeType: String?, charset: String? = nil) {
    self.mimeType = mimeType
    self.charset = charset
  }

  /// What the fields of a response say.
  init(_ response: Response) {
    self.init(mimeType: response.mimeType, charset: response.charset)
  }

  /// What the fields of a request say.
  init(_ request: Request) {
    let head = ResponseHead(status: .ok, headers: request.headers)
    self.init(Response(head: head, url: request.url))
  }

  /// Whether the body claims to be a picture.
  var isPicture: Bool { mimeType?.hasPrefix("image/") ?? false }

  /// Whether the body claims to be JSON (RFC 6839 §3.1).
  var isJSON: Bool { mimeType.map { $0.hasSuffix("/json") || $0.hasSuffix("+json") } ?? false }
}
