import EssentialFoundation
import MartletCore

/// The properties of a request that decide on its cookies: the host, the path, and whether the channel is secure.
struct CookieTarget: Equatable {
  /// The host in lower case and in ASCII, without brackets.
  let host: String
  /// The path without the query; at least a slash.
  let path: String
  /// Whether secure cookies may be sent.
  ///
  /// They may be sent over TLS, and within this machine: to `localhost`, a loopback address or a Unix-domain socket.
  /// Browsers and curl do the same for servers under development. This traffic does not leave the machine.
  let isSecure: Bool

  /// The target of a request; `nil` when it has no origin.
  init?(_ request: Request) {
    guard let origin = try? request.origin else { return nil }
    self.init(origin, path: request.target.prefix { $0 != "?" })
  }

  /// The target of a request for a URL; `nil` when the URL is not that of a server.
  init?(_ url: URL) {
    guard let origin = try? Origin(of: url) else { return nil }
    self.init(origin, path: url.path(percentEncoded: true)[...])
  }

  private init(_ origin: Origin, path: Substring) {
    host = origin.host
    self.path = path.isEmpty ? "/" : String(path)
    isSecure = origin.isSecure || origin.isLoopback
  }
}

/// Whether hosts belong to domains (RFC 6265bis §5.1.3).
enum CookieDomain {
  /// Whether `host` is `domain` or a subdomain of it. An address is never a subdomain.
  static func contains(_ host: String, in domain: String) -> Bool {
    let (host, domain) = (host.utf8, domain.utf8)
    guard host.count > domain.count else { return host.elementsEqual(domain) }
    let rest = host.dropLast(domain.count)
    return !domain.isEmpty && rest.last == UInt8(ascii: ".")
      && host.suffix(domain.count).elementsEqual(domain) && !HostName.mayBeAddress(host)
  }

  /// Returns the domains that the cookies of a host can have: its own name first, then its parent domains.
  static func all(of host: String) -> [Substring] {
    guard !HostName.mayBeAddress(host.utf8) else { return [host[...]] }
    var domains = [host[...]]
    // A domain name has at most 127 labels.
    while domains.count < 128, let last = domains.last, let dot = last.utf8.firstIndex(of: 0x2E) {
      domains.append(last[last.utf8.index(after: dot)...])
    }
    return domains
  }
}

/// The paths that cookies are for (RFC 6265bis §5.1.4).
enum CookiePath {
  /// Returns the default path of a cookie: the part of the request's path before its last slash, or `/` if that part is
  /// empty.
  static func standard(for path: String) -> String {
    guard path.utf8.first == UInt8(ascii: "/"),
      let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex
    else { return "/" }
    return String(path[..<slash])
  }

  /// Whether the path of a request is equal to that of a cookie, or below it.
  static func contains(_ path: String, in cookiePath: String) -> Bool {
    let (path, cookiePath) = (path.utf8, cookiePath.utf8)
    guard path.starts(with: cookiePath) else { return false }
    return path.count == cookiePath.count || cookiePath.last == UInt8(ascii: "/")
      || path.dropFirst(cookiePath.count).first == UInt8(ascii: "/")
  }
}
