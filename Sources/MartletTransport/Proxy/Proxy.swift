public import MartletCore

/// A server through which requests go to others.
///
///     try Proxy("http://proxy.example.com:3128")
///     try Proxy("socks5h://user:password@127.0.0.1:1080")
///
/// The host that a request is for is looked up by the proxy, whatever its kind. Descriptions show no
/// password.
public struct Proxy: Hashable, Sendable {
  /// How a proxy is spoken to.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// HTTP: requests for `http` URLs are passed on (RFC 9112 §3.2.2), and others go through a tunnel
    /// (RFC 9110 §9.3.6).
    case http
    /// The same within TLS, which hides from others which servers are asked for.
    case https
    /// SOCKS 5 (RFC 1928), with a user and a password if need be (RFC 1929).
    case socks5

    /// The port of proxies whose URLs name none: 80, 443 and 1080.
    public var defaultPort: Int {
      switch self {
      case .http: 80
      case .https: 443
      case .socks5: 1080
      }
    }
  }

  /// How it is spoken to.
  public let kind: Kind
  /// Its name or address, in ASCII and in lower case, without brackets.
  public let host: String
  /// Its TCP port.
  public let port: Int
  /// Who asks, if it wants to know.
  public let user: String?
  /// The user's password.
  public let password: String?

  /// A proxy from its parts.
  ///
  /// - Parameters:
  ///   - kind: How it is spoken to.
  ///   - host: Its name or address.
  ///   - port: Its TCP port. The default is that of its kind.
  ///   - user: The user name for a proxy that requires authentication. The default is none.
  ///   - password: The user's password. The default is none.
  /// - Throws: `MartletError` with code `.invalidProxy`.
  public init(
    _ kind: Kind, host: String, port: Int? = nil, user: String? = nil, password: String? = nil
  ) throws(MartletError) {
    do throws(ProxyProblem) {
      let place = try ProxyURL.validated(host: host, port: port ?? kind.defaultPort)
      try self.init(kind, host: place.host, port: place.port, userInfo: (user, password))
    } catch {
      throw .invalidProxy(error.reason)
    }
  }

  /// A proxy from its URL, such as `http://user:password@proxy.example.com:3128`.
  ///
  /// The scheme is `http`, `https`, `socks5`, or `socks5h`, which is the same as `socks5`; without one it is an
  /// HTTP proxy. What of a user or password may not stand in a URL is percent-encoded there.
  ///
  /// - Throws: `MartletError` with code `.invalidProxy`.
  public init(_ text: String) throws(MartletError) {
    do throws(ProxyProblem) {
      try self.init(parsing: text)
    } catch {
      throw .invalidProxy(error.reason)
    }
  }

  init(parsing text: String) throws(ProxyProblem) {
    let text = try ProxyURL(text)
    try self.init(text.kind, host: text.host, port: text.port, userInfo: (text.user, text.password))
  }

  private init(
    _ kind: Kind, host: String, port: Int, userInfo: (user: String?, password: String?)
  ) throws(ProxyProblem) {
    let secrets = [userInfo.user, userInfo.password].compactMap(\.self)
    guard secrets.allSatisfy({ $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }) else {
      throw ProxyProblem("its user or password holds a control character")
    }
    // RFC 1929 §2.
    guard kind != .socks5 || secrets.allSatisfy({ $0.utf8.count <= 255 }) else {
      throw ProxyProblem("its user or password has more bytes than the 255 that SOCKS 5 allows")
    }
    self.kind = kind
    self.host = host
    self.port = port
    (user, password) = userInfo
  }

  /// What to show to a proxy that asks who is there.
  var credential: Credential? {
    guard user != nil || password != nil else { return nil }
    return .password(user: user ?? "", password: password ?? "")
  }

  /// The proxy as a server of its own.
  var origin: Origin {
    Origin(isSecure: kind == .https, endpoint: .host(host, port: port))
  }
}

extension Proxy: CustomStringConvertible, CustomReflectable {
  /// The proxy's URL with its password masked, such as `http://user:***@proxy.example.com:3128`.
  public var description: String {
    guard user != nil || password != nil else { return address }
    let mask = password == nil ? "" : ":***"
    return "\(kind.rawValue)://\(user?.masked ?? "")\(mask)@\(authority)"
  }

  /// What debuggers show: no more than the description says.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }

  /// The proxy's URL without user and password, as messages have it.
  var address: String { "\(kind.rawValue)://\(authority)" }

  private var authority: String {
    host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
}
