import MartletCore

/// The ways to all servers: the rules, and what the environment says.
struct ProxyTable: Sendable {
  private let rules: [ProxyRule]
  private let environment: ProxyEnvironment?

  /// - Parameters:
  ///   - configuration: What decides.
  ///   - variables: The environment, which is read only if it counts.
  init(
    _ configuration: ProxyConfiguration, environment variables: @autoclosure () -> [String: String]
  ) {
    rules = configuration.rules
    environment = configuration.followsEnvironment ? ProxyEnvironment(variables()) : nil
  }

  /// The ways to a server, in the order in which to try them.
  ///
  /// - Throws: `MartletError` with code `.invalidProxy` when the environment makes no sense.
  func routes(to origin: Origin) throws(MartletError) -> [ProxyRoute] {
    guard let target = ProxyTarget(origin) else { return [.direct] }
    if let rule = rules.first(where: { $0.applies(to: target) }) {
      return rule.routes.isEmpty ? [.direct] : rule.routes
    }
    return [try environment?.route(to: target) ?? .direct]
  }
}

/// What the environment says about proxies.
///
/// `http_proxy` counts in lower case only: a CGI program finds what a client sent in the field `Proxy` as
/// `HTTP_PROXY`. An empty variable is as good as none.
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

  /// The way to a server.
  ///
  /// - Throws: `MartletError` with code `.invalidProxy` for a variable that is needed and makes no sense.
  func route(to target: ProxyTarget) throws(MartletError) -> ProxyRoute {
    guard let proxy = (target.isSecure ? https : http) ?? all,
      !HostList.loopback.contains(target)
    else { return .direct }
    if let exceptions, try exceptions.get().contains(target) { return .direct }
    return .through(try proxy.get())
  }

  /// Reads the first of several variables that is there.
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

/// A server as the rules for proxies see it.
struct ProxyTarget {
  let isSecure: Bool
  /// Without a dot at the end.
  let host: String
  let port: Int
  /// The bytes of the host's address, if it is one: four, also of an IPv4 address that is written as an IPv6
  /// one (RFC 4291 §2.5.5.2), or sixteen.
  let address: [UInt8]?

  /// `nil` for what is behind a Unix-domain socket, which no proxy can reach.
  init?(_ origin: Origin) {
    guard case .host(let host, let port) = origin.endpoint else { return nil }
    isSecure = origin.isSecure
    self.host = host.hasSuffix(".") ? String(host.dropLast()) : host
    self.port = port
    address = IPAddress(host, port: port).map { Self.unmapped($0.bytes) }
  }

  private static let mapping: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]

  private static func unmapped(_ bytes: [UInt8]) -> [UInt8] {
    bytes.starts(with: mapping) ? Array(bytes.dropFirst(mapping.count)) : bytes
  }
}
