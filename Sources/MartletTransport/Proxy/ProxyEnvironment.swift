import MartletCore

/// What the environment says about proxies.
///
/// `http_proxy` counts in lower case only: a CGI program finds what a client sent in the field `Proxy` as
/// `HTTP_PROXY`. An empty variable is as good as none.
struct ProxyEnvironment: Sendable {
  private let http: Result<Proxy, MartletError>?
  private let https: Result<Proxy, MartletError>?
  private let all: Result<Proxy, MartletError>?
  private let exceptions: Result<ProxyHosts, MartletError>?

  /// - Parameter variables: The environment.
  init(_ variables: [String: String]) {
    let proxy = { (text: String) throws(ProxyProblem) in try Proxy(parsing: text) }
    http = Self.read(["http_proxy"], variables, proxy)
    https = Self.read(["https_proxy", "HTTPS_PROXY"], variables, proxy)
    all = Self.read(["all_proxy", "ALL_PROXY"], variables, proxy)
    exceptions = Self.read(["no_proxy", "NO_PROXY"], variables) { text throws(ProxyProblem) in
      try ProxyHosts(parsing: text)
    }
  }

  /// The way to a server.
  ///
  /// - Throws: `MartletError` with code `.invalidProxy` for a variable that is needed and makes no sense.
  func route(to target: ProxyTarget) throws(MartletError) -> ProxyRoute {
    guard let proxy = (target.isSecure ? https : http) ?? all,
      !ProxyHosts.loopback.contains(target)
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
