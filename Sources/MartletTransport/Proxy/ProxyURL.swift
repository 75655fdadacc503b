import EssentialFoundation
import MartletCore

/// The reason why a setting for proxies or hosts is invalid: a clause without secrets.
struct ProxyProblem: Error {
  let reason: String

  init(_ reason: String) {
    self.reason = reason
  }
}

/// The parts of a proxy's URL.
///
/// Errors show no part of the URL, because it may be unclear where its password ends.
struct ProxyURL {
  let kind: Proxy.Kind
  let host: String
  let port: Int
  let user: String?
  let password: String?

  init(_ text: String) throws(ProxyProblem) {
    let rest: Substring
    if let separator = text.firstRange(of: "://") {
      kind = try Self.kind(text[..<separator.lowerBound])
      rest = text[separator.upperBound...]
    } else {
      kind = .http
      rest = text[...]
    }
    let url = try Self.url("http://\(rest)")
    (host, port) = try Self.hostAndPort(of: url, defaultPort: kind.defaultPort)
    user = url.user(percentEncoded: false)
    password = url.password(percentEncoded: false)
  }

  /// Checks a host and a port that are given separately.
  static func validated(host: String, port: Int) throws(ProxyProblem) -> (host: String, port: Int) {
    let isBare = host.utf8.contains(UInt8(ascii: ":")) && !host.hasPrefix("[")
    let url = try url("http://\(isBare ? "[\(host)]" : host):\(port)")
    guard url.user(percentEncoded: true) == nil else { throw notAURL }
    return try hostAndPort(of: url, defaultPort: port)
  }

  private static let notAURL = ProxyProblem(
    "it is not a URL such as http://proxy.example.com:3128; percent-encode special characters in user and password"
  )

  private static func url(_ text: String) throws(ProxyProblem) -> URL {
    guard let url = try? URL(escaping: text) else { throw notAURL }
    guard ["", "/"].contains(url.path(percentEncoded: true)), url.query == nil, url.fragment == nil
    else { throw ProxyProblem("its URL must not have a path, a query or a fragment") }
    return url
  }

  private static func hostAndPort(of url: URL, defaultPort: Int) throws(ProxyProblem) -> (
    host: String, port: Int
  ) {
    let port: Int
    do throws(URLProblem) {
      port = try url.checkedPort ?? defaultPort
    } catch {
      throw ProxyProblem(error.reason)
    }
    guard let host = try? Origin(of: url).host,
      !host.utf8.contains(UInt8(ascii: ":")) || IPAddress(host, port: port) != nil
    else { throw notAURL }
    return (host, port)
  }

  private static func kind(_ scheme: Substring) throws(ProxyProblem) -> Proxy.Kind {
    switch scheme.lowercased() {
    case "http": return .http
    case "https": return .https
    case "socks5", "socks5h": return .socks5
    default: throw ProxyProblem("its scheme must be http, https, socks5 or socks5h")
    }
  }
}
