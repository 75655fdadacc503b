public import EssentialFoundation
import MartletCore

/// How a request is answered when all attempts have failed.
///
///     $0.resilience.fallback = Fallback(staleResponses: true)
///     $0.resilience.fallback = Fallback(replacing: primary, with: secondary)
public struct Fallback: Hashable, Sendable {
  /// Whether a stored response is used however old it is, also one that must be validated. The default is false. It needs a
  /// cache.
  public var usesStaleResponses: Bool
  /// Whether the request to the other base URL has the credentials of the first: `Authorization`, `Cookie` and the like. The
  /// default is false.
  public var keepsCredentials = false
  /// Base URLs that take the place of others, in order. The default is none.
  public var baseURLs: [BaseURLs]

  /// A base URL, and the one that takes its place.
  public struct BaseURLs: Hashable, Sendable {
    /// The base URL of the requests.
    public var primary: URL
    /// The base URL that is used if the server of the primary one cannot answer.
    public var secondary: URL
  }

  /// A fallback to stored responses.
  ///
  /// - Parameter staleResponses: Whether a stored response is used however old it is.
  public init(staleResponses: Bool) {
    usesStaleResponses = staleResponses
    baseURLs = []
  }

  /// A fallback to a second base URL.
  ///
  /// - Parameters:
  ///   - primary: The base URL of the requests. Other requests have no fallback.
  ///   - secondary: The base URL that takes its place.
  ///   - staleResponses: Whether a stored response is used after that, however old it is. The default is false.
  public init(replacing primary: URL, with secondary: URL, staleResponses: Bool = false) {
    usesStaleResponses = staleResponses
    baseURLs = [BaseURLs(primary: primary, secondary: secondary)]
  }

  /// A request in place of one that has failed.
  struct Replacement {
    let request: Request
    /// The other URL; `nil` for a stored response.
    let url: URL?
  }

  /// Returns the requests that take the place of one that has failed, in order.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - isUnprocessed: Whether the server has certainly not processed it.
  ///   - isDownload: Whether the response goes into a partial file, which belongs to the first URL.
  /// - Returns: The requests.
  func replacements(for request: Request, isUnprocessed: Bool, isDownload: Bool) -> [Replacement] {
    guard request.body.isReplayable else { return [] }
    // Another server does not know the `Idempotency-Key` of the first.
    let mayBeSent = (isUnprocessed || request.method.isIdempotent) && !isDownload
    let others = mayBeSent ? baseURLs.compactMap { $0.url(inPlaceOf: request) } : []
    let stored = usesStaleResponses && request.method == .get
    return others.compactMap { url in
      moved(request, to: url).map { Replacement(request: $0, url: url) }
    } + (stored ? [Replacement(request: request.storedOnly, url: nil)] : [])
  }

  /// Returns the request with another URL, and with credentials only if they are kept or the server is the same.
  private func moved(_ request: Request, to url: URL) -> Request? {
    var policy = RedirectPolicy()
    policy.allowsInsecure = true
    guard keepsCredentials else { return try? policy.request(request, movedTo: url) }
    var request = request
    request.url = url
    return request
  }
}

extension Fallback.BaseURLs {
  /// Returns the URL with the secondary base URL in place of the primary one; `nil` if it has another base URL.
  fileprivate func url(inPlaceOf request: Request) -> URL? {
    guard let origin = try? request.origin, origin == (try? Request(url: primary).origin) else {
      return nil
    }
    let (base, path) = (primary.path.withoutSlash, request.url.path.withoutSlash)
    guard path == base || path.hasPrefix(base + "/") else { return nil }
    let whole = request.target.drop { $0 != "/" && $0 != "?" }
    let rest = whole.dropFirst(Request(url: primary).target.withoutSlash.count)
    return URL(string: secondary.absoluteString.withoutSlash + rest)
  }
}

extension Request {
  /// The request that only a stored response answers.
  fileprivate var storedOnly: Request {
    var request = self
    request.options.cachePolicy = .returnCacheDataDontLoad
    request.retryPolicy = .never
    return request
  }
}

extension String {
  fileprivate var withoutSlash: String { hasSuffix("/") ? String(dropLast()) : self }
}
