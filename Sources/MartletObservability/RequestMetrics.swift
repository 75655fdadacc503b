import CoreMetrics
import EssentialFoundation
import MartletCore

/// The metrics of the requests with the same method, server and template.
final class RequestMetrics: Sendable {
  /// How an attempt ends.
  struct Outcome: Hashable {
    var status: Int?
    var version: String?
    var errorType: String?
  }

  /// The metrics of the attempts with the same outcome.
  struct AttemptMetrics: Sendable {
    let duration: Timer
    let timeInQueue: Timer
    let requestBodySize: Recorder
    let responseBodySize: Recorder
  }

  let active: Meter
  private let factory: any MetricsFactory
  private let dimensions: ServerLabels.Dimensions
  private let outcomes = Locked<[Outcome: AttemptMetrics]>([:])
  private let counters = Locked<[String: Counter]>([:])

  init(_ factory: any MetricsFactory, _ dimensions: ServerLabels.Dimensions) {
    self.factory = factory
    self.dimensions = dimensions
    active = Meter(
      label: "http.client.active_requests", dimensions: dimensions, factory: factory)
  }

  /// Returns the metrics of the attempts with an outcome.
  func metrics(of outcome: Outcome) -> AttemptMetrics {
    outcomes.withLock { outcomes in
      if let metrics = outcomes[outcome] { return metrics }
      let metrics = AttemptMetrics(factory, dimensions + outcome.dimensions)
      outcomes[outcome] = metrics
      return metrics
    }
  }

  /// Counts a retry, by the reason of the failure before it.
  func countRetry(after reason: String) {
    count("martlet.client.retries", "error.type", reason)
  }

  /// Counts what the cache has done with a request.
  func countCache(_ status: CacheStatus) {
    count(
      "martlet.client.cache.requests", "martlet.cache.result",
      status.forwardReason?.rawValue ?? "hit")
  }

  private func count(_ label: String, _ name: String, _ value: String) {
    counters.withLock { counters in
      let key = "\(label) \(value)"
      if let counter = counters[key] { return counter }
      let counter = Counter(
        label: label, dimensions: dimensions + [(name, value)], factory: factory)
      counters[key] = counter
      return counter
    }.increment()
  }
}

extension RequestMetrics.Outcome {
  /// The attributes that an outcome adds.
  fileprivate var dimensions: ServerLabels.Dimensions {
    var dimensions: ServerLabels.Dimensions = []
    if let status { dimensions.append(("http.response.status_code", String(status))) }
    if let version { dimensions.append(("network.protocol.version", version)) }
    if let errorType { dimensions.append(("error.type", errorType)) }
    return dimensions
  }
}

extension RequestMetrics.AttemptMetrics {
  fileprivate init(_ factory: any MetricsFactory, _ dimensions: ServerLabels.Dimensions) {
    duration = Self.seconds("http.client.request.duration", factory, dimensions)
    timeInQueue = Self.seconds("http.client.request.time_in_queue", factory, dimensions)
    requestBodySize = Recorder(
      label: "http.client.request.body.size", dimensions: dimensions, aggregate: true,
      factory: factory)
    responseBodySize = Recorder(
      label: "http.client.response.body.size", dimensions: dimensions, aggregate: true,
      factory: factory)
  }

  /// A histogram of durations, which is shown in seconds.
  static func seconds(
    _ label: String, _ factory: any MetricsFactory, _ dimensions: ServerLabels.Dimensions
  ) -> Timer {
    Timer(
      label: label, dimensions: dimensions, preferredDisplayUnit: .seconds, factory: factory)
  }
}
