import MartletCore

/// Why a cookie is not taken.
enum CookieRefusal: Error, Equatable {
  /// What came holds a control character (RFC 6265bis §5.6).
  case controlCharacter
  /// Neither name nor value (§5.7).
  case empty
  /// Name and value are longer than 4096 bytes together (§5.6).
  case tooLong
  /// The URL is of no server.
  case notFromServer
  /// The domain has other characters than those of ASCII (§5.7).
  case domainNotASCII
  /// The domain is a public suffix (§5.7).
  case publicSuffix(String)
  /// The host is not of the domain (§5.7).
  case otherDomain(String, host: String)
  /// It is secure, and came over a connection that is not (§5.7).
  case insecureOrigin
  /// It came over a connection that is not secure, and would hide one that is (§5.7).
  case hidesSecure
  /// It is for requests of all sites, and not secure (§5.7).
  case sameSiteNone
  /// The name promises that it is secure (§5.4.1).
  case securePrefix
  /// The name promises that it is of one host (§5.4.2).
  case hostPrefix
  /// It has no name, and the value looks like a name with a prefix (§5.7).
  case hiddenPrefix
  /// Made by hand, it has a name that no field can hold.
  case name
  /// Made by hand, it has a value that no field can hold.
  case value
  /// Made by hand, it has a domain that is none.
  case domain
  /// Made by hand, it has a path that is none.
  case path

  /// What is the matter, as the end of a sentence.
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
      "its domain, “\(domain.masked)”, is none that “\(host.masked)” belongs to"
    case .insecureOrigin: "it is secure, and came over a connection that is not"
    case .hidesSecure:
      "it would hide a secure cookie of that name, and came over a connection that is not secure"
    case .sameSiteNone: "with “SameSite=None” it must be secure"
    case .securePrefix: "with “__Secure-” in its name it must be secure"
    case .hostPrefix:
      "with “__Host-” in its name it must be secure, for one host alone, and have the path “/”"
    case .hiddenPrefix: "without a name, its value must not begin as the name of another does"
    case .name: "its name holds “=” or “;”, or begins or ends with a blank"
    case .value: "its value holds “;”, or begins or ends with a blank"
    case .domain: "its domain must be a host name in lower case, or an address"
    case .path: "its path must begin with “/”"
    }
  }
}

extension MartletError {
  /// A cookie that is not taken; its value stays unsaid.
  static func cookieRefused(_ name: String, _ refusal: CookieRefusal) -> MartletError {
    let cookie = name.isEmpty ? "A cookie without a name" : "The cookie “\(name.masked)”"
    return MartletError(.cookieRefused, "\(cookie) is refused: \(refusal.reason).")
  }
}
