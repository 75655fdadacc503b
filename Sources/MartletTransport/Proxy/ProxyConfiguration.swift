/// Which requests go through which proxies.
///
///     $0.proxies = .none
///     $0.proxies = .through(try Proxy("http://proxy.example.com:3128"), except: try HostList(".internal"))
///     $0.proxies = ProxyConfiguration([
///       ProxyRule(.direct, hosts: .loopback),
///       ProxyRule(.through(first), .through(second), scheme: .https),
///     ])
///
/// The first rule that is for a server counts. Then, if `followsEnvironment`, the environment does: the
/// variables `http_proxy` (in lower case only), `https_proxy`, `all_proxy` and `no_proxy`, of which the last
/// three may be in upper case as well. It never concerns this machine, ``HostList/loopback``; a rule does.
public struct ProxyConfiguration: Hashable, Sendable {
  /// The rules, in order.
  public var rules: [ProxyRule]
  /// Whether the environment decides about what no rule is for, as it is when the engine is made. A variable
  /// that makes no sense fails the requests that it is for, with code `.invalidProxy`.
  public var followsEnvironment: Bool

  /// A configuration from its parts.
  ///
  /// - Parameters:
  ///   - rules: The rules, in order.
  ///   - followsEnvironment: Whether the environment decides about what no rule is for. The default is false.
  public init(_ rules: [ProxyRule], followsEnvironment: Bool = false) {
    self.rules = rules
    self.followsEnvironment = followsEnvironment
  }

  /// What the environment says.
  public static let system = ProxyConfiguration([], followsEnvironment: true)
  /// No proxies.
  public static let none = ProxyConfiguration([])

  /// Everything through one proxy, whatever the environment says.
  ///
  /// - Parameters:
  ///   - proxy: The proxy.
  ///   - hosts: The hosts that are connected to without it. The default is none: this machine, too, is asked for
  ///     through the proxy.
  /// - Returns: A configuration of one rule or two.
  public static func through(_ proxy: Proxy, except hosts: HostList? = nil) -> ProxyConfiguration {
    ProxyConfiguration([ProxyRule(.through(proxy))]).excepting(hosts)
  }

  /// The same, with hosts that are connected to without any proxy.
  ///
  /// - Parameter hosts: The hosts; `nil` changes nothing.
  /// - Returns: A configuration with one rule more, which comes first.
  public func excepting(_ hosts: HostList?) -> ProxyConfiguration {
    guard let hosts else { return self }
    return ProxyConfiguration(
      [ProxyRule(.direct, hosts: hosts)] + rules, followsEnvironment: followsEnvironment)
  }
}

/// Which way requests to some servers take.
///
///     ProxyRule(.direct, hosts: try HostList(".internal, 10.0.0.0/8"))
///     ProxyRule(.through(first), .through(second), .direct, scheme: .https)
public struct ProxyRule: Hashable, Sendable {
  /// What a URL begins with.
  public enum Scheme: Hashable, Sendable {
    /// `http`
    case http
    /// `https`
    case https
  }

  /// The ways, the next of which is tried when the one before cannot be taken. None is the same as
  /// `.direct`.
  public var routes: [ProxyRoute]
  /// The scheme that the rule is for; `nil` for both.
  public var scheme: Scheme?
  /// The hosts that the rule is for.
  public var hosts: HostList

  /// A rule.
  ///
  /// - Parameters:
  ///   - routes: The ways, the next of which is tried when the one before cannot be taken.
  ///   - scheme: The scheme that the rule is for. The default is both.
  ///   - hosts: The hosts that the rule is for. The default is all, those of this machine included.
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
