/// What a cache has done with a request: the value of a `Cache-Status` field (RFC 9211).
///
///     let page = try await api.get("news")
///     print(page.cacheStatus.map { "\($0)" } ?? "no cache")    // Martlet; hit; ttl=52
public struct CacheStatus: Hashable, Sendable {
  /// Why a request was sent to the server (RFC 9211 §2.2).
  public enum ForwardReason: String, Hashable, Sendable {
    /// The cache does not handle such requests.
    case bypass
    /// The method cannot be answered from a cache.
    case method
    /// No response is stored for the URL.
    case uriMiss = "uri-miss"
    /// Responses are stored for the URL, but none for the request's fields that `Vary` names.
    case varyMiss = "vary-miss"
    /// The request does not accept the stored response.
    case request
    /// The stored response is not fresh.
    case stale
    /// Only a part of what is requested is stored.
    case partial
  }

  /// The name of the cache.
  public var cache: String
  /// Why the request was sent to the server; `nil` when it was not sent.
  public var forwardReason: ForwardReason?
  /// The status of the server's response, if the request was sent.
  public var forwardStatus: Int?
  /// The seconds for which the stored response stays fresh; negative if it is stale. `nil` if that is not known.
  public var timeToLive: Int?
  /// Whether the server's response is stored, provided that its body arrives.
  public var isStored = false
  /// Whether the request shared the exchange of another one.
  public var isCollapsed = false
  /// More about the decision, for people; `nil` if there is no more.
  public var detail: String?

  /// The status of a request.
  ///
  /// - Parameters:
  ///   - cache: The name of the cache.
  ///   - reason: Why the request was sent to the server; `nil` when it was not sent.
  public init(cache: String, forwardReason reason: ForwardReason?) {
    self.cache = cache
    forwardReason = reason
  }

  /// Whether the response comes from the cache, and the request was not sent.
  public var isHit: Bool { forwardReason == nil }
}

extension CacheStatus: CustomStringConvertible {
  /// The value of the field, such as `Martlet; fwd=stale; fwd-status=304`.
  public var description: String {
    var text = cache.tokenOrQuoted
    // Room for most statuses, so that the text is not moved while it grows.
    text.reserveCapacity(text.utf8.count + 48)
    if let forwardReason {
      text.append(parameter: "; fwd=", forwardReason.rawValue)
    } else {
      text += "; hit"
    }
    if let forwardStatus { text.append(parameter: "; fwd-status=", String(forwardStatus)) }
    if let timeToLive { text.append(parameter: "; ttl=", String(timeToLive)) }
    if isStored { text += "; stored" }
    if isCollapsed { text += "; collapsed" }
    if let detail { text.append(parameter: "; detail=", detail.tokenOrQuoted) }
    return text
  }
}

extension String {
  fileprivate mutating func append(parameter: String, _ value: String) {
    self += parameter
    self += value
  }

  /// The text as a token, or else as a quoted string of visible ASCII characters (RFC 8941 §3.3).
  fileprivate var tokenOrQuoted: String {
    if let first = utf8.first, first.isLetter, utf8.allSatisfy(\.isTokenCharacter) { return self }
    let visible = unicodeScalars.map { (" "..."~").contains($0) ? Character($0) : "?" }
    return "\"" + visible.map { "\"\\".contains($0) ? "\\\($0)" : "\($0)" }.joined() + "\""
  }
}
