public import Foundation
public import HTTPTypes

/// A request: what to ask, of whom, and how to treat the answer.
public struct Request: Sendable {
  /// The method. The default is `GET`.
  public var method: HTTPRequest.Method
  /// The absolute URL.
  public var url: URL {
    didSet { destination = Destination(of: url) }
  }
  /// The header fields, sent in this order.
  ///
  /// Text from elsewhere, such as a token, belongs into `set(name:value:)` or `append(name:value:)`: they
  /// refuse line breaks, which the literals and subscripts of swift-http-types turn into blanks.
  public var headers: HTTPFields
  /// The body. The default is none.
  public var body: Body
  /// Everything else that can be said about a request.
  public var options: Options
  /// What becomes of the response's body. The default collects it in memory.
  public var delivery: Delivery
  /// The handle through which the exchange can be watched, suspended and resumed.
  public var exchange: Exchange?

  /// Origin and target, worked out once when the URL is set, or why they cannot be.
  private var destination: Destination

  /// A request.
  ///
  /// - Parameters:
  ///   - method: The default is `GET`.
  ///   - url: An absolute `http` or `https` URL. Whether it is one is found out when it is sent.
  ///   - headers: Sent in order. The default is none; the engine adds `Host` and the framing fields.
  ///   - body: The default is none.
  public init(
    _ method: HTTPRequest.Method = .get, url: URL, headers: HTTPFields = [:], body: Body = .empty
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    options = Options()
    delivery = .buffered
    destination = Destination(of: url)
  }

  /// A request for a URL given as text.
  ///
  /// - Throws: `MartletError` with code `.invalidURL` or `.unsupportedScheme`.
  public init(
    _ method: HTTPRequest.Method = .get, _ text: String, headers: HTTPFields = [:],
    body: Body = .empty
  ) throws(MartletError) {
    guard let url = URL(string: text) else { throw .invalidURL(text, "it cannot be parsed") }
    self.init(method, url: url, headers: headers, body: body)
    _ = try origin
  }

  /// The server that the request goes to.
  ///
  /// - Throws: `MartletError` with code `.invalidURL` or `.unsupportedScheme`.
  public var origin: Origin {
    get throws(MartletError) { try destination.origin.get() }
  }

  /// Path and query, as the request line has them (RFC 9112 §3.2.1).
  public var target: String { destination.target }

  /// The time-outs in force: the request's own, else the ones given.
  public func timeouts(default timeouts: Timeouts) -> Timeouts {
    var timeouts = options.timeouts ?? timeouts
    if let interval = options.timeoutInterval { timeouts.idle = interval }
    return timeouts
  }
}

/// Where a URL leads, in the two parts that sending needs.
private struct Destination: Sendable {
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
