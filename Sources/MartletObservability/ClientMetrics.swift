import CoreMetrics
import EssentialFoundation
import HTTPTypes
import MartletCore

/// Records the metrics of a session. One object observes all calls, because most requests need no more than two look-ups.
final class ClientMetrics: CallObserver {
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
    var last: RequestMetrics?

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

  var topics: CallEvent.Topics { .attempts }

  func receive(_ event: CallEvent) {
    switch event.kind {
    case .attemptStarted(let request): metrics(of: request)?.active.increment()
    case .attemptFinished(let exchange): metrics(of: event.call)?.record(exchange, event.call)
    case .attemptFailed(let error): metrics(of: event.call)?.record(error, event)
    case .retryDecided(let decision): metrics(of: event.call)?.count(decision)
    case .cacheUsed(let status, _): metrics(of: event.call)?.count(status)
    default: break
    }
  }

  /// Returns the metrics of the connections to a server.
  func connectionMetrics(of origin: Origin) -> ConnectionMetrics {
    ConnectionMetrics(factory, servers.dimensions(of: origin))
  }

  /// Returns the metrics of the call's last request.
  private func metrics(of call: Call) -> RequestMetrics? {
    call.observedRequest.flatMap { metrics(of: $0) }
  }

  /// Returns the metrics of a request; `nil` for a request without a server.
  private func metrics(of request: Request) -> RequestMetrics? {
    guard let origin = try? request.origin else { return nil }
    let (method, template) = (request.method, request.urlTemplate)
    return state.withLock { state in
      if let last = state.last, last.isOf(method, origin, template) { return last }
      let key = Key(method: method, origin: origin, template: template)
      let metrics = state.requests[key] ?? newMetrics(key, &state)
      state.last = metrics
      return metrics
    }
  }

  private func newMetrics(_ key: Key, _ state: inout State) -> RequestMetrics {
    var dimensions = [("http.request.method", Conventions.name(of: key.method))]
    dimensions += servers.dimensions(of: key.origin)
    if let template = key.template, state.isKnown(template, upTo: maximumTemplates) {
      dimensions.append(("url.template", template))
    }
    let metrics = RequestMetrics(
      key.method, key.origin, key.template, factory: factory, dimensions)
    if state.requests.count < Self.maximumKept { state.requests[key] = metrics }
    return metrics
  }
}
