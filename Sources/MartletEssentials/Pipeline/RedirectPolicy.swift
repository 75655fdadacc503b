import EssentialFoundation
import HTTPTypes
public import MartletCore

/// Which redirects are followed, and how the next request differs from the last.
extension RedirectPolicy {
  /// Whether a response is a redirect that this policy follows.
  public func follows(_ head: ResponseHead) -> Bool {
    isEnabled && Self.statuses.contains(head.status.code) && head.headers.contains(.location)
  }

  /// Returns the request to send after the response with `head` to `request`; `nil` when no redirect is followed.
  ///
  /// When the origin changes, `Host` and every field that is a credential are dropped: `Authorization`, `Cookie`,
  /// `Proxy-Authorization`, those that the caller marked as secret by the indexing strategy `.disallow`, and those whose names
  /// end with such words as `token`, `secret` or `api-key`. The user information in the redirect's URL is dropped, too.
  ///
  /// - Parameters:
  ///   - head: The head of the response.
  ///   - request: The request of that response.
  ///   - count: How many redirects have been followed already.
  /// - Returns: The next request, or `nil` when the response is not a redirect to follow.
  /// - Throws: `MartletError` with code `.tooManyRedirects`, `.insecureRedirect`, `.invalidURL`,
  ///   `.unsupportedScheme`, `.bodyNotReplayable`, or `.malformedResponse` for `Location` fields that differ.
  public func request(after head: ResponseHead, to request: Request, count: Int)
    throws(MartletError) -> Request?
  {
    try self.request(after: head, to: request, count: count, newBody: nil)
  }

  /// The same, with a closure that provides the body when it is needed again.
  func request(
    after head: ResponseHead, to request: Request, count: Int, newBody: (() -> RequestBody?)?
  ) throws(MartletError) -> Request? {
    guard follows(head), let location = try RedirectLocation(head.headers) else { return nil }
    guard count < limit else { throw .tooManyRedirects(limit: limit) }
    var next = try self.request(request, movedTo: try location.url(from: request.url))
    if Self.becomesGet(request.method, after: head.status.code) {
      next.becomeGet()
    } else if !next.body.isEmpty {
      next.body = try Self.body(next.body, or: newBody)
    }
    return next
  }

  /// Returns a request with a URL that a server has chosen. If the origin changes, it has no credentials. It has no `cacheKey`,
  /// which identifies another resource.
  ///
  /// - Throws: `MartletError` with code `.insecureRedirect`, `.invalidURL` or `.unsupportedScheme`.
  func request(_ request: Request, movedTo url: URL) throws(MartletError) -> Request {
    var next = request
    next.url = url
    next.cacheKey = nil
    let (old, new) = (try request.origin, try next.origin)
    // A server must not redirect its clients to sockets of their own machine.
    guard old == new || !new.isSocket else { throw .unsupportedScheme(url.scheme ?? "") }
    guard new.isSecure || !old.isSecure || allowsInsecure else { throw .insecureRedirect(to: url) }
    if old != new {
      next.dropCredentials()
    } else if request.hasUserInfo, !next.hasUserInfo {
      next.url = url.withUserInfo(of: request.url)
    }
    return next
  }

  private static func body(_ body: RequestBody, or newBody: (() -> RequestBody?)?)
    throws(MartletError) -> RequestBody
  {
    if let newBody {
      guard let body = newBody() else { throw .bodyNotReplayable }
      return body
    }
    guard body.isReplayable else { throw .bodyNotReplayable }
    return body
  }

  private static let statuses: Set<Int> = [301, 302, 303, 307, 308]

  private static func becomesGet(_ method: HTTPRequest.Method, after status: Int) -> Bool {
    switch status {
    case 301, 302: method == .post
    case 303: method != .get && method != .head
    default: false
    }
  }
}

extension Origin {
  fileprivate var isSocket: Bool {
    if case .unixSocket = endpoint { true } else { false }
  }
}

extension Request {
  fileprivate mutating func dropCredentials() {
    headers.removeAll(where: \.isSecret)
    trailers = trailers?.filter { !$0.isSecret }
    // A `Host` field of the caller is meant for the first server only.
    headers.removeAll(where: \.name.isHost)
    credential = nil
    // A server must not choose the user information that its clients send to another server.
    if hasUserInfo { url = url.withoutUserInfo }
  }

  fileprivate mutating func becomeGet() {
    method = .get
    body = .empty
    trailers = nil
    let describing: Set<HTTPField.Name> = [
      .contentType, .contentLength, .contentEncoding, .contentLanguage, .contentLocation,
      .transferEncoding,
    ]
    headers.removeAll { describing.contains($0.name) }
  }
}

/// The target of a redirect: the value of its `Location` (RFC 9110 §10.2.2).
struct RedirectLocation {
  /// A URL or a relative reference, in ASCII.
  private let text: String

  /// The location in the head of a response; `nil` when there is none.
  ///
  /// Bytes that are not ASCII are escaped one by one, whatever their encoding, as browsers and curl do: the server that
  /// wrote them understands them (§5.5). Over HTTP/2, bytes that are not UTF-8 arrive as U+FFFD: such a redirect cannot
  /// be followed. Equal fields count as one.
  ///
  /// - Throws: `MartletError` with code `.malformedResponse` for fields that differ, because clients that follow the
  ///   first one and clients that follow the last would send different requests (§5.3); with code `.invalidURL` for
  ///   lost bytes.
  init?(_ headers: HTTPFields) throws(MartletError) {
    let fields = headers[fields: .location]
    guard let first = fields.first else { return nil }
    if let other = fields.first(where: { $0 != first }) {
      throw .ambiguousRedirect(first.value, other.value)
    }
    guard !first.hasLostBytes else {
      throw .invalidURL(
        first.value,
        "the server redirects there, and some of its bytes are lost: U+FFFD stands for them")
    }
    text = first.withUnsafeBytesOfValue { bytes in
      var ascii: ArraySlice<UInt8> = []
      for byte in bytes {
        if byte < 0x80 { ascii.append(byte) } else { ascii.append(escapeOf: byte) }
      }
      return ascii.text
    }
  }

  /// Returns the URL of the location, in a response to a request for `base`.
  ///
  /// A relative reference is resolved. A location without a fragment inherits the fragment of `base` (§10.2.2).
  ///
  /// - Throws: `MartletError` with code `.invalidURL`.
  func url(from base: URL) throws(MartletError) -> URL {
    let base = URLReference(base.absoluteString)
    var url = URLReference(text).escaped.resolved(against: base)
    url.fragment = url.fragment ?? base.fragment
    do throws(URLProblem) {
      return try url.url()
    } catch {
      throw .invalidURL(text, "the server redirects there, and \(error.reason)")
    }
  }
}

extension HTTPField {
  /// Whether bytes that are not UTF-8 have been replaced in the value.
  fileprivate var hasLostBytes: Bool {
    withUnsafeBytesOfValue { $0.contains("\u{FFFD}".utf8) }
  }
}
