public import EssentialFoundation
import MartletCore

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

/// Cookies that are made by hand, or come from a file.
extension Cookie {
  /// Checks that fields can hold the cookie, and that a server could have set it.
  func check() throws(CookieRefusal) {
    let texts = [name, value, domain, path]
    guard !texts.contains(where: { $0.utf8.contains(where: \.isForbiddenInCookies) }) else {
      throw .controlCharacter
    }
    guard !name.isEmpty || !value.isEmpty else { throw .empty }
    guard name.utf8.count + value.utf8.count <= Self.maximumLength else { throw .tooLong }
    guard name.isPartOfCookie, !name.utf8.contains(UInt8(ascii: "=")) else { throw .name }
    guard value.isPartOfCookie else { throw .value }
    guard path.utf8.first == UInt8(ascii: "/") else { throw .path }
    try checkDomain()
    guard sameSite != .unrestricted || isSecure else { throw .sameSiteNone }
    try checkPrefix(hasPath: true)
  }

  /// Checks that the domain is one; the host of a URL may be anything.
  func checkDomain() throws(CookieRefusal) {
    guard domain.utf8.allSatisfy({ $0 < 0x80 }) else { throw .domainNotASCII }
    guard !domain.isEmpty, domain.utf8.first != UInt8(ascii: "."),
      domain.utf8.allSatisfy({ $0 > 0x20 && $0 == $0.lowercased }),
      !domain.utf8.contains(where: { "#/[]@".utf8.contains($0) })
    else { throw .domain }
    guard isHostOnly || !PublicSuffix.contains(domain) else { throw .publicSuffix(domain) }
  }
}

extension String {
  /// Whether a `Cookie` field can hold it as it is.
  fileprivate var isPartOfCookie: Bool {
    let blanks: [UInt8?] = [0x20, 0x09]
    return !utf8.contains(UInt8(ascii: ";")) && !blanks.contains(utf8.first)
      && !blanks.contains(utf8.last)
  }
}

extension Cookie: CustomStringConvertible, CustomReflectable {
  /// The cookie as text, such as `<Cookie: id=*** for example.com and below, path /, secure>`; its value is
  /// masked.
  public var description: String {
    let pair = name.isEmpty ? "***" : "\(name.masked)=***"
    return "<Cookie: \(pair) for \(domain.masked)\(traits)>"
  }

  /// What debuggers show; the value is masked here, too.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "name": name.masked, "value": "***", "domain": domain.masked, "isHostOnly": isHostOnly,
        "path": path.masked, "expires": expires as Any, "isSecure": isSecure,
        "isHTTPOnly": isHTTPOnly, "sameSite": sameSite as Any, "created": created,
        "lastUsed": lastUsed,
      ], displayStyle: .struct)
  }

  private var traits: String {
    var traits = isHostOnly ? "" : " and below"
    traits += ", path \(path.masked)"
    if isSecure { traits += ", secure" }
    if isHTTPOnly { traits += ", HTTP only" }
    if let sameSite { traits += ", SameSite \(sameSite.rawValue)" }
    if let expires { traits += ", until \(expires.text)" }
    return traits
  }
}

extension Date {
  /// The date as a description has it; which may be outside of what calendars have.
  fileprivate var text: String {
    let isWritable = (-62_135_596_800..<253_402_300_800).contains(timeIntervalSince1970)
    return isWritable ? formatted(.iso8601) : "another age"
  }
}
