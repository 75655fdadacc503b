public import MartletCore

/// A server through which requests reach other servers.
///
///     try Proxy("http://proxy.example.com:3128")
///     try Proxy("socks5h://user:password@127.0.0.1:1080")
///
/// Proxies of every kind look up the hosts of requests themselves. Descriptions mask the password.
public struct Proxy: Hashable, Sendable {
  /// The protocol of a proxy.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// HTTP: requests for `http` URLs are forwarded (RFC 9112 §3.2.2), unless HTTP/2 by prior knowledge is used. Others
    /// go through a tunnel (RFC 9110 §9.3.6).
    case http
    /// The same over TLS, which hides the names of the servers on the way to the proxy.
    case https
    /// SOCKS 5 (RFC 1928), with user and password if required (RFC 1929).
    case socks5

    /// The port of a proxy whose URL has none: 80, 443 or 1080.
    public var defaultPort: Int {
      switch self {
      case .http: 80
      case .https: 443
      case .socks5: 1080
      }
    }
  }

  /// The protocol of the proxy.
  public let kind: Kind
  /// Its host name or address, in ASCII and in lower case, without brackets.
  public let host: String
  /// Its TCP port.
  public let port: Int
  /// The user name for a proxy that requires authentication.
  public let user: String?
  /// The user's password.
  public let password: String?

  /// A proxy from its parts.
  ///
  /// - Parameters:
  ///   - kind: The protocol of the proxy.
  ///   - host: Its host name or address.
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
  /// The scheme is `http`, `https`, `socks5`, or `socks5h`, which is the same as `socks5`. The default is `http`.
  /// Characters of user and password that a URL does not allow must be percent-encoded.
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

  /// The credential for a proxy that requires authentication.
  var credential: Credential? {
    guard user != nil || password != nil else { return nil }
    return .password(user: user ?? "", password: password ?? "")
  }

  /// The origin of the proxy itself.
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

  /// A mirror without children, so that debuggers show only the description.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }

  /// The proxy's URL without user and password, for messages.
  var address: String { "\(kind.rawValue)://\(authority)" }

  private var authority: String {
    host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
}
