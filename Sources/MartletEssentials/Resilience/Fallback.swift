public import EssentialFoundation
import MartletCore

/// What takes the place of a response that cannot be had, after all attempts have failed.
///
///     $0.resilience.fallback = Fallback(staleResponses: true)
///     $0.resilience.fallback = Fallback(replacing: primary, with: secondary)
public struct Fallback: Hashable, Sendable {
  /// Whether a stored response is used however old it is. The default is false. It needs a cache.
  public var usesStaleResponses: Bool
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
  /// The second request has the same fields, also those with credentials.
  ///
  /// - Parameters:
  ///   - primary: The base URL of the requests. Other requests have no fallback.
  ///   - secondary: The base URL that takes its place.
  ///   - staleResponses: Whether a stored response is used after that, however old it is. The default is false.
  public init(replacing primary: URL, with secondary: URL, staleResponses: Bool = false) {
    usesStaleResponses = staleResponses
    baseURLs = [BaseURLs(primary: primary, secondary: secondary)]
  }

  /// Returns the requests that take the place of one that has failed, in order.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - isUnprocessed: Whether the server has certainly not processed it.
  /// - Returns: The requests.
  func requests(inPlaceOf request: Request, isUnprocessed: Bool) -> [Request] {
    guard request.body.isReplayable else { return [] }
    let mayBeSent = isUnprocessed || request.isRepeatable
    let others = mayBeSent ? baseURLs.compactMap { $0.request(inPlaceOf: request) } : []
    return others + (usesStaleResponses && request.method == .get ? [request.storedOnly] : [])
  }
}

extension Fallback.BaseURLs {
  fileprivate func request(inPlaceOf request: Request) -> Request? {
    let (url, base) = (request.url.absoluteString, primary.absoluteString.withSlash)
    guard url.withSlash.hasPrefix(base),
      let other = URL(string: secondary.absoluteString.withSlash + url.dropFirst(base.count))
    else { return nil }
    var request = request
    request.url = other
    return request
  }
}

extension Request {
  /// The request that only a stored response answers.
  fileprivate var storedOnly: Request {
    var request = self
    request.options.cachePolicy = .returnCacheDataDontLoad
    request.retryPolicy = RetryPolicy.none
    return request
  }
}

extension String {
  fileprivate var withSlash: String { hasSuffix("/") ? self : self + "/" }
}
