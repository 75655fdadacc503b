/// Which way requests to some servers take.
///
///     ProxyRule(.direct, hosts: try ProxyHosts(".internal, 10.0.0.0/8"))
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
  public var hosts: ProxyHosts

  /// A rule.
  ///
  /// - Parameters:
  ///   - routes: The ways, the next of which is tried when the one before cannot be taken.
  ///   - scheme: The scheme that the rule is for. The default is both.
  ///   - hosts: The hosts that the rule is for. The default is all, those of this machine included.
  public init(_ routes: ProxyRoute..., scheme: Scheme? = nil, hosts: ProxyHosts = .all) {
    self.routes = routes
    self.scheme = scheme
    self.hosts = hosts
  }

  func applies(to target: ProxyTarget) -> Bool {
    guard scheme == nil || (scheme == .https) == target.isSecure else { return false }
    return hosts.contains(target)
  }
}
