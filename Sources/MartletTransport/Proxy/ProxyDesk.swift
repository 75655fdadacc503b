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

/// Puts the proxies last that have failed lately.
struct ProxyOrder {
  /// How long a proxy that has failed comes after the others.
  static let penance = TimeAmount.minutes(1)

  private var failures: [Proxy: NIODeadline] = [:]

  /// The ways in the order in which to try them now.
  func ordered(_ routes: [ProxyRoute], now: NIODeadline) -> [ProxyRoute] {
    guard !failures.isEmpty else { return routes }
    return routes.filter { !hasFailed($0, now) } + routes.filter { hasFailed($0, now) }
  }

  /// A way could not be taken.
  mutating func failed(_ route: ProxyRoute, now: NIODeadline) {
    guard case .through(let proxy) = route else { return }
    failures = failures.filter { $0.value + Self.penance > now }
    failures[proxy] = now
  }

  /// A proxy has let a request through.
  mutating func worked(_ route: ProxyRoute) {
    guard !failures.isEmpty, case .through(let proxy) = route else { return }
    failures[proxy] = nil
  }

  private func hasFailed(_ route: ProxyRoute, _ now: NIODeadline) -> Bool {
    guard case .through(let proxy) = route, let failure = failures[proxy] else { return false }
    return failure + Self.penance > now
  }
}
