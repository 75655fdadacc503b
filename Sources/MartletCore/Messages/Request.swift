public import EssentialFoundation
public import HTTPTypes

/// A request: what to ask, of whom, and how to treat the answer.
public struct Request: Sendable {
  // What interceptors change of most requests stands apart, so that they need no parts of their own.
  private var parts: RequestParts
  /// What becomes of the response's body. The default collects it in memory.
  public var delivery = Delivery.buffered
  /// The call that the request is made for: watch it, suspend and resume it, cancel it.
  public var call: Call?

  /// A request.
  ///
  /// - Parameters:
  ///   - method: The default is `GET`.
  ///   - url: An absolute `http` or `https` URL. Whether it is one is found out when it is sent.
  ///   - headers: Sent in order. The default is none; the engine adds `Host` and the framing fields.
  ///   - body: The default is none.
  public init(
    _ method: HTTPRequest.Method = .get, url: URL, headers: HTTPFields = [:],
    body: RequestBody = .empty
  ) {
    self.init(method, to: TargetURL(of: url), headers: headers, body: body)
  }

  /// A request for a URL of which it is known where it leads.
  package init(
    _ method: HTTPRequest.Method, to destination: TargetURL, headers: HTTPFields = [:],
    body: RequestBody = .empty
  ) {
    parts = RequestParts(method, to: destination, headers: headers, body: body)
  }

  /// A request for a URL given as text, in which what is escaped stays so, as in `URL(escaping:)`.
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - text: An absolute `http` or `https` URL.
  ///   - headers: Sent in order. The default is none; the engine adds `Host` and the framing fields.
  ///   - body: The default is none.
  /// - Throws: `MartletError` with code `.invalidURL` or `.unsupportedScheme`.
  public init(
    _ method: HTTPRequest.Method, _ text: String, headers: HTTPFields = [:],
    body: RequestBody = .empty
  ) throws(MartletError) {
    self.init(method, url: try URL(escaping: text), headers: headers, body: body)
    _ = try origin
  }

  /// A GET request for a URL given as text.
  ///
  ///     let request = try Request("https://example.com/tern.png")
  ///
  /// - Parameters:
  ///   - text: An absolute `http` or `https` URL.
  ///   - headers: Sent in order. The default is none; the engine adds `Host` and the framing fields.
  /// - Throws: `MartletError` with code `.invalidURL` or `.unsupportedScheme`.
  public init(_ text: String, headers: HTTPFields = [:]) throws(MartletError) {
    try self.init(.get, text, headers: headers)
  }

  /// The method. The default is `GET`.
  public var method: HTTPRequest.Method {
    get { parts.method }
    set { own().method = newValue }
  }

  /// The absolute URL.
  public var url: URL {
    get { parts.targetURL.url }
    set { own().targetURL = TargetURL(of: newValue) }
  }

  /// Where the URL leads.
  var targetURL: TargetURL { parts.targetURL }

  /// The header fields, sent in this order.
  ///
  /// Text from elsewhere, such as a token, belongs into `set(name:value:)` or `append(name:value:)`: they
  /// refuse line breaks, which the literals and subscripts of swift-http-types turn into blanks.
  public var headers: HTTPFields {
    get { parts.headers }
    _modify { yield &own().headers }
  }

  /// The body. The default is none.
  public var body: RequestBody {
    get { parts.body }
    set { own().body = newValue }
  }

  /// Everything else that can be said about a request.
  public var options: Options {
    get { parts.options }
    _modify { yield &own().options }
  }

  /// The server that the request goes to.
  ///
  /// - Throws: `MartletError` with code `.invalidURL` or `.unsupportedScheme`.
  public var origin: Origin {
    get throws(MartletError) { try parts.targetURL.origin.get() }
  }

  /// Path and query, as the request line has them (RFC 9112 §3.2.1).
  public var target: String { parts.targetURL.target }

  /// Whether the URL says who the user is.
  package var hasUserInfo: Bool { parts.targetURL.hasUserInfo }

  /// The time-outs in force: the request's own, else the ones given.
  public func timeouts(default timeouts: Timeouts) -> Timeouts {
    var timeouts = parts.options.timeouts ?? timeouts
    if let interval = parts.options.timeoutInterval { timeouts.idle = interval }
    return timeouts.bounded
  }

  /// The request without what the interceptors of a pipeline have told each other with it, so that it can be sent anew.
  package var withoutInterceptorState: Request {
    var request = self
    request.delivery.isDeferredToInterceptor = false
    request.delivery.requiresHead = false
    return request
  }

  /// The parts, for changing: a copy of this request's own if another request shares them.
  private mutating func own() -> RequestParts {
    if !isKnownUniquelyReferenced(&parts) { parts = parts.copy() }
    return parts
  }
}

/// What a request consists of, shared by its copies until one of them changes.
///
/// A request is passed down through every interceptor; copying one reference is cheaper than a dozen.
///
/// Unchecked because only `Request` holds it, and changes it only while it is the only holder.
final class RequestParts: @unchecked Sendable {
  var method: HTTPRequest.Method
  /// The URL, taken apart once, when it is set.
  var targetURL: TargetURL
  var headers: HTTPFields
  var body: RequestBody
  var options: Request.Options

  init(
    _ method: HTTPRequest.Method, to destination: TargetURL, headers: HTTPFields, body: RequestBody
  ) {
    self.method = method
    self.targetURL = destination
    self.headers = headers
    self.body = body
    options = Request.Options()
  }

  private init(_ other: RequestParts) {
    method = other.method
    targetURL = other.targetURL
    headers = other.headers
    body = other.body
    options = other.options
  }

  func copy() -> RequestParts {
    RequestParts(self)
  }
}

extension Request: CustomStringConvertible, CustomReflectable {
  /// The request as text, such as
  /// `<Request: POST https://example.com/ [Authorization: ***], 12 bytes>`; secrets are masked.
  public var description: String {
    "<Request: \(method.rawValue) \(url.masked)\(headers.masked)\(body.amount)>"
  }

  /// What debuggers show; secrets are masked here, too.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "method": method.rawValue, "url": url.masked, "headers": headers.map(\.masked),
        "body": body.length as Any, "options": options,
      ], displayStyle: .struct)
  }
}

extension RequestBody {
  /// How much there is, as the end of a description.
  fileprivate var amount: String {
    if isEmpty { return "" }
    return length.map { ", \($0) bytes" } ?? ", a body of unknown length"
  }
}
