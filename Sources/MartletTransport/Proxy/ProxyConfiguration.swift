/// Which requests go through which proxies.
///
///     $0.proxies = .none
///     $0.proxies = .through(try Proxy("http://proxy.example.com:3128"), except: try ProxyHosts(".internal"))
///     $0.proxies = ProxyConfiguration([
///       ProxyRule(.direct, hosts: .loopback),
///       ProxyRule(.through(first), .through(second), scheme: .https),
///     ])
///
/// The first rule that is for a server counts. Then, if `followsEnvironment`, the environment does: the
/// variables `http_proxy` (in lower case only), `https_proxy`, `all_proxy` and `no_proxy`, of which the last
/// three may be in upper case as well. It never concerns this machine, ``ProxyHosts/loopback``; a rule does.
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
  public static func through(_ proxy: Proxy, except hosts: ProxyHosts? = nil) -> ProxyConfiguration
  {
    ProxyConfiguration([ProxyRule(.through(proxy))]).excepting(hosts)
  }

  /// The same, with hosts that are connected to without any proxy.
  ///
  /// - Parameter hosts: The hosts; `nil` changes nothing.
  /// - Returns: A configuration with one rule more, which comes first.
  public func excepting(_ hosts: ProxyHosts?) -> ProxyConfiguration {
    guard let hosts else { return self }
    return ProxyConfiguration(
      [ProxyRule(.direct, hosts: hosts)] + rules, followsEnvironment: followsEnvironment)
  }
}
