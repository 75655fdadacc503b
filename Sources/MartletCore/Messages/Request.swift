public import EssentialFoundation
public import HTTPTypes

/// A request: method, URL, header fields, body, options, and the delivery of the response's body.
public struct Request: Sendable {
  // The properties that interceptors change in most requests are not in `parts`, so that no copy of it is made.
  private(set) var parts: RequestParts
  /// How the response's body is delivered. The default collects it in memory.
  public var delivery = Delivery.buffered
  /// Whether the request has trailers, or a credential, interceptors, a retry policy or a cache key of its own. Behind
  /// `delivery`, where it takes no room.
  package private(set) var hasExtras = false
  /// Whether `Accept-Encoding: gzip, deflate` follows the fields in `parts`. Such a request still shares `parts` with the one that
  /// the caller made.
  package private(set) var asksForCompression = false
  /// The call that the request belongs to. It can be observed, suspended, resumed and cancelled.
  public var call: Call?

  /// A request.
  ///
  /// - Parameters:
  ///   - method: The method. The default is `GET`.
  ///   - url: An absolute `http` or `https` URL, which is checked when the request is sent.
  ///   - headers: The header fields, sent in order. The default is none; the engine adds `Host` and the framing fields.
  ///   - body: The body. The default is none.
  public init(
    _ method: HTTPRequest.Method = .get, url: URL, headers: HTTPFields = [:],
    body: RequestBody = .empty
  ) {
    self.init(method, to: TargetURL(of: url), headers: headers, body: body)
  }

  /// A request for a URL that has been parsed already.
  package init(
    _ method: HTTPRequest.Method, to destination: TargetURL, headers: HTTPFields = HTTPFields(),
    body: RequestBody = .empty
  ) {
    parts = RequestParts(method, to: destination, headers: headers, body: body)
  }

  /// A request with the default delivery, and without a call.
  init(_ kept: KeptRequest) {
    parts = kept.parts
    hasExtras = parts.extras != nil
    asksForCompression = kept.asksForCompression
  }

  /// The request without its delivery and its call.
  var kept: KeptRequest {
    KeptRequest(parts: parts, asksForCompression: asksForCompression)
  }

  /// A request for a URL given as text. Existing escapes are kept, as in `URL(escaping:)`.
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - text: An absolute `http` or `https` URL.
  ///   - headers: The header fields, sent in order. The default is none; the engine adds `Host` and the framing fields.
  ///   - body: The body. The default is none.
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
  ///   - headers: The header fields, sent in order. The default is none; the engine adds `Host` and the framing fields.
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

  /// The URL as text. It costs less than ``url``, which may have to be parsed.
  package var urlText: String { parts.targetURL.text }

  /// The parsed URL.
  var targetURL: TargetURL { parts.targetURL }

  /// The header fields, sent in this order.
  ///
  /// For text from outside the program, such as a token, use `set(name:value:)` or `append(name:value:)`: they refuse
  /// line breaks, which the literals and subscripts of swift-http-types turn into blanks.
  public var headers: HTTPFields {
    get { asksForCompression ? parts.headers.withCompressionRequest : parts.headers }
    set {
      asksForCompression = false
      own().headers = newValue
    }
    _modify {
      mergeCompressionField()
      yield &own().headers
    }
  }

  /// The header fields without the one that `askForCompression()` has added. Asking for all of them would copy them.
  package var ownHeaders: HTTPFields { parts.headers }

  /// Appends `Accept-Encoding: gzip, deflate`.
  package mutating func askForCompression() {
    asksForCompression = true
  }

  /// Puts the field that `askForCompression()` has added into the storage of the others, for readers that ask for them often.
  package mutating func mergeCompressionField() {
    guard asksForCompression else { return }
    asksForCompression = false
    own().headers.append(.compressionRequest)
  }

  /// The body. The default is none.
  public var body: RequestBody {
    get { parts.body }
    set { own().body = newValue }
  }

