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
  var delivery: Delivery
  var exchange: Exchange?
  /// Origin and target, worked out once when the URL is set, or why they cannot be.
  private(set) var destination: Destination

  init(_ method: HTTPRequest.Method, url: URL, headers: HTTPFields, body: Body) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    options = Request.Options()
    delivery = .buffered
    destination = Destination(of: url)
  }

  private init(_ other: RequestParts) {
    method = other.method
    url = other.url
    headers = other.headers
    body = other.body
    options = other.options
    delivery = other.delivery
    exchange = other.exchange
    destination = other.destination
  }

  func copy() -> RequestParts {
    RequestParts(self)
  }
}

/// Where a URL leads, in the two parts that sending needs.
struct Destination: Sendable {
  let origin: Result<Origin, MartletError>
  let target: String

  init(of url: URL) {
    origin = Result { () throws(MartletError) in try Origin(of: url) }
    let path = url.path(percentEncoded: true)
    let target = path.isEmpty ? "/" : path
    guard let query = url.query(percentEncoded: true) else {
      self.target = target
      return
    }
    self.target = target + "?" + query
  }
}
