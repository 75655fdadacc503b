import CoreMetrics
import EssentialFoundation
import MartletCore

/// The metrics of the requests with the same method, server and template.
final class RequestMetrics: Sendable {
  /// How an attempt ends.
  struct Outcome: Hashable {
    var status: Int?
    /// Whether the attempt was over HTTP/2; `nil` if that is not known.
    var isMultiplexed: Bool?
    /// The code of the error, if there was one.
    var error: MartletError.Code?
  }

  /// The metrics of the attempts with the same outcome.
  struct AttemptMetrics: Sendable {
    let duration: Timer
    let timeInQueue: Timer
    let requestBodySize: Recorder
    let responseBodySize: Recorder
  }

  private struct State {
    var outcomes: [Outcome: AttemptMetrics] = [:]
    /// The metrics that were found last.
    var last: (outcome: Outcome, metrics: AttemptMetrics)?
    var counters: [String: Counter] = [:]
  }

  let active: Meter
  private let factory: any MetricsFactory
  private let dimensions: ServerLabels.Dimensions
  private let state = Locked(State())

  init(_ factory: any MetricsFactory, _ dimensions: ServerLabels.Dimensions) {
    self.factory = factory
    self.dimensions = dimensions
    active = Meter(
      label: "http.client.active_requests", dimensions: dimensions, factory: factory)
  }

  /// Returns the metrics of the attempts with an outcome.
  func metrics(of outcome: Outcome) -> AttemptMetrics {
    state.withLock { state in
      if let last = state.last, last.outcome == outcome { return last.metrics }
      let metrics =
        state.outcomes[outcome] ?? AttemptMetrics(factory, dimensions + outcome.dimensions)
      state.outcomes[outcome] = metrics
      state.last = (outcome, metrics)
      return metrics
    }
  }

  /// Counts a retry, by the reason of the failure before it.
  func countRetry(after reason: String) {
    count("martlet.client.retries", "error.type", reason)
  }

  /// Counts what the cache has done with a request.
  func countCache(_ status: CacheStatus) {
    let result = status.forwardReason?.rawValue ?? "hit"
    count("martlet.client.cache.requests", "martlet.cache.result", result)
  }

  private func count(_ label: String, _ name: String, _ value: String) {
    state.withLock { state in
      let key = "\(label) \(value)"
      if let counter = state.counters[key] { return counter }
      let counter = Counter(
        label: label, dimensions: dimensions + [(name, value)], factory: factory)
      state.counters[key] = counter
      return counter
    }.increment()
  }
}

extension RequestMetrics.Outcome {
  /// The attributes that an outcome adds.
  fileprivate var dimensions: ServerLabels.Dimensions {
    var dimensions: ServerLabels.Dimensions = []
    if let status { dimensions.append(("http.response.status_code", String(status))) }
    if let isMultiplexed {
      dimensions.append(("network.protocol.version", isMultiplexed ? "2" : "1.1"))
    }
    if let type = error.map({ "\($0)" }) ?? Conventions.errorType(of: status) {
      dimensions.append(("error.type", type))
    }
    return dimensions
  }
}

extension RequestMetrics.AttemptMetrics {
  fileprivate init(_ factory: any MetricsFactory, _ dimensions: ServerLabels.Dimensions) {
    func size(_ label: String) -> Recorder {
      Recorder(label: label, dimensions: dimensions, aggregate: true, factory: factory)
    }
    duration = Timer(seconds: "http.client.request.duration", dimensions, factory)
    timeInQueue = Timer(seconds: "http.client.request.time_in_queue", dimensions, factory)
    requestBodySize = size("http.client.request.body.size")
    responseBodySize = size("http.client.response.body.size")
  }
}