  /// Whether there is a body. Asking the body itself would copy it.
  package var hasBody: Bool { !parts.body.isEmpty }

  /// The length of the body, if it is known in advance. Asking the body itself would copy it.
  package var bodyLength: Int64? { parts.body.length }

  /// The other settings of the request.
  public var options: Options {
    get { parts.options }
    _modify { yield &own().options }
  }

  /// The credential of this request alone. The default is none.
  ///
  /// It takes the place of the session's tokens, and of an `Authorization` field. It is sent before the server asks for
  /// one, unless it may be used for Digest only, and it is not sent to another server after a redirect.
  public var credential: Credential? {
    get { extras.credential }
    set { extras.credential = newValue }
  }

  /// The fields that are sent after the body. The default is none.
  public var trailers: RequestTrailers? {
    get { hasExtras ? extras.trailers : nil }
    set { extras.trailers = newValue }
  }

  /// The text that identifies the resource in the session's cache, in place of the URL. The default is none.
  ///
  /// Set it for URLs with a part that does not identify the resource, such as a signature. It must not contain secrets. A request
  /// after a redirect, and one for the next page, has none.
  public var cacheKey: String? {
    get { hasExtras ? extras.cacheKey : nil }
    set { extras.cacheKey = newValue }
  }

  /// When and how often the request is sent again, in place of the session's policy. The default, `nil`, uses that of the
  /// session.
  public var retryPolicy: RetryPolicy? {
    get { hasExtras ? extras.retryPolicy : nil }
    set { extras.retryPolicy = newValue }
  }

  /// How far the file of a download is on its way to the disk when the caller receives it. The default is `.written`.
  ///
  /// Downloads that are resumed, and those of a `DownloadStore`, are always on the disk. A delivery to a file has a durability of
  /// its own (``FileDestination/durability``).
  public var fileDurability: FileDurability {
    get { hasExtras ? extras.fileDurability : .written }
    set { extras.fileDurability = newValue }
  }

  /// The path with placeholders, such as `/users/{id}`, by which metrics and spans group requests. The default, `nil`, groups
  /// them by method and server only.
  ///
  /// It must not contain what differs from request to request, nor secrets.
  public var urlTemplate: String? {
    get { hasExtras ? extras.urlTemplate : nil }
    set { extras.urlTemplate = newValue }
  }

  /// The interceptors of this request alone. Their type is not known in this module.
  package var ownInterceptors: [any Sendable] {
    get { hasExtras ? extras.interceptors : [] }
    set { extras.interceptors = newValue }
  }

  private var extras: RequestExtras {
    get { parts.extras?.value ?? RequestExtras() }
    set {
      hasExtras = newValue.isInUse
      own().extras = hasExtras ? Shared(newValue) : nil
    }
  }

  /// The server that the request goes to.
  ///
  /// - Throws: `MartletError` with code `.invalidURL` or `.unsupportedScheme`.
  public var origin: Origin {
    get throws(MartletError) { try parts.targetURL.origin.get() }
  }

  /// The path and query in the form of the request line (RFC 9112 §3.2.1).
  public var target: String { parts.targetURL.target }

  /// Whether the server processes the request only once, even if it is sent twice.
  package var isRepeatable: Bool {
    method.isIdempotent || ownHeaders[.idempotencyKey].map { !$0.isEmpty } ?? false
  }

  /// Whether the URL contains user information.
  package var hasUserInfo: Bool { parts.targetURL.hasUserInfo }

