import NIOCore

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
