public import EssentialFoundation

/// The server of a URL: scheme, host and port, or scheme and Unix-domain socket.
///
/// Two URLs of the same origin share connections and credentials (RFC 6454 §4). The URL of a socket is written as
/// `http+unix://%2Frun%2Fapp.sock/path`, with the percent-encoded path of the socket as the host.
public struct Origin: Hashable, Sendable {
  /// The address of an origin's server.
  public enum Endpoint: Hashable, Sendable {
    /// A host name or address, without brackets, and a TCP port.
    case host(String, port: Int)
    /// The path of a Unix-domain socket.
    case unixSocket(path: String)
  }

  /// Whether connections are secured with TLS.
  public let isSecure: Bool
  /// The address of the server.
  public let endpoint: Endpoint

  /// An origin from its parts.
  public init(isSecure: Bool, endpoint: Endpoint) {
    self.isSecure = isSecure
    self.endpoint = endpoint
  }

  /// The origin of a URL.
  ///
  /// An internationalized host name is converted to its ASCII form, `xn--…` (RFC 5890).
  ///
  /// - Throws: `MartletError` with code `.invalidURL` when the URL has no scheme, no host, a host that cannot be looked
  ///   up, a socket path that contains NUL, or an invalid port, and `.unsupportedScheme` when the scheme is not `http`,
  ///   `https`, `http+unix` or `https+unix`.
  public init(of url: URL) throws(MartletError) {
    guard let scheme = url.scheme?.lowercased() else {
      throw .invalidURL(url.absoluteString, "it has no scheme")
    }
    guard let kind = Self.kinds[scheme] else { throw .unsupportedScheme(scheme) }
    let host = kind.isSocket ? url.host(percentEncoded: false) : try HostName.host(of: url)
    guard let host, !host.isEmpty else { throw .invalidURL(url.absoluteString, "it has no host") }
    isSecure = kind.isSecure
    guard !kind.isSocket else {
      // The system would end the path there.
      guard !host.utf8.contains(0) else {
        throw .invalidURL(url.absoluteString, "the path of its socket contains a NUL character")
      }
      endpoint = .unixSocket(path: host)
      return
    }
    do throws(URLProblem) {
      endpoint = .host(host, port: try url.checkedPort ?? (kind.isSecure ? 443 : 80))
    } catch {
      throw .invalidURL(url.absoluteString, error.reason)
    }
  }

  /// The host name or address, in ASCII, in lower case and without brackets; `localhost` for a socket.
  public var host: String {
    switch endpoint {
    case .host(let host, _): host
    case .unixSocket: "localhost"
    }
  }

  /// The value of the `Host` field: the host, and the port unless it is the scheme's default (RFC 9110 §7.2).
  public var authority: String {
    guard case .host(let host, let port) = endpoint else { return "localhost" }
    let name = isIPv6 ? "[\(Self.withoutZone(host))]" : host
    return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
  }

  /// Whether the host is an address of IPv6.
  var isIPv6: Bool { host.utf8.contains(UInt8(ascii: ":")) }

  /// Whether the server is on this machine: `localhost` and names below it, loopback addresses, Unix-domain sockets.
  package var isLoopback: Bool {
    guard case .host(let host, _) = endpoint else { return true }
    if host == "localhost" || host.hasSuffix(".localhost") || host == "::1" { return true }
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
    return numbers.count == 4 && numbers[0] == "127"
      && numbers.allSatisfy { $0.utf8.allSatisfy(\.isDigit) && UInt8($0) != nil }
  }

  /// Returns an address without its zone, which is valid on this machine only (RFC 6874 §4).
  private static func withoutZone(_ address: String) -> Substring {
    address.prefix { $0 != "%" }
  }

  private static let kinds: [String: (isSecure: Bool, isSocket: Bool)] = [
    "http": (false, false), "https": (true, false),
    "http+unix": (false, true), "https+unix": (true, true),
  ]
}

extension Origin: CustomStringConvertible {
  /// The origin as text, such as `https://example.com:8443`.
  public var description: String {
    switch endpoint {
    case .host: (isSecure ? "https://" : "http://") + authority
    case .unixSocket(let path): (isSecure ? "https+unix:" : "http+unix:") + path
    }
  }
}
