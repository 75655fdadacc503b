package import HTTPTypes

extension Request {
  /// The settings of a request that are not part of its message. `nil` uses the session's setting.
  ///
  /// The first six are AFNetworking's request properties. "Not set" and "set to the default" are
  /// different states (REQ-H10).
  public struct Options: Hashable, Sendable {
    /// Whether cellular links may be used. Stored for Apple platforms; the engine does not use it.
    public var allowsCellularAccess: Bool?
    /// How caches are used.
    public var cachePolicy: CachePolicy?
    /// Whether cookies are sent and stored.
    public var shouldHandleCookies: Bool?
    /// Whether requests may be sent on an HTTP/1.1 connection before earlier responses have arrived. The engine never
    /// does that.
    public var shouldUsePipelining: Bool?
    /// The purpose of the traffic. Stored for Apple platforms; the engine does not use it.
    public var networkServiceType: NetworkServiceType?
    /// The longest wait between two bytes. It overrides `idle` of the time-outs.
    public var timeoutInterval: Duration?
    /// The request's own time-outs, in place of the session's.
    public var timeouts: Timeouts?
    /// Whether to send `Expect: 100-continue` and wait for `100 Continue` before the body is sent, for at most one
    /// second (RFC 9110 §10.1.1). The default is false.
    ///
    /// If the server answers with status 417, the request is sent again without the field, provided that its body can
    /// be sent again or has not been sent yet.
    public var expectsContinue = false
    /// Which redirects are followed, in place of the session's policy.
    public var redirectPolicy: RedirectPolicy?
    /// The priority among several waiting requests. The default is `.medium`. It applies when a session makes the call
    /// of the request; a call of your own has its own priority.
    public var priority = Priority.medium

    /// Options that leave everything to the session.
    public init() {}
  }

  /// How caches are used: the six policies of Foundation's `NSURLRequest.CachePolicy`, with Apple's numbers.
  public enum CachePolicy: Int, CaseIterable, Hashable, Codable, Sendable {
    /// According to the protocol.
    case useProtocolCachePolicy = 0
    /// Always from the server.
    case reloadIgnoringLocalCacheData = 1
    /// From the cache regardless of age, else from the server.
    case returnCacheDataElseLoad = 2
    /// From the cache regardless of age. Without a cached response or a cache the request fails.
    case returnCacheDataDontLoad = 3
    /// Always from the origin server. `Cache-Control: no-cache` is sent to intermediate caches (RFC 9111 §5.2.1.4),
    /// unless the request has its own `Cache-Control`.
    case reloadIgnoringLocalAndRemoteCacheData = 4
    /// From a cache only after revalidation with the origin server, unless the response is immutable (RFC 8246).
    /// Intermediate caches are asked to revalidate.
    case reloadRevalidatingCacheData = 5

    /// Whether a response in the session's cache may be used.
    package var usesCachedResponses: Bool {
      switch self {
      case .useProtocolCachePolicy, .returnCacheDataElseLoad, .returnCacheDataDontLoad: true
      case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData,
        .reloadRevalidatingCacheData:
        false
      }
    }

    /// Adds `no-cache` where the policy requires it, so that caches on the way to the origin server do not answer
    /// themselves (RFC 9111 §5.2.1.4). A `Cache-Control` field that is already there is not changed.
    package func addDirectives(to headers: inout HTTPFields) {
      switch self {
      case .reloadIgnoringLocalAndRemoteCacheData, .reloadRevalidatingCacheData:
        if !headers.contains(.cacheControl) { headers[.cacheControl] = "no-cache" }
      case .useProtocolCachePolicy, .reloadIgnoringLocalCacheData, .returnCacheDataElseLoad,
        .returnCacheDataDontLoad:
        break
      }
    }
  }

  /// The purpose of a request's traffic: the types of Foundation's `NSURLRequest.NetworkServiceType`, with Apple's
  /// numbers.
  public enum NetworkServiceType: UInt, CaseIterable, Hashable, Codable, Sendable {
    /// Ordinary traffic.
    case `default` = 0
    /// Control traffic of voice over IP.
    case voip = 1
    /// Video.
    case video = 2
    /// Background traffic, for which no user waits.
    case background = 3
    /// Voice.
    case voice = 4
    /// Data that a user waits for.
    case responsiveData = 6
    /// Streamed audio and video.
    case avStreaming = 8
    /// Responsive audio and video.
    case responsiveAV = 9
    /// Call signalling.
    case callSignaling = 11
  }

  /// The priority of a request among several waiting requests.
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
