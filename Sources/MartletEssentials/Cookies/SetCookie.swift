public import EssentialFoundation
public import MartletCore

/// The parts of a `Set-Cookie` field (RFC 6265bis §5.6), before they are checked against the request.
struct SetCookie {
  private(set) var name: String
  private(set) var value: String
  /// The date of `Expires`.
  private(set) var expires: Date?
  /// The seconds of `Max-Age`.
  private(set) var maxAge: Int?
  /// The domain without a leading dot and in lower case; empty when there is none.
  private(set) var domain = ""
  /// The path; `nil` when there is none; empty when it does not begin with a slash, so that the default path is used.
  private(set) var path: String?
  private(set) var isSecure = false
  private(set) var isHTTPOnly = false
  private(set) var sameSite: Cookie.SameSite?

  /// - Throws: `.controlCharacter`, `.tooLong` or `.empty`.
  init(_ field: String) throws(CookieRefusal) {
    guard !field.utf8.contains(where: \.isForbiddenInCookies) else { throw .controlCharacter }
    let pair = field.utf8.prefix { $0 != UInt8(ascii: ";") }
    let equals = pair.firstIndex(of: UInt8(ascii: "="))
    name = equals.map { pair[..<$0].trimmingBlanks.text } ?? ""
    value = (equals.map { pair[pair.index(after: $0)...] } ?? pair).trimmingBlanks.text
    guard !name.isEmpty || !value.isEmpty else { throw .empty }
    guard name.utf8.count + value.utf8.count <= Cookie.maximumLength else { throw .tooLong }
    read(field.utf8[pair.endIndex...])
  }

  /// Reads attributes. If an attribute occurs twice, the later value is used, unless it is an invalid date or number.
  /// Unknown attributes are ignored.
  private mutating func read(_ attributes: Substring.UTF8View) {
    for attribute in attributes.split(separator: UInt8(ascii: ";")) {
      let equals = attribute.firstIndex(of: UInt8(ascii: "="))
      let name = attribute[..<(equals ?? attribute.endIndex)].trimmingBlanks
      let value =
        equals.map { attribute[attribute.index(after: $0)...].trimmingBlanks } ?? Self.nothing
      // Attributes with longer values are ignored (§5.6). No known attribute has a longer name.
      if name.count <= 8, value.count <= Self.maximumAttribute {
        take(name.text.asciiLowercased, value)
      }
    }
  }

  private mutating func take(_ name: String, _ value: Substring.UTF8View) {
    switch name {
    case "expires": expires = CookieDate.date(value) ?? expires
    case "max-age": maxAge = Self.seconds(value) ?? maxAge
    case "domain":
      let hasDot = value.first == UInt8(ascii: ".")
      domain = (hasDot ? value.dropFirst() : value).text.asciiLowercased
    case "path": path = value.first == UInt8(ascii: "/") ? value.text : ""
    case "secure": isSecure = true
    case "httponly": isHTTPOnly = true
    case "samesite":
      let kinds: [Cookie.SameSite] = [.strict, .lax, .unrestricted]
      sameSite = kinds.first { $0.rawValue.lowercased() == value.text.asciiLowercased }
    default: break
    }
  }

  private static let maximumAttribute = 1024
  private static let nothing = Substring().utf8

  /// Reads digits, which may have a leading minus. A negative number becomes 0. A number that is too large becomes the
  /// largest integer.
  private static func seconds(_ text: Substring.UTF8View) -> Int? {
    let isNegative = text.first == UInt8(ascii: "-")
    let digits = isNegative ? text.dropFirst() : text
    guard !digits.isEmpty, digits.allSatisfy(\.isDigit) else { return nil }
    return isNegative ? 0 : Int(Substring(digits)) ?? .max
  }
}

extension Cookie {
  /// The maximum number of bytes of name and value together (§5.6).
  static let maximumLength = 4096
}

extension UInt8 {
  /// Whether it is a control character other than the tab (RFC 6265bis §5.6).
  var isForbiddenInCookies: Bool {
    self < 0x20 && self != 0x09 || self == 0x7F
  }
}

extension Substring.UTF8View {
  /// The same as a `String`.
  var text: String { String(Substring(self)) }
}