  /// Returns the request as a command of curl, for a POSIX shell.
  ///
  ///     let request = try api.request(.get, "terns", headers: ["Accept": "text/csv"])
  ///     print(request.curlCommand())    // curl --header 'Accept: text/csv' https://api.example.com/terns
  ///
  /// `response.request` has the fields that the session has added. Time-outs, trailers and other options of the request
  /// are not part of the command. A body that is neither a file nor at most 64 KiB in memory is read from the standard
  /// input.
  ///
  /// - Parameter showsSecrets: Whether the command has the values of secret fields, passwords and tokens. The default is
  ///   false: `***` takes their place, also in forms and JSON. A body whose secrets cannot be found, such as a multipart form,
  ///   is read from the standard input then.
  /// - Returns: The command, on one line unless the body has several.
  public func curlCommand(showsSecrets: Bool = false) -> String {
    CurlCommand(self, showsSecrets: showsSecrets).text
  }

  /// Returns the time-outs of the request, or the given time-outs if it has none. Its `timeoutInterval` overrides
  /// `idle`.
  public func timeouts(default timeouts: Timeouts) -> Timeouts {
    var timeouts = parts.options.timeouts ?? timeouts
    if let interval = parts.options.timeoutInterval { timeouts.idle = interval }
    return timeouts.bounded
  }

  /// The request without the internal state of a pipeline's interceptors, so that it can be sent again.
  package var withoutInterceptorState: Request {
    var request = self
    request.delivery.isDeferredToInterceptor = false
    request.delivery.requiresHead = false
    return request
  }

  /// Returns the parts for a change; copies them first if another request shares them.
  private mutating func own() -> RequestParts {
    if !isKnownUniquelyReferenced(&parts) { parts = parts.copy() }
    return parts
  }
}

/// What a response and a call keep of a request.
struct KeptRequest: Sendable {
  let parts: RequestParts
  let asksForCompression: Bool
}

extension HTTPFields {
  fileprivate var withCompressionRequest: HTTPFields {
    var fields = self
    fields.append(.compressionRequest)
    return fields
  }
}

extension HTTPField {
  /// The field of a request that accepts compressed bodies.
  package static let compressionRequest = HTTPField(name: .acceptEncoding, value: "gzip, deflate")
}

/// The storage of a request, shared by its copies until one of them changes.
///
/// A request is passed through every interceptor. Copying one reference is cheaper than copying many.
///
/// Unchecked because only `Request` changes it, and only if it has the only reference. For that reason, the
/// accesses to a property need no checks of their own at run time: an access to it is one to the request, and the compiler
/// checks those.
final class RequestParts: @unchecked Sendable {
  @exclusivity(unchecked) var method: HTTPRequest.Method
  /// The URL, parsed once when it is set.
  @exclusivity(unchecked) var targetURL: TargetURL
  @exclusivity(unchecked) var headers: HTTPFields
  @exclusivity(unchecked) var body: RequestBody
  @exclusivity(unchecked) var options: Request.Options
  /// A reference, so that a request without extras stays small.
  @exclusivity(unchecked) var extras: Shared<RequestExtras>?

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
    extras = other.extras
  }

  func copy() -> RequestParts {
    RequestParts(self)
  }
}

/// The parts that few requests have.
struct RequestExtras: Sendable {
  var credential: Credential?
  var interceptors: [any Sendable] = []
  var trailers: RequestTrailers?
  var cacheKey: String?
  var retryPolicy: RetryPolicy?
  var urlTemplate: String?
  var fileDurability = FileDurability.written

  var isInUse: Bool {
    credential != nil || !interceptors.isEmpty || trailers != nil || cacheKey != nil
      || retryPolicy != nil || urlTemplate != nil || fileDurability != .written
  }
}

extension Request: CustomStringConvertible, CustomReflectable {
  /// The request as text, such as
  /// `<Request: POST https://example.com/ [Authorization: ***], 12 bytes>`; secrets are masked.
  public var description: String {
    "<Request: \(method.rawValue) \(url.masked)\(headers.masked)\(body.amount)>"
  }

  /// The mirror for debuggers; secrets are masked.
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
  /// The size of the body, as the end of a description.
  fileprivate var amount: String {
    if isEmpty { return "" }
    return length.map { ", \($0) bytes" } ?? ", a body of unknown length"
  }
}
