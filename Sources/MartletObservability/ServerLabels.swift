import EssentialFoundation
import MartletCore

/// The attributes that name a server, with a bound on how many servers there are.
///
/// The values follow the conventions of OpenTelemetry for HTTP clients. A server beyond the bound is named `_OTHER`, so that a
/// program that requests many servers does not make a time series for each.
struct ServerLabels: Sendable {
  typealias Dimensions = [(String, String)]

  private let maximumCount: Int
  private let known = Locked<Set<Origin>>([])

  init(maximumCount: Int) {
    self.maximumCount = maximumCount
  }

  /// Returns `server.address`, `server.port` and `url.scheme` of an origin.
  func dimensions(of origin: Origin) -> Dimensions {
    let isKnown = known.withLock { known in
      guard known.count < maximumCount else { return known.contains(origin) }
      known.insert(origin)
      return true
    }
    let scheme = ("url.scheme", origin.isSecure ? "https" : "http")
    guard isKnown else { return [("server.address", "_OTHER"), scheme] }
    switch origin.endpoint {
    case .host(let host, let port):
      return [("server.address", host), ("server.port", String(port)), scheme]
    case .unixSocket(let path): return [("server.address", path), scheme]
    }
  }
}
