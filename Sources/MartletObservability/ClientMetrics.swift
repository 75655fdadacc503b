import CoreMetrics
import EssentialFoundation
import HTTPTypes
import MartletCore

/// The metrics of a session. Each is made once, and found again by what its attributes depend on.
final class ClientMetrics: Sendable {
  /// What the requests with the same metrics have in common.
  private struct Key: Hashable {
    var method: HTTPRequest.Method
    var origin: Origin
    var template: String?
  }

  private struct State {
    var requests: [Key: RequestMetrics] = [:]
    var templates: Set<String> = []
    /// The metrics that were found last: requests of the same kind often follow each other.
    var last: (key: Key, metrics: RequestMetrics)?

    /// Whether a template has time series of its own.
    mutating func isKnown(_ template: String, upTo maximumCount: Int) -> Bool {
      if templates.count < maximumCount { templates.insert(template) }
      return templates.contains(template)
    }
  }

  /// How many metrics are kept. Beyond that number, they are made for each request.
  private static let maximumKept = 10_000

  private let factory: any MetricsFactory
  private let servers: ServerLabels
  private let maximumTemplates: Int
  private let state = Locked(State())

  init(_ factory: any MetricsFactory, _ servers: ServerLabels, maximumTemplates: Int) {
    self.factory = factory
    self.servers = servers
    self.maximumTemplates = maximumTemplates
  }

  /// Returns the metrics of the connections to a server.
  func connectionMetrics(of origin: Origin) -> ConnectionMetrics {
    ConnectionMetrics(factory, servers.dimensions(of: origin))
  }

  /// Returns the metrics of a request; `nil` for a request without a server.
  func metrics(of request: Request) -> RequestMetrics? {
    guard let origin = try? request.origin else { return nil }
    let key = Key(method: request.method, origin: origin, template: request.urlTemplate)
    return state.withLock { state in
      if let last = state.last, last.key == key { return last.metrics }
      let metrics = state.requests[key] ?? newMetrics(key, &state)
      state.last = (key, metrics)
      return metrics
    }
  }

  private func newMetrics(_ key: Key, _ state: inout State) -> RequestMetrics {
    var dimensions = [("http.request.method", Conventions.name(of: key.method))]
    dimensions += servers.dimensions(of: key.origin)
    if let template = key.template, state.isKnown(template, upTo: maximumTemplates) {
      dimensions.append(("url.template", template))
    }
    let metrics = RequestMetrics(factory, dimensions)
    if state.requests.count < Self.maximumKept { state.requests[key] = metrics }
    return metrics
  }
}
