public import Foundation

/// A cookie: a name, a value, and which requests they go with (RFC 6265bis §5.7).
///
/// What servers set comes from ``init(setCookie:from:at:)``, which knows all the rules. One that is made by
/// hand is checked when ``CookieJar/set(_:)`` takes it.
public struct Cookie: Hashable, Codable, Sendable {
  /// What it is called; empty for a cookie that is all value.
  public var name: String
  /// What it says. Bytes that were not UTF-8 have been replaced.
  public var value: String
  /// The host that it is for, or the domain whose hosts it is for: in lower case and in ASCII, without a
  /// dot in front.
  public var domain: String
  /// Whether it is for the host `domain` alone, and not for those below it.
  public var isHostOnly: Bool
  /// The path that requests must have, or begin with.
  public var path: String
  /// When it ends; `nil` when the session's end is its own.
  public var expires: Date?
  /// Whether it must only be sent over a secure channel: over TLS, or within this machine.
  public var isSecure: Bool
  /// Whether the scripts of a page must not see it. Here there are none, so it has no effect.
  public var isHTTPOnly: Bool
  /// What the server said about requests that come from other sites; `nil` when it said nothing.
  ///
  /// A client without pages makes requests as a user does who types into a browser's address bar: they
  /// come from no other site (RFC 6265bis §5.2), so that this withholds no cookie.
  public var sameSite: SameSite?
  /// When it was set first, however often it has been replaced since.
  public var created: Date
  /// When it was last sent.
  public var lastUsed: Date

  /// Which requests that come from other sites a cookie goes with.
  public enum SameSite: String, Hashable, Codable, Sendable {
    /// None.
    case strict = "Strict"
    /// Those that change nothing, and make a page of their own.
    case lax = "Lax"
    /// All, which the field calls `None`; that name would be taken for Swift's `nil`.
    case unrestricted = "None"
  }

  /// A cookie made by hand.
  ///
  /// - Parameters:
  ///   - name: What it is called.
  ///   - value: What it says.
  ///   - domain: The host or domain that it is for; an internationalised name in its ASCII form.
  ///   - isHostOnly: Whether it is for that host alone. The default is true.
  ///   - path: The path that requests must have, or begin with. The default is `/`.
  ///   - expires: When it ends. The default, `nil`, is with the session.
  ///   - isSecure: Whether it must only be sent over a secure channel. The default is false.
  ///   - isHTTPOnly: Whether the scripts of a page must not see it. The default is false.
  ///   - sameSite: What is said about requests from other sites. The default is nothing.
  ///   - created: When it was made. The default is now.
  public init(
    name: String, value: String, domain: String, isHostOnly: Bool = true, path: String = "/",
    expires: Date? = nil, isSecure: Bool = false, isHTTPOnly: Bool = false,
    sameSite: SameSite? = nil, created: Date = Date()
  ) {
    self.name = name
    self.value = value
    self.domain = domain
    self.isHostOnly = isHostOnly
    self.path = path
    self.expires = expires
    self.isSecure = isSecure
    self.isHTTPOnly = isHTTPOnly
    self.sameSite = sameSite
    self.created = created
    lastUsed = created
  }

  /// Whether its time is over.
  public func isExpired(at now: Date = Date()) -> Bool {
    expires.map { $0 <= now } ?? false
  }

  /// What tells it from the other cookies of a jar; another with the same replaces it.
  var key: CookieKey { CookieKey(self) }

  /// The cookie as a `Cookie` field has it (§5.8.3).
  var pair: String { name.isEmpty ? value : "\(name)=\(value)" }
}

/// What a jar tells cookies apart by (RFC 6265bis §5.7).
struct CookieKey: Hashable, Sendable {
  let domain: String
  let isHostOnly: Bool
  // Bytes, for texts that Unicode takes for the same are different names.
  private let name: [UInt8]
  private let path: [UInt8]

  init(_ cookie: Cookie) {
    domain = cookie.domain
    isHostOnly = cookie.isHostOnly
    name = Array(cookie.name.utf8)
    path = Array(cookie.path.utf8)
  }
}
