public import EssentialFoundation
public import MartletCore

/// How a session uses its cache.
///
///     let api = HTTPSessionManager(baseURL: url) {
///       $0.cache = MemoryResponseCache()
///       $0.cacheOptions.acceptedStalenessAfterErrors = 86_400    // offline, what is a day old is better than nothing
///     }
public struct CacheOptions: Sendable {
  /// Who uses the stored responses.
  public enum Mode: Hashable, Sendable {
    /// One user, or one program: responses are stored separately for each set of credentials.
    case `private`
    /// Several users: only responses that servers allow for all are stored (RFC 9111 §3.5).
    case shared
  }

  /// Who uses the stored responses. The default is `.private`.
  public var mode = Mode.private
  /// The lifetime of a response that does not specify one, as a fraction of the time since it was modified (RFC 9111
  /// §4.2.2). It is used within 0...1. The default is 0.1; with 0, such a response is never fresh.
  public var heuristicFraction = 0.1
  /// The longest lifetime of such a response, in seconds. The default is a day.
  public var heuristicLimit: TimeInterval = 86_400
  /// How many seconds stale a stored response may be that is used because the server cannot be reached, answers with
  /// 500, 502, 503 or 504, or does not answer with HTTP. Servers may allow more, and forbid it (RFC 5861 §4). The default
  /// is 0.
  public var acceptedStalenessAfterErrors: TimeInterval = 0
  /// Whether identical GET requests that are made at the same time share one exchange (RFC 9111 §4). The default is
  /// false.
  public var collapsesRequests = false
  /// Returns the text that identifies a request's resource in place of its URL, for example without a signature; `nil`
  /// for the URL. The default is none. A request's own `cacheKey` has precedence.
  public var key: (@Sendable (_ request: Request) -> String?)?
  /// The name of the cache in `Cache-Status` (RFC 9211). The default is `Martlet`.
  public var name = "Martlet"

  /// The documented defaults.
  public init() {}
}
