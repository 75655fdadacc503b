import HTTPTypes
import MartletCore

/// Whether a response may be stored (RFC 9111 §3).
enum Storability {
  /// The most field names in `Vary` with which a response is stored.
  private static let mostVaryingFields = 32

  /// Whether the response to a request may be stored.
  static func isStorable(
    _ head: ResponseHead, _ metadata: CacheMetadata, to sent: SentRequest, _ options: CacheOptions
  ) -> Bool {
    let (request, mode) = (sent.request, options.mode)
    return allows(metadata.control, sent.control)
      && (mode == .private || isShareable(head, to: request, metadata.control, sent.connections))
      && hasReason(head, metadata, mode)
      && isReusable(head, metadata, to: request)
      && (request.method == .get || isReusableAfterPost(head, to: request, metadata, mode))
  }

  /// Whether the request was sent with the fields by which the response is stored: the credentials, and the fields in
  /// its `Vary`.
  ///
  /// If an interceptor below the cache has changed one of them, a later request with the same fields may have to receive
  /// another response.
  static func isAnswer(_ response: Response, to request: Request) -> Bool {
    guard !response.isAnswer(to: request), let sent = response.request else { return true }
    let head = response.head
    return sent.headers.secrets == request.headers.secrets
      && CachedResponse.Record.varyHeaders(of: head, to: sent)
        == CachedResponse.Record.varyHeaders(of: head, to: request)
  }

  /// Whether neither the request nor the response forbids it (§5.2.1.5, §5.2.2.5).
  ///
  /// With `must-understand`, `no-store` is for caches that do not implement the rules of the status (§5.2.2.3).
  private static func allows(_ control: CacheControl, _ requestControl: CacheControl) -> Bool {
    !requestControl.contains(.noStore)
      && (!control.contains(.noStore) || control.contains(.mustUnderstand))
  }

  /// Whether a cache for several users may store it (§3.5, §5.2.2.7). Cookies and client certificates identify users,
  /// as credentials do.
  private static func isShareable(
    _ head: ResponseHead, to request: Request, _ control: CacheControl,
    _ connections: ConnectionSettings?
  ) -> Bool {
    guard !control.contains(.private) else { return false }
    guard !control.contains(.public), control.sharedMaxAge == nil else { return true }
    let isForOne =
      head.headers.contains(.setCookie) || request.headers.contains(.cookie)
      || connections?.hasClientCertificate(for: request) == true
    guard !isForOne else { return false }
    return control.contains(.mustRevalidate) || !request.headers.haveSecret
  }

  /// Whether the response says that it may be stored, or its status allows it.
  private static func hasReason(
    _ head: ResponseHead, _ metadata: CacheMetadata, _ mode: CacheOptions.Mode
  ) -> Bool {
    let status = head.status
    guard HTTPResponse.Status.understood.contains(status.code) else { return false }
    return status.isHeuristicallyCacheable || metadata.isExplicit(in: mode)
      || metadata.control.contains(.public)
      || mode == .private && metadata.control.contains(.private)
  }

  /// Whether a later request could match it (§4.1), and whether a part can be used again (§3.3, §3.4).
  private static func isReusable(
    _ head: ResponseHead, _ metadata: CacheMetadata, to request: Request
  ) -> Bool {
    guard let names = head.headers.varyingNames, names.count <= mostVaryingFields else {
      return false
    }
    guard head.status == .partialContent else {
      return !request.headers.contains(.range) || head.status == .ok
    }
    return ContentRange(head)?.bytes != nil && metadata.entityTag?.isStrong == true
  }

  /// Whether the response to a POST may answer a later GET: it says how long it is fresh, and that it describes the
  /// target (RFC 9110 §9.3.3).
  private static func isReusableAfterPost(
    _ head: ResponseHead, to request: Request, _ metadata: CacheMetadata, _ mode: CacheOptions.Mode
  ) -> Bool {
    guard request.method == .post, head.status == .ok, metadata.isExplicit(in: mode),
      let location = head.headers[.contentLocation]
    else { return false }
    return CacheInvalidation.url(location, relativeTo: request.url).map { CacheKey.url(of: $0) }
      == CacheKey.url(of: request)
  }
}

extension HTTPResponse.Status {
  /// Whether a response of this status may be stored and used even if it does not say for how long (RFC 9110 §15.1).
  var isHeuristicallyCacheable: Bool {
    switch code {
    case 200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501: true
    default: false
    }
  }

  /// The statuses whose caching rules this cache implements. Responses of other statuses are not stored.
  fileprivate static let understood: Set<Int> = [
    200, 203, 204, 206, 300, 301, 302, 303, 307, 308, 400, 403, 404, 405, 410, 414, 500, 501, 502,
    503, 504,
  ]
}
