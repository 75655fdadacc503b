/// One way to a server.
public enum ProxyRoute: Hashable, Sendable {
  /// Without a proxy.
  case direct
  /// Through a proxy.
  case through(Proxy)
}

extension ProxyRoute: CustomStringConvertible {
  /// The way as text, such as `direct` or `through http://proxy.example.com:3128`; passwords are masked.
  public var description: String {
    switch self {
    case .direct: "direct"
    case .through(let proxy): "through \(proxy)"
    }
  }
}
