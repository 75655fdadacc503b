import CoreMetrics
import EssentialFoundation
import HTTPTypes
import MartletCore

/// Records the metrics of a session. One object observes all calls.
final class ClientMetrics: CallObserver {
  private struct State {
    var requests: [RequestLabels: RequestMetrics] = [:]
    var templates: Set<String> = []
    /// What was found last: requests of the same kind often follow each other.
    var last: Found?
  }

  /// The metrics of a request. An object, because copying it is cheap.
  private final class Found: Sendable {
    private let method: HTTPRequest.Method
    private let origin: Origin?
    private let template: String?
    let metrics: RequestMetrics

    init(_ request: Request, _ metrics: RequestMetrics) {
      method = request.method
      origin = try? request.origin
      template = request.urlTemplate
      self.metrics = metrics
    }

    /// Whether another request has the same metrics.
    func isOf(_ request: Request) -> Bool {
      request.method == method && request.urlTemplate == template && (try? request.origin) == origin
    }
  }

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
    case .attemptStarted(let request): metrics(of: request)?.begin()
    case .attemptFinished(let exchange): metrics(of: event.call)?.record(exchange, of: event.call)
    case .attemptFailed(let error):
      metrics(of: event.call)?.record(error, at: event.time, of: event.call)
    case .retryDecided(let decision): metrics(of: event.call)?.count(decision)
    case .cacheUsed(let status, _): metrics(of: event.call)?.count(status)
    default: break
    }
  }

  /// Returns the metrics of the connections to a server.
  func connectionMetrics(of origin: Origin) -> ConnectionMetrics {
    ConnectionMetrics(factory, servers.label(of: origin).dimensions)
  }

  private func metrics(of call: Call) -> RequestMetrics? {
    call.request.flatMap { metrics(of: $0) }
  }

  /// Returns the metrics of a request; `nil` for a request without a server.
  private func metrics(of request: Request) -> RequestMetrics? {
    state.withLock { state in
      if let last = state.last, last.isOf(request) { return last.metrics }
      guard let labels = labels(of: request, &state) else { return nil }
      let metrics = state.requests.value(
        of: labels, orInsert: RequestMetrics(factory, labels.dimensions))
      state.last = Found(request, metrics)
      return metrics
    }
  }

  /// Returns the attributes, of which there is a bounded number: so is that of the metrics that are kept.
  private func labels(of request: Request, _ state: inout State) -> RequestLabels? {
    guard let origin = try? request.origin else { return nil }
    let template = request.urlTemplate.flatMap { template in
      if state.templates.count < maximumTemplates { state.templates.insert(template) }
      return state.templates.contains(template) ? template : nil
    }
    return RequestLabels(
      method: Conventions.name(of: request.method), server: servers.label(of: origin),
      template: template)
  }
}

/// The attributes of a request's metrics.
private struct RequestLabels: Hashable {
  let method: String
  let server: ServerLabels.Label
  let template: String?

  var dimensions: ServerLabels.Dimensions {
    [("http.request.method", method)] + server.dimensions
      + (template.map { [("url.template", $0)] } ?? [])
  }
}
