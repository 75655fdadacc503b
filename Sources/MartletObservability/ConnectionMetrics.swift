import CoreMetrics
import EssentialFoundation
import MartletCore

/// The metrics of the connections to all servers.
final class ConnectionMetrics: Sendable {
  /// The metrics of the connections to one server.
  private struct ServerMetrics: Sendable {
    let active: Meter
    let idle: Meter
    let duration: Timer
  }

  private let factory: any MetricsFactory
  private let servers: ServerLabels
  private let known = Locked<[Origin: ServerMetrics]>([:])

  init(_ factory: any MetricsFactory, _ servers: ServerLabels) {
    self.factory = factory
    self.servers = servers
  }

  /// Records a change of the connections to a server.
  func record(_ change: ConnectionChange) {
    let metrics = metrics(of: change.origin)
    metrics.active.add(change.active)
    metrics.idle.add(change.idle)
    if let age = change.closedAfter { metrics.duration.recordNanoseconds(age.nanoseconds) }
  }

  private func metrics(of origin: Origin) -> ServerMetrics {
    known.withLock { known in
      if let metrics = known[origin] { return metrics }
      let dimensions = servers.dimensions(of: origin)
      let metrics = ServerMetrics(
        active: open("active", dimensions), idle: open("idle", dimensions),
        duration: RequestMetrics.AttemptMetrics.seconds(
          "http.client.connection.duration", factory, dimensions))
      known[origin] = metrics
      return metrics
    }
  }

  private func open(_ state: String, _ dimensions: ServerLabels.Dimensions) -> Meter {
    Meter(
      label: "http.client.open_connections",
      dimensions: dimensions + [("http.connection.state", state)], factory: factory)
  }
}

extension Meter {
  fileprivate func add(_ count: Int) {
    if count > 0 { increment(by: Double(count)) }
    if count < 0 { decrement(by: Double(-count)) }
  }
}

extension Duration {
  /// The duration in nanoseconds, at most `Int64.max`.
  var nanoseconds: Int64 {
    Int64(clamping: components.seconds).multipliedReportingOverflow(by: 1_000_000_000).partialValue
      &+ components.attoseconds / 1_000_000_000
  }
}
