import Foundation
import HTTPTypes

/// What a request consists of, shared by its copies until one of them changes.
///
/// A request is passed down through every step; copying one reference is cheaper than a dozen.
///
/// Unchecked because nobody but `Request` holds it, which changes it only while it is the only holder.
final class RequestParts: @unchecked Sendable {
  var method: HTTPRequest.Method
  var url: URL {
    didSet { destination = Destination(of: url) }
  }
  var headers: HTTPFields
  var body: Body
  var options: Request.Options
  /// Origin and target, worked out once when the URL is set, or why they cannot be.
  private(set) var destination: Destination

  init(
    _ method: HTTPRequest.Method, url: URL, destination: Destination, headers: HTTPFields,
    body: Body
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    options = Request.Options()
    self.destination = destination
  }

  private init(_ other: RequestParts) {
    method = other.method
    url = other.url
    headers = other.headers
    body = other.body
    options = other.options
    destination = other.destination
  }

  func copy() -> RequestParts {
    RequestParts(self)
  }
}
