/// The rules that choose the proxies for requests.
///
///     $0.proxies = .none
///     $0.proxies = .through(try Proxy("http://proxy.example.com:3128"), except: try HostList(".internal"))
///     $0.proxies = ProxyConfiguration([
///       ProxyRule(.direct, hosts: .loopback),
///       ProxyRule(.through(first), .through(second), scheme: .https),
///     ])
///
/// The first rule that applies to a server counts. If no rule applies and `followsEnvironment` is true, the
/// environment counts: the variables `http_proxy` (in lower case only), `https_proxy`, `all_proxy` and `no_proxy` (in
/// lower or upper case). The environment never applies to this machine, ``HostList/loopback``, but rules may.
public struct ProxyConfiguration: Hashable, Sendable {
  /// The rules, in order.
  public var rules: [ProxyRule]
  /// Whether the environment decides where no rule applies. The environment is read when the engine is made. If a
  /// variable is invalid, the requests that need it fail with code `.invalidProxy`.
  public var followsEnvironment: Bool

  /// A configuration from its parts.
  ///
  /// - Parameters:
  ///   - rules: The rules, in order.
  ///   - followsEnvironment: Whether the environment decides where no rule applies. The default is false.
  public init(_ rules: [ProxyRule], followsEnvironment: Bool = false) {
    self.rules = rules
    self.followsEnvironment = followsEnvironment
  }

  /// The proxies that the environment sets.
  public static let system = ProxyConfiguration([], followsEnvironment: true)
  /// No proxies.
  public static let none = ProxyConfiguration([])

  /// Sends all requests through one proxy, and ignores the environment.
  ///
  /// - Parameters:
  ///   - proxy: The proxy.
  ///   - hosts: The hosts that are connected to directly. The default is none, so that requests to this machine use
  ///     the proxy as well.
  /// - Returns: A configuration with one or two rules.
  public static func through(_ proxy: Proxy, except hosts: HostList? = nil) -> ProxyConfiguration {
    ProxyConfiguration([ProxyRule(.through(proxy))]).excepting(hosts)
  }

  /// Returns the same configuration, with hosts that are connected to directly.
  ///
  /// - Parameter hosts: The hosts; `nil` changes nothing.
  /// - Returns: A configuration with one more rule, which comes first.
  public func excepting(_ hosts: HostList?) -> ProxyConfiguration {
    guard let hosts else { return self }
    return ProxyConfiguration(
      [ProxyRule(.direct, hosts: hosts)] + rules, followsEnvironment: followsEnvironment)
  }
}

/// The routes of requests to some servers.
///
///     ProxyRule(.direct, hosts: try HostList(".internal, 10.0.0.0/8"))
///     ProxyRule(.through(first), .through(second), .direct, scheme: .https)
public struct ProxyRule: Hashable, Sendable {
  /// The scheme of a URL.
  public enum Scheme: Hashable, Sendable {
    /// `http`
    case http
    /// `https`
    case https
  }

  /// The routes, in order; the next one is tried when a route cannot be used. A proxy that has failed is tried last for
  /// one minute. An empty array is the same as `.direct`.
  public var routes: [ProxyRoute]
  /// The scheme that the rule applies to; `nil` for both.
  public var scheme: Scheme?
  /// The hosts that the rule applies to.
  public var hosts: HostList

  /// A rule from its parts.
  ///
  /// - Parameters:
  ///   - routes: The routes, in order; the next one is tried when a route cannot be used.
  ///   - scheme: The scheme that the rule applies to. The default is both.
  ///   - hosts: The hosts that the rule applies to. The default is all hosts, including this machine.
  public init(_ routes: ProxyRoute..., scheme: Scheme? = nil, hosts: HostList = .all) {
    self.routes = routes
    self.scheme = scheme
    self.hosts = hosts
  }

  func applies(to target: ProxyTarget) -> Bool {
    guard scheme == nil || (scheme == .https) == target.isSecure else { return false }
    return hosts.contains(target)
  }
}

/// A route to a server.
public enum ProxyRoute: Hashable, Sendable {
  /// Without a proxy.
  case direct
  /// Through a proxy.
  case through(Proxy)
}

extension ProxyRoute: CustomStringConvertible {
  /// The route as text, such as `direct` or `through http://proxy.example.com:3128`; passwords are masked.
  public var description: String {
    switch self {
    case .direct: "direct"
    case .through(let proxy): "through \(proxy)"
    }
  }
}
