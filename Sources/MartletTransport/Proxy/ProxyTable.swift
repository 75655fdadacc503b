import MartletCore

/// The routes to all servers, from the rules and the environment.
struct ProxyTable: Sendable {
  private let rules: [ProxyRule]
  private let environment: ProxyEnvironment?

  /// - Parameters:
  ///   - configuration: The rules, and whether the environment counts.
  ///   - variables: The variables of the environment, which are read only if the environment counts.
  init(
    _ configuration: ProxyConfiguration, environment variables: @autoclosure () -> [String: String]
  ) {
    rules = configuration.rules
    environment = configuration.followsEnvironment ? ProxyEnvironment(variables()) : nil
  }

  /// The routes to a server, in the order in which to try them.
  ///
  /// - Throws: `MartletError` with code `.invalidProxy` when a proxy variable of the environment is invalid.
  func routes(to origin: Origin) throws(MartletError) -> [ProxyRoute] {
    guard let target = ProxyTarget(origin) else { return [.direct] }
    if let rule = rules.first(where: { $0.applies(to: target) }) {
      return rule.routes.isEmpty ? [.direct] : rule.routes
    }
    return [try environment?.route(to: target) ?? .direct]
  }
}

/// The proxies that the environment sets.
///
/// `http_proxy` counts in lower case only, because a CGI program receives a client's field `Proxy` as the variable
/// `HTTP_PROXY`. An empty variable is ignored.
struct ProxyEnvironment: Sendable {
  private let http: Result<Proxy, MartletError>?
  private let https: Result<Proxy, MartletError>?
  private let all: Result<Proxy, MartletError>?
  private let exceptions: Result<HostList, MartletError>?

  /// - Parameter variables: The environment.
  init(_ variables: [String: String]) {
    let proxy = { (text: String) throws(ProxyProblem) in try Proxy(parsing: text) }
    http = Self.read(["http_proxy"], variables, proxy)
    https = Self.read(["https_proxy", "HTTPS_PROXY"], variables, proxy)
    all = Self.read(["all_proxy", "ALL_PROXY"], variables, proxy)
    exceptions = Self.read(["no_proxy", "NO_PROXY"], variables) { text throws(ProxyProblem) in
      try HostList(parsing: text)
    }
  }

  /// The route to a server.
  ///
  /// - Throws: `MartletError` with code `.invalidProxy` for a variable that is needed and invalid.
  func route(to target: ProxyTarget) throws(MartletError) -> ProxyRoute {
    guard let proxy = (target.isSecure ? https : http) ?? all,
      !HostList.loopback.contains(target)
    else { return .direct }
    if let exceptions, try exceptions.get().contains(target) { return .direct }
    return .through(try proxy.get())
  }

  /// Reads the first of several variables that is set and not empty.
  private static func read<Value>(
    _ names: [String], _ variables: [String: String],
    _ parse: (String) throws(ProxyProblem) -> Value
  ) -> Result<Value, MartletError>? {
    for name in names {
      guard let text = variables[name], !text.isEmpty else { continue }
      do throws(ProxyProblem) {
        return .success(try parse(text))
      } catch {
        return .failure(
          .invalidProxy(error.reason, in: "The environment variable `\(name)`"))
      }
    }
    return nil
  }
}

/// The properties of a server that proxy rules check.
struct ProxyTarget {
  let isSecure: Bool
  /// The host without a dot at the end.
  let host: String
  let port: Int
  /// The bytes of the host, if it is an IP address: 4 for IPv4, also when mapped to IPv6 (RFC 4291 §2.5.5.2), or 16.
  let address: [UInt8]?

  /// `nil` for a server at a Unix-domain socket, which no proxy can reach.
  init?(_ origin: Origin) {
    guard case .host(let host, let port) = origin.endpoint else { return nil }
    isSecure = origin.isSecure
    self.host = host.hasSuffix(".") ? String(host.dropLast()) : host
    self.port = port
    address = IPAddress(host, port: port)?.unmapped.bytes
  }
}
