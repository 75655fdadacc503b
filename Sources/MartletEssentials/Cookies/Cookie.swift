public import EssentialFoundation
import MartletCore

/// A cookie: a name, a value, and the requests with which it is sent (RFC 6265bis §5.7).
///
/// ``init(setCookie:from:at:)`` makes a cookie from the field of a server, and checks all rules. ``CookieJar/set(_:)``
/// checks a cookie that is made by hand.
public struct Cookie: Hashable, Codable, Sendable {
  /// The name; empty for a cookie that has only a value.
  public var name: String
  /// The value. Bytes that were not UTF-8 have been replaced.
  public var value: String
  /// The host or the domain to which it is sent: in lower case and in ASCII, without a leading dot.
  public var domain: String
  /// Whether it is sent only to the host `domain`, and not to its subdomains.
  public var isHostOnly: Bool
  /// The path of the requests with which it is sent. It includes the paths below.
  public var path: String
  /// When it expires; `nil` for a session cookie.
  public var expires: Date?
  /// Whether it must only be sent over a secure channel: over TLS, or within this machine.
  public var isSecure: Bool
  /// Whether the scripts of a page must not read it. Martlet runs no scripts, so this has no effect.
  public var isHTTPOnly: Bool
  /// The `SameSite` attribute, which is about requests from other sites; `nil` when the server did not send it.
  ///
  /// The requests of a client without pages are like those that a user types into a browser's address bar: they do not
  /// come from another site (RFC 6265bis §5.2). So this attribute never withholds a cookie.
  public var sameSite: SameSite?
  /// When it was first set. Replacing the cookie does not change this date, unless the cookie had expired.
  public var created: Date
  /// When it was last sent; `created` if it has not been sent yet.
  public var lastUsed: Date

  /// The requests from other sites with which a cookie is sent.
  public enum SameSite: String, Hashable, Codable, Sendable {
    /// No requests.
    case strict = "Strict"
    /// Requests that change nothing and open a new page.
    case lax = "Lax"
    /// All requests. The field calls this `None`, which could be confused with Swift's `nil`.
    case unrestricted = "None"
  }

  /// A cookie made by hand.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - value: The value.
  ///   - domain: The host or domain to which it is sent; an internationalised name in its ASCII form.
  ///   - isHostOnly: Whether it is sent only to that host. The default is true.
  ///   - path: The path of the requests with which it is sent. It includes the paths below. The default is `/`.
  ///   - expires: When it expires. The default, `nil`, makes a session cookie.
  ///   - isSecure: Whether it must only be sent over a secure channel. The default is false.
  ///   - isHTTPOnly: Whether the scripts of a page must not read it. The default is false.
  ///   - sameSite: The `SameSite` attribute. The default is none.
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

  /// Whether it has expired.
  public func isExpired(at now: Date = Date()) -> Bool {
    expires.map { $0 <= now } ?? false
  }

  /// The key that identifies it in a jar. Another cookie with the same key replaces it.
  var key: CookieKey { CookieKey(self) }

  /// The cookie as it is written in a `Cookie` field (§5.8.3).
  var pair: String { name.isEmpty ? value : "\(name)=\(value)" }
}

/// The properties that identify a cookie in a jar (RFC 6265bis §5.7).
struct CookieKey: Hashable, Sendable {
  let domain: String
  let isHostOnly: Bool
  // Bytes, because texts that are equal in Unicode can be different names.
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
  /// Checks that a field can contain the cookie, and that a server could have set it.
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

  /// Checks that the domain is valid. The host of a URL may be any text.
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
  /// Whether a `Cookie` field can contain it unchanged.
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

  /// The properties that debuggers show. The value is masked here, too.
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
  /// The date in a description. It may be outside the range of calendars.
  fileprivate var text: String {
    let isWritable = (-62_135_596_800..<253_402_300_800).contains(timeIntervalSince1970)
    return isWritable ? formatted(.iso8601) : "a date out of range"
  }
}
