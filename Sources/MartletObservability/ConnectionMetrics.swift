import CoreMetrics
import MartletCore

/// The metrics of the connections to one server.
struct ConnectionMetrics: Sendable {
  private let active: any MeterHandler
  private let idle: any MeterHandler
  private let duration: any TimerHandler

  init(_ factory: any MetricsFactory, _ dimensions: ServerLabels.Dimensions) {
    func open(_ state: String) -> any MeterHandler {
      factory.makeMeter(
        label: "http.client.open_connections",
        dimensions: dimensions + [("http.connection.state", state)])
    }
    active = open("active")
    idle = open("idle")
    duration = factory.makeTimer(
      seconds: "http.client.connection.duration", dimensions: dimensions)
  }

  /// Records a change of the connections.
  func record(_ change: ConnectionChange) {
    active.add(change.active)
    idle.add(change.idle)
    if let age = change.closedAfter { duration.recordNanoseconds(age.nanoseconds) }
  }
}

extension MeterHandler {
  fileprivate func add(_ count: Int) {
    if count > 0 { increment(by: Double(count)) }
    if count < 0 { decrement(by: Double(-count)) }
  }
}

extension MetricsFactory {
  /// Makes a histogram of durations, which is shown in seconds.
  func makeTimer(seconds label: String, dimensions: ServerLabels.Dimensions) -> any TimerHandler {
    let timer = makeTimer(label: label, dimensions: dimensions)
    timer.preferDisplayUnit(.seconds)
    return timer
  }
}
