import CoreMetrics
import EssentialFoundation
import HTTPTypes
import MartletCore

/// The metrics of a session. Each is made once, and found again by what its attributes depend on.
final class ClientMetrics: Sendable {
  /// The requests that share their attributes as long as they are under way.
  struct RequestKey: Hashable {
    var method: String
    var origin: Origin
    var template: String?
  }

  let connections: ConnectionMetrics
  private let factory: any MetricsFactory
  private let servers: ServerLabels
  private let maximumTemplates: Int
  private let requests = Locked<[RequestKey: RequestMetrics]>([:])
  private let templates = Locked<Set<String>>([])

  init(_ factory: any MetricsFactory, _ servers: ServerLabels, maximumTemplates: Int) {
    self.factory = factory
    self.servers = servers
    self.maximumTemplates = maximumTemplates
    connections = ConnectionMetrics(factory, servers)
  }

  /// Returns the metrics of a request; `nil` for a request without a server.
  func metrics(of request: Request) -> RequestMetrics? {
    guard let origin = try? request.origin else { return nil }
    let key = RequestKey(
      method: Conventions.name(of: request.method), origin: origin,
      template: request.urlTemplate.flatMap(known))
    return requests.withLock { requests in
      if let metrics = requests[key] { return metrics }
      let metrics = RequestMetrics(factory, dimensions(of: key))
      // The servers beyond the bound have the same dimensions. They need not be kept one by one.
      if requests.count < Self.maximumKept { requests[key] = metrics }
      return metrics
    }
  }

  /// How many metrics are kept. Beyond that number, they are made for each request.
  private static let maximumKept = 10_000

  private func dimensions(of key: RequestKey) -> ServerLabels.Dimensions {
    [("http.request.method", key.method)] + servers.dimensions(of: key.origin)
      + (key.template.map { [("url.template", $0)] } ?? [])
  }

  private func known(_ template: String) -> String? {
    templates.withLock { templates in
      if templates.count < maximumTemplates { templates.insert(template) }
      return templates.contains(template) ? template : nil
    }
  }
}
