extension Request {
  /// What can be said about a request beside its message; `nil` leaves it to the session.
  ///
  /// The first six are AFNetworking's request properties. "Not set" and "set to the default" are
  /// different states (REQ-H10).
  public struct Options: Hashable, Sendable {
    /// Whether cellular links may be used. Carried for Apple platforms; the engine has no such links.
    public var allowsCellularAccess: Bool?
    /// How caches are used.
    public var cachePolicy: CachePolicy?
    /// Whether cookies are sent and stored.
    public var shouldHandleCookies: Bool?
    /// Whether requests may be sent before earlier responses have arrived. The engine never does.
    public var shouldUsePipelining: Bool?
    /// What the traffic is for. Carried for Apple platforms.
    public var networkServiceType: NetworkServiceType?
    /// The longest wait between two bytes; wins over the `idle` of the time-outs in force.
    public var timeoutInterval: Duration?
    /// The request's own time-outs, in place of the session's.
    public var timeouts: Timeouts?
    /// Whether to ask the server's leave before the body is sent, waiting at most a second for it
    /// (RFC 9110 §10.1.1). The default is false. A request that is answered with status 417 for it is sent again
    /// without, if its body can be sent again or has not begun to be.
    public var expectsContinue = false

    /// Options that leave everything to the session.
    public init() {}
  }

  /// How caches are used: the six policies of Foundation's `NSURLRequest.CachePolicy`, with Apple's numbers.
  public enum CachePolicy: Int, CaseIterable, Hashable, Codable, Sendable {
    /// What the protocol says.
    case useProtocolCachePolicy = 0
    /// Always from the server.
    case reloadIgnoringLocalCacheData = 1
    /// From the cache whatever its age, else from the server.
    case returnCacheDataElseLoad = 2
    /// From the cache whatever its age, or not at all. Without a cache the request fails.
    case returnCacheDataDontLoad = 3
    /// Always from the origin server: caches on the way are asked not to answer, by `Cache-Control: no-cache`
    /// (RFC 9111 §5.2.1.4), unless the request has a `Cache-Control` of its own.
    case reloadIgnoringLocalAndRemoteCacheData = 4
    /// From a cache only after the origin server has confirmed it. A session's cache revalidates nothing, so
    /// the response is loaded anew; caches on the way are asked to revalidate theirs.
    case reloadRevalidatingCacheData = 5

    /// Whether a response that a session has kept may answer.
    package var usesCachedResponses: Bool {
      switch self {
      case .useProtocolCachePolicy, .returnCacheDataElseLoad, .returnCacheDataDontLoad: true
      case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData,
        .reloadRevalidatingCacheData:
        false
      }
    }
  }

  /// What the traffic of a request is for: the types of Foundation's `NSURLRequest.NetworkServiceType`, with
  /// Apple's numbers.
  public enum NetworkServiceType: UInt, CaseIterable, Hashable, Codable, Sendable {
    /// Ordinary traffic.
    case `default` = 0
    /// Control traffic of calls over the Internet.
    case voip = 1
    /// Video.
    case video = 2
    /// Work without a waiting user.
    case background = 3
    /// Voice.
    case voice = 4
    /// Data that a user waits for.
    case responsiveData = 6
    /// Audio and video that are streamed.
    case avStreaming = 8
    /// Audio and video that respond to their user.
    case responsiveAV = 9
    /// Signals of calls.
    case callSignaling = 11
  }

  /// Which of several waiting requests goes first.
  public enum Priority: Int, Hashable, Comparable, Sendable {
    /// After all others.
    case low = 0
    /// The default.
    case medium = 1
    /// Before all others.
    case high = 2

    /// Whether `left` goes after `right`.
    public static func < (left: Priority, right: Priority) -> Bool {
      left.rawValue < right.rawValue
    }
  }
}
