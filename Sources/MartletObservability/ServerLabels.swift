import EssentialFoundation
import MartletCore

/// The attributes that name a server, with a bound on how many servers there are.
///
/// The values follow the conventions of OpenTelemetry for HTTP clients. A server beyond the bound is named `_OTHER`, so that a
/// program that requests many servers does not make a time series for each.
struct ServerLabels: Sendable {
  typealias Dimensions = [(String, String)]

  /// The name of a server.
  struct Label: Hashable {
    fileprivate let isSecure: Bool
    /// `nil` for the servers that are recorded together.
    fileprivate let endpoint: Origin.Endpoint?

    /// `server.address`, `server.port` and `url.scheme`.
    var dimensions: Dimensions {
      let scheme = ("url.scheme", isSecure ? "https" : "http")
      return switch endpoint {
      case .host(let host, let port)?:
        [("server.address", host), ("server.port", String(port)), scheme]
      case .unixSocket(let path)?: [("server.address", path), scheme]
      case nil: [("server.address", "_OTHER"), scheme]
      }
    }
  }

  private let maximumCount: Int
  private let known = Locked<Set<Origin>>([])

  init(maximumCount: Int) {
    self.maximumCount = maximumCount
  }

  /// Returns the label of a server.
  func label(of origin: Origin) -> Label {
    let isKnown = known.withLock { known in
      guard known.count < maximumCount else { return known.contains(origin) }
      known.insert(origin)
      return true
    }
    return Label(isSecure: origin.isSecure, endpoint: isKnown ? origin.endpoint : nil)
  }
}
