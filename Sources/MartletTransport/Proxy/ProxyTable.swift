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
