import MartletCore

/// The reason why a cookie is refused.
enum CookieRefusal: Error, Equatable {
  /// It contains a control character (RFC 6265bis §5.6).
  case controlCharacter
  /// It has neither a name nor a value (§5.7).
  case empty
  /// Name and value are longer than 4096 bytes together (§5.6).
  case tooLong
  /// The URL is not that of a server.
  case notFromServer
  /// The domain has characters that are not ASCII (§5.7).
  case domainNotASCII
  /// The domain is a public suffix (§5.7).
  case publicSuffix(String)
  /// The host does not belong to the domain (§5.7).
  case otherDomain(String, host: String)
  /// It is secure, but was received over an insecure connection (§5.7).
  case insecureOrigin
  /// It was received over an insecure connection, and would hide a secure cookie (§5.7).
  case hidesSecure
  /// It has `SameSite=None`, but is not secure (§5.7).
  case sameSiteNone
  /// The name has the prefix for secure cookies, but the cookie is not secure (§5.4.1).
  case securePrefix
  /// The name has the prefix for cookies of one host, but the cookie does not meet the conditions (§5.4.2).
  case hostPrefix
  /// It has no name, and the value looks like a name with a prefix (§5.7).
  case hiddenPrefix
  /// It was made by hand, with a name that a field cannot contain.
  case name
  /// It was made by hand, with a value that a field cannot contain.
  case value
  /// It was made by hand, with an invalid domain.
  case domain
  /// It was made by hand, with an invalid path.
  case path

  /// The reason, as the end of a sentence.
  var reason: String {
    switch self {
    case .controlCharacter: "it holds a control character"
    case .empty: "it has neither a name nor a value"
    case .tooLong: "its name and value have more than \(Cookie.maximumLength) bytes"
    case .notFromServer: "it must come from an http or https URL"
    case .domainNotASCII:
      "its domain is not in ASCII: internationalised names are written as “xn--…”"
    case .publicSuffix(let domain):
      "“\(domain.masked)” is a public suffix, under which anyone can register a name"
    case .otherDomain(let domain, let host):
      "its domain is “\(domain.masked)”, to which “\(host.masked)” does not belong"
    case .insecureOrigin: "it is secure, but was received over an insecure connection"
    case .hidesSecure:
      "it would hide a secure cookie of that name, but was received over an insecure connection"
    case .sameSiteNone: "with “SameSite=None” it must be secure"
    case .securePrefix: "with “__Secure-” in its name it must be secure"
    case .hostPrefix:
      "with “__Host-” in its name it must be secure, for one host alone, and have the path “/”"
    case .hiddenPrefix: "its value must not begin with “__Secure-” or “__Host-”"
    case .name: "its name holds “=” or “;”, or begins or ends with a blank"
    case .value: "its value holds “;”, or begins or ends with a blank"
    case .domain: "its domain must be a host name in lower case, or an address"
    case .path: "its path must begin with “/”"
    }
  }
}

extension MartletError {
  /// A cookie that is refused. The message does not contain its value.
  static func cookieRefused(_ name: String, _ refusal: CookieRefusal) -> MartletError {
    let cookie = name.isEmpty ? "A cookie without a name" : "The cookie “\(name.masked)”"
    return MartletError(.cookieRefused, "\(cookie) is refused: \(refusal.reason).")
  }
}
