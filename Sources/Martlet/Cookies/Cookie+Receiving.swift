public import Foundation
public import MartletCore

/// Cookies that servers set.
extension Cookie {
  /// The cookie that a `Set-Cookie` field sets (RFC 6265bis §5.6, §5.7).
  ///
  /// Dates and ages are taken up to 400 days from now (§5.5). A `Secure` cookie is taken from `https` URLs, and
  /// from `http` ones within this machine: `localhost`, loopback addresses, Unix-domain sockets.
  ///
  /// - Parameters:
  ///   - setCookie: The value of the field.
  ///   - url: The URL that answered with it.
  ///   - now: When that was. The default is now.
  /// - Throws: `MartletError` with code `.cookieRefused`, and a sentence that says why.
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

  /// The same, with the part that the URL plays worked out.
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

  /// The domain that a cookie asks for, if it may have it; `nil` when it is for the host alone.
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

  /// What names promise (§5.4), in capitals or not, so that no server mistakes one for the other.
  func checkPrefix(hasPath: Bool) throws(CookieRefusal) {
    if name.hasCookiePrefix("__secure-") {
      guard isSecure else { throw .securePrefix }
    } else if name.hasCookiePrefix("__host-") {
      guard isSecure, isHostOnly, hasPath, path == "/" else { throw .hostPrefix }
    } else if name.isEmpty {
      // A server would take it for a cookie of that name (§5.7).
      guard !value.hasCookiePrefix("__secure-"), !value.hasCookiePrefix("__host-") else {
        throw .hiddenPrefix
      }
    }
  }
}

extension SetCookie {
  /// When the cookie ends: `Max-Age` counts, or else `Expires`; `nil` when there is neither.
  fileprivate func end(from now: Date) -> Date? {
    let longest: TimeInterval = 400 * 86_400
    if let maxAge {
      return maxAge > 0 ? now + min(TimeInterval(maxAge), longest) : .distantPast
    }
    return expires.map { min($0, now + longest) }
  }
}

extension String {
  /// Whether it begins so, in capitals or not; `prefix` is in lower case.
  fileprivate func hasCookiePrefix(_ prefix: StaticString) -> Bool {
    prefix.withUTF8Buffer { prefix in
      let front = utf8.prefix(prefix.count)
      return front.count == prefix.count
        && zip(front, prefix).allSatisfy { $0 == $1 || ($0 | 0x20) == $1 && $1 >= 0x61 }
    }
  }
}
