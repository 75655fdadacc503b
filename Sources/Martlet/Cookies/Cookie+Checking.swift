import MartletCore

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
      domain.utf8.allSatisfy({ $0 > 0x20 && !(0x41...0x5A).contains($0) }),
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
