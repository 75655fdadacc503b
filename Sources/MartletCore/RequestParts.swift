import HTTPTypes

/// What a request consists of, shared by its copies until one of them changes.
///
/// A request is passed down through every step; copying one reference is cheaper than a dozen.
///
/// Unchecked because only `Request` holds it, and changes it only while it is the only holder.
final class RequestParts: @unchecked Sendable {
  var method: HTTPRequest.Method
  /// The URL, taken apart once, when it is set.
  var destination: Destination
  var headers: HTTPFields
  var body: Body
  var options: Request.Options

  init(
    _ method: HTTPRequest.Method, to destination: Destination, headers: HTTPFields, body: Body
  ) {
    self.method = method
    self.destination = destination
    self.headers = headers
    self.body = body
    options = Request.Options()
  }

  private init(_ other: RequestParts) {
    method = other.method
    destination = other.destination
    headers = other.headers
    body = other.body
    options = other.options
  }

  func copy() -> RequestParts {
    RequestParts(self)
  }
}
