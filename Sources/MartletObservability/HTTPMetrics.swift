public import CoreMetrics
public import MartletCore
public import MartletEssentials

/// Measures the requests and connections of a session, with swift-metrics.
///
///     let api = HTTPSessionManager(baseURL: url) { $0.observers = [HTTPMetrics()] }
///
/// The metrics and their attributes follow OpenTelemetry's conventions for HTTP clients: the page of the module lists them. The
/// application brings the factory that exports them.
public struct HTTPMetrics: SessionObserver {
  private let metrics: ClientMetrics

  /// An observer that records metrics.
  ///
  /// - Parameters:
  ///   - factory: Makes the metrics. The default, `nil`, is the factory of the system: bootstrap it before.
  ///   - maximumServers: How many servers get time series of their own. The others are recorded together, as `_OTHER`. The
  ///     default is 100.
  ///   - maximumTemplates: How many values of `Request.urlTemplate` are recorded. The requests with others are recorded as if
  ///     they had none. The default is 500.
  public init(
    factory: (any MetricsFactory)? = nil, maximumServers: Int = 100, maximumTemplates: Int = 500
  ) {
    metrics = ClientMetrics(
      factory ?? MetricsSystem.factory, ServerLabels(maximumCount: maximumServers),
      maximumTemplates: maximumTemplates)
  }

  /// Returns the observer of all calls of the session.
  public func observer(of task: SessionTask) -> (any CallObserver)? {
    metrics
  }

  /// Returns the observer of the connections to a server.
  public func connectionObserver(of origin: Origin) -> ConnectionChange.Observer? {
    let metrics = metrics.connectionMetrics(of: origin)
    return { metrics.record($0) }
  }
}
