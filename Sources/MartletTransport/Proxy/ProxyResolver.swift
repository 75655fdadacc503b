import EssentialFoundation
import MartletCore
import NIOCore

/// The proxies of one engine: their routes, their failures and the access to them.
final class ProxyResolver: Sendable {
  let limits: HTTPTransportConfiguration.Limits
  private let table: ProxyTable
  private let tls: TLSOptions
  private let order = Locked(FailedProxies())
  private let accesses = Locked<[Proxy: ProxyAccess]>([:])

  init(_ configuration: HTTPTransportConfiguration) {
    table = ProxyTable(
      configuration.proxies, environment: ProcessInfo.processInfo.environment)
    tls = configuration.tls
    limits = configuration.limits
  }

  /// The routes to a server; `nil` when all are direct.
  ///
  /// - Throws: `MartletError` with code `.invalidProxy` when a proxy variable of the environment is invalid.
  func selection(for origin: Origin) throws(MartletError) -> ProxySelection? {
    let routes = try table.routes(to: origin)
    return routes.allSatisfy { $0 == .direct }
      ? nil : ProxySelection(routes: routes, resolver: self)
  }

  /// The routes in the order in which to try them now.
  func ordered(_ routes: [ProxyRoute]) -> [ProxyRoute] {
    order.current.ordered(routes, now: .now())
  }

  /// Records whether a route has worked.
  func recordResult(of route: ProxyRoute, succeeded: Bool) {
    order.withLock { order in
      if succeeded {
        order.recordSuccess(of: route)
      } else {
        order.recordFailure(of: route, now: .now())
      }
    }
  }

  func access(to proxy: Proxy) -> ProxyAccess {
    accesses.withLock { accesses in
      if let known = accesses[proxy] { return known }
      let access = ProxyAccess(proxy, tls: tls)
      accesses[proxy] = access
      return access
    }
  }
}

/// The routes to one server.
struct ProxySelection: Sendable {
  let routes: [ProxyRoute]
  let resolver: ProxyResolver
}

/// Orders routes so that proxies that have failed recently come last.
struct FailedProxies {
  /// How long a failed proxy is tried after the other routes.
  static let cooldown = TimeAmount.minutes(1)

  private var failures: [Proxy: NIODeadline] = [:]

  /// The routes in the order in which to try them now.
  func ordered(_ routes: [ProxyRoute], now: NIODeadline) -> [ProxyRoute] {
    guard !failures.isEmpty else { return routes }
    return routes.filter { !hasFailed($0, now) } + routes.filter { hasFailed($0, now) }
  }

  /// Records that a route has failed.
  mutating func recordFailure(of route: ProxyRoute, now: NIODeadline) {
    guard case .through(let proxy) = route else { return }
    failures = failures.filter { $0.value + Self.cooldown > now }
    failures[proxy] = now
  }

  /// Records that a route has worked.
  mutating func recordSuccess(of route: ProxyRoute) {
    guard !failures.isEmpty, case .through(let proxy) = route else { return }
    failures[proxy] = nil
  }

  private func hasFailed(_ route: ProxyRoute, _ now: NIODeadline) -> Bool {
    guard case .through(let proxy) = route, let failure = failures[proxy] else { return false }
    return failure + Self.cooldown > now
  }
}