/// Cookies that servers set.
extension Cookie {
  /// The cookie that a `Set-Cookie` field sets (RFC 6265bis §5.6, §5.7).
  ///
  /// Expiry dates are limited to 400 days after `now` (§5.5). A `Secure` cookie is accepted from `https` URLs, and from
  /// `http` URLs within this machine: `localhost`, loopback addresses, Unix-domain sockets.
  ///
  /// - Parameters:
  ///   - setCookie: The value of the field.
  ///   - url: The URL that sent the field.
  ///   - now: When the field was received. The default is now.
  /// - Throws: `MartletError` with code `.cookieRefused`, and a message with the reason.
  public init(setCookie: String, from url: URL, at now: Date = Date()) throws(MartletError) {
    do throws(CookieRefusal) {
      guard let target = CookieTarget(url) else { throw .notFromServer }
      self = try Cookie(setCookie, from: target, at: now)
    } catch {
      let pair = setCookie.prefix { $0 != ";" }
      let name = pair.contains("=") ? String(pair.prefix { $0 != "=" }) : ""
      throw .cookieRefused(name, error)
    }
  }

  /// The cookie that a `Set-Cookie` field sets, with the target of its request.
  init(_ field: String, from target: CookieTarget, at now: Date) throws(CookieRefusal) {
    let set = try SetCookie(field)
    let domain = try Self.domain(set.domain, for: target.host)
    let path = set.path.flatMap { $0.isEmpty ? nil : $0 } ?? CookiePath.standard(for: target.path)
    self.init(
      name: set.name, value: set.value, domain: domain ?? target.host, isHostOnly: domain == nil,
      path: path, expires: set.end(from: now), isSecure: set.isSecure,
      isHTTPOnly: set.isHTTPOnly, sameSite: set.sameSite, created: now)
    guard target.isSecure || !isSecure else { throw .insecureOrigin }
    guard sameSite != .unrestricted || isSecure else { throw .sameSiteNone }
    if isHostOnly { try checkDomain() }
    try checkPrefix(hasPath: set.path != nil)
  }

  /// Returns the requested domain of a cookie; `nil` when the cookie is only for the host.
  ///
  /// - Throws: `.domainNotASCII`, `.publicSuffix` or `.otherDomain`.
  private static func domain(_ wanted: String, for host: String) throws(CookieRefusal) -> String? {
    guard wanted.utf8.allSatisfy({ $0 < 0x80 }) else { throw .domainNotASCII }
    // URLs have addresses in brackets, hosts do not.
    let domain = wanted == "[\(host)]" ? host : wanted
    if PublicSuffix.contains(domain) {
      guard domain == host else { throw .publicSuffix(domain) }
      return nil
    }
    guard !domain.isEmpty else { return nil }
    guard CookieDomain.contains(host, in: domain) else { throw .otherDomain(domain, host: host) }
    return domain
  }

  /// Checks the conditions of name prefixes (§5.4). Case is ignored, because a server may ignore it.
  func checkPrefix(hasPath: Bool) throws(CookieRefusal) {
    if name.hasCookiePrefix("__secure-") {
      guard isSecure else { throw .securePrefix }
    } else if name.hasCookiePrefix("__host-") {
      guard isSecure, isHostOnly, hasPath, path == "/" else { throw .hostPrefix }
    } else if name.isEmpty {
      // A server would read the value as a name with that prefix (§5.7).
      guard !value.hasCookiePrefix("__secure-"), !value.hasCookiePrefix("__host-") else {
        throw .hiddenPrefix
      }
    }
  }
}

extension SetCookie {
  /// Returns when the cookie expires, by `Max-Age`, or else by `Expires`; `nil` when there is neither.
  fileprivate func end(from now: Date) -> Date? {
    let longest: TimeInterval = 400 * 86_400
    if let maxAge {
      return maxAge > 0 ? now + min(TimeInterval(maxAge), longest) : .distantPast
    }
    return expires.map { min($0, now + longest) }
  }
}

extension String {
  /// Whether it begins with `prefix`, which is in lower case. Case is ignored.
  fileprivate func hasCookiePrefix(_ prefix: StaticString) -> Bool {
    prefix.withUTF8Buffer { prefix in
      let front = utf8.prefix(prefix.count)
      return front.count == prefix.count
        && zip(front, prefix).allSatisfy { $0 == $1 || ($0 | 0x20) == $1 && $1 >= 0x61 }
    }
  }
}
