import EssentialFoundation
import MartletCore
import NIOCore

/// The proxies of one engine: which lead where, how they are doing, and how they are let in to.
final class ProxyDesk: Sendable {
  let limits: EngineConfiguration.Limits
  private let table: ProxyTable
  private let tls: TLSOptions
  private let order = Locked(ProxyOrder())
  private let accesses = Locked<[Proxy: ProxyAccess]>([:])

  init(_ configuration: EngineConfiguration) {
    table = ProxyTable(
      configuration.proxies, environment: ProcessInfo.processInfo.environment)
    tls = configuration.tls
    limits = configuration.limits
  }

  /// The ways to a server; `nil` when there is but the direct one.
  ///
  /// - Throws: `MartletError` with code `.invalidProxy` when the environment makes no sense.
  func ways(to origin: Origin) throws(MartletError) -> ProxyWays? {
    let routes = try table.routes(to: origin)
    return routes.allSatisfy { $0 == .direct } ? nil : ProxyWays(routes: routes, desk: self)
  }

  /// The ways in the order in which to try them now.
  func ordered(_ routes: [ProxyRoute]) -> [ProxyRoute] {
    order.current.ordered(routes, now: .now())
  }

  /// Notes how a way turned out.
  func note(_ route: ProxyRoute, works: Bool) {
    order.withLock { order in
      if works { order.worked(route) } else { order.failed(route, now: .now()) }
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

/// The ways to one server.
struct ProxyWays: Sendable {
  let routes: [ProxyRoute]
  let desk: ProxyDesk
}
