import CoreMetrics
import MartletCore

/// The metrics of the connections to one server.
struct ConnectionMetrics: Sendable {
  private let active: Meter
  private let idle: Meter
  private let duration: Timer

  init(_ factory: any MetricsFactory, _ dimensions: ServerLabels.Dimensions) {
    func open(_ state: String) -> Meter {
      Meter(
        label: "http.client.open_connections",
        dimensions: dimensions + [("http.connection.state", state)], factory: factory)
    }
    active = open("active")
    idle = open("idle")
    duration = Timer(seconds: "http.client.connection.duration", dimensions, factory)
  }

  /// Records a change of the connections.
  func record(_ change: ConnectionChange) {
    active.add(change.active)
    idle.add(change.idle)
    if let age = change.closedAfter { duration.recordNanoseconds(age.nanoseconds) }
  }
}

extension Meter {
  fileprivate func add(_ count: Int) {
    if count > 0 { increment(by: Double(count)) }
    if count < 0 { decrement(by: Double(-count)) }
  }
}

extension Timer {
  /// A histogram of durations, which is shown in seconds.
  convenience init(
    seconds label: String, _ dimensions: ServerLabels.Dimensions, _ factory: any MetricsFactory
  ) {
    self.init(
      label: label, dimensions: dimensions, preferredDisplayUnit: .seconds, factory: factory)
  }
}
