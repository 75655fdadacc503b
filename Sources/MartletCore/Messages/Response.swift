public import EssentialFoundation
public import HTTPTypes
import NIOCore

/// The response to a request.
public struct Response: Sendable {
  private var parts: ResponseParts

  /// A response from its parts.
  public init(
    head: ResponseHead, url: URL, body: ResponseBody = .empty,
    metrics: ExchangeMetrics = ExchangeMetrics()
  ) {
    parts = ResponseParts(head, from: .url(url, nil), body: body, metrics: metrics)
  }

  /// A response to a request.
  package init(
    head: ResponseHead, to request: Request, body: ResponseBody, metrics: ExchangeMetrics
  ) {
    parts = ResponseParts(head, from: .request(request.kept), body: body, metrics: metrics)
  }

  /// The status line and header section.
  public var head: ResponseHead {
    get { parts.head }
    _modify { yield &own().head }
  }

  /// The final URL, after all redirects.
  public var url: URL {
    get {
      switch parts.source {
      case .url(let url, _): url
      case .request(let request): request.parts.targetURL.url
      }
    }
    set { own().source = .url(newValue, parts.source.request) }
  }

  /// The request that was answered: the last one after redirects and challenges, with the fields that the session has
  /// added, and without its delivery and call. `nil` if the transport has not set it.
  public var request: Request? {
    get { parts.source.request.map { Request($0) } }
    set { own().source = .url(url, newValue?.kept) }
  }

  /// Whether the request is known.
  package var hasRequest: Bool { parts.source.request != nil }

  /// The body, delivered according to the request's `delivery`.
  public var body: ResponseBody {
    get { parts.body }
    set { own().body = newValue }
  }

  /// The redirects that were followed, in order of arrival.
  public var redirects: [Redirect] {
    get { parts.extras?.value.redirects ?? [] }
    set { extras.redirects = newValue }
  }

  /// The error of authentication, for a response of status 401: the server refused the credentials, or they fit none of
  /// its challenges. `nil` for other responses, and if there were no credentials.
  public var authenticationError: MartletError? {
    get { parts.extras?.value.authenticationError }
    set { extras.authenticationError = newValue }
  }

  /// The connection, if the server has switched to another protocol or made it a tunnel; else `nil`.
  public var upgradedConnection: (any ByteStream)? {
    get { parts.extras?.value.upgradedConnection }
    set { extras.upgradedConnection = newValue }
  }

  /// What the session's cache has done with the request; `nil` without a cache.
  public var cacheStatus: CacheStatus? {
    get { parts.extras?.value.cacheStatus }
    set { extras.cacheStatus = newValue }
  }

  /// The attempts before this response that have failed, the latest 20 of them, in order.
  public var failedAttempts: [FailedAttempt] {
    get { parts.extras?.value.failedAttempts ?? [] }
    set { extras.failedAttempts = newValue }
  }

  /// Whether head and body come from a cache, so that the head is not news from the server.
  package var isFromCache: Bool {
    get { parts.extras?.value.isFromCache ?? false }
    set { extras.isFromCache = newValue }
  }

  /// Sets what the session's cache has done, and whether head and body come from it.
  package mutating func set(cacheStatus: CacheStatus, isFromCache: Bool) {
    var extras = extras
    (extras.cacheStatus, extras.isFromCache) = (cacheStatus, isFromCache)
    self.extras = extras
  }

  /// Whether the response is known to answer a request that no interceptor has changed.
  package func isAnswer(to request: Request) -> Bool {
    guard let answered = parts.source.request else { return false }
    return answered.parts === request.parts
      && answered.asksForCompression == request.asksForCompression
  }

  /// The number of body bytes that no event has reported, because the response might not have been the caller's.
  package var unreportedBytes: Int {
    get { parts.unreportedBytes }
    set { own().unreportedBytes = newValue }
  }

  /// The metrics of the exchange so far; final when the body has ended.
  public var metrics: ExchangeMetrics {
    get { parts.body.completion?.metrics ?? parts.metrics }
    set { own().metrics = newValue }
  }

  /// The status code and reason phrase.
  public var status: HTTPResponse.Status { head.status }
  /// The header fields, in order of arrival.
  public var headers: HTTPFields { head.headers }
  /// The trailer fields (RFC 9110 §6.5), when the body has ended.
  public var trailers: HTTPFields? { parts.body.completion?.trailers }

  /// The media type without parameters, in lower case, or `nil` when there is none.
  public var mimeType: String? { head.mimeType }
  /// The charset that the media type names, in lower case, or `nil` when it names none.
  public var charset: String? { head.charset }

  private var extras: ResponseExtras {
    get { parts.extras?.value ?? ResponseExtras() }
    set { own().extras = Shared(newValue) }
  }

  /// Returns the parts for a change; copies them first if another response shares them.
  private mutating func own() -> ResponseParts {
    if !isKnownUniquelyReferenced(&parts) { parts = parts.copy() }
    return parts
  }
}

/// The storage of a response, shared by its copies until one of them changes.
///
/// A response is passed through every interceptor. Copying one reference is cheaper than copying many.
///
/// Unchecked because only `Response` refers to it, and changes it only if it has the only reference. For that reason, the
/// accesses to a property need no checks of their own at run time: an access to it is one to the response, and the
/// compiler checks those.
final class ResponseParts: @unchecked Sendable {
  /// The source of the response's URL.
  enum Source {
    case url(URL, KeptRequest?)
    case request(KeptRequest)

    /// The request that was answered, if it is known.
    var request: KeptRequest? {
      switch self {
      case .url(_, let request): request
      case .request(let request): request
      }
    }
  }

  @exclusivity(unchecked) var head: ResponseHead
  @exclusivity(unchecked) var source: Source
  @exclusivity(unchecked) var body: ResponseBody
  @exclusivity(unchecked) var metrics: ExchangeMetrics
  @exclusivity(unchecked) var unreportedBytes = 0
  /// A reference, so that a response without extras stays small.
  @exclusivity(unchecked) var extras: Shared<ResponseExtras>?

  init(_ head: ResponseHead, from source: Source, body: ResponseBody, metrics: ExchangeMetrics) {
    self.head = head
    self.source = source
    self.body = body
    self.metrics = metrics
  }

  func copy() -> ResponseParts {
    let copy = ResponseParts(head, from: source, body: body, metrics: metrics)
    copy.unreportedBytes = unreportedBytes
    copy.extras = extras
    return copy
  }
}

/// The parts that few responses have.
struct ResponseExtras: Sendable {
  var redirects: [Redirect] = []
  var authenticationError: MartletError?
  var upgradedConnection: (any ByteStream)?
  var cacheStatus: CacheStatus?
  var isFromCache = false
  var failedAttempts: [FailedAttempt] = []
}

extension Response: CustomStringConvertible, CustomReflectable {
  /// The response as text, such as `<Response: 200 OK [Set-Cookie: ***] from https://example.com/, 12
  /// bytes>`; secrets are masked.
  public var description: String { "<Response: \(head.text) from \(url.masked), \(body)>" }

  /// The mirror for debuggers; secrets are masked.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "head": head, "url": url.masked, "body": body, "redirects": redirects, "metrics": metrics,
      ], displayStyle: .struct)
  }
}

extension ResponseBody: CustomStringConvertible, CustomReflectable {
  /// The body as text: `12 bytes`, `a stream`, or `the file /tmp/x`.
  public var description: String {
    if let bytes { return "\(bytes.readableBytes) bytes" }
    return file.map { "the file \($0.path.masked)" } ?? "a stream"
  }

  /// A mirror without children: debuggers show only the description.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
