import CoreMetrics
import EssentialFoundation
import HTTPTypes
import MartletCore

/// The metrics of the requests with the same method, server and template.
final class RequestMetrics: Sendable {
  private struct State {
    var outcomes: [AttemptOutcome: AttemptMetrics] = [:]
    /// The metrics that were found last.
    var last: AttemptMetrics?
    var counters: [String: Counter] = [:]
  }

  let active: Meter
  private let timeInQueue: Timer
  private let method: HTTPRequest.Method
  private let origin: Origin
  private let template: String?
  private let factory: any MetricsFactory
  private let dimensions: ServerLabels.Dimensions
  private let state = Locked(State())

  init(
    _ method: HTTPRequest.Method, _ origin: Origin, _ template: String?,
    factory: any MetricsFactory, _ dimensions: ServerLabels.Dimensions
  ) {
    self.method = method
    self.origin = origin
    self.template = template
    self.factory = factory
    self.dimensions = dimensions
    active = Meter(
      label: "http.client.active_requests", dimensions: dimensions, factory: factory)
    timeInQueue = Timer(seconds: "http.client.request.time_in_queue", dimensions, factory)
  }

  /// Whether these are the metrics of such requests.
  func isOf(_ method: HTTPRequest.Method, _ origin: Origin, _ template: String?) -> Bool {
    self.method == method && self.origin == origin && self.template == template
  }

  // MARK: Attempts

  /// Records an attempt that has ended without an error.
  func record(_ exchange: ExchangeMetrics, _ call: Call) {
    active.decrement()
    timeInQueue.recordNanoseconds(exchange.connectionWait.nanoseconds)
    let outcome = AttemptOutcome(
      status: call.lastStatus, isMultiplexed: exchange.connection?.isMultiplexed, error: nil)
    metrics(of: outcome).record(exchange, call.bodyBytes)
  }

  /// Records an attempt that has failed.
  func record(_ error: MartletError, _ event: CallEvent) {
    active.decrement()
    let outcome = AttemptOutcome(
      status: event.call.lastStatus, isMultiplexed: nil, error: error.code)
    let duration = event.call.attemptStart.map { event.time - $0 } ?? .zero
    metrics(of: outcome).duration.recordNanoseconds(duration.nanoseconds)
  }

  private func metrics(of outcome: AttemptOutcome) -> AttemptMetrics {
    state.withLock { state in
      if let last = state.last, last.outcome == outcome { return last }
      let metrics =
        state.outcomes[outcome]
        ?? AttemptMetrics(outcome, factory, dimensions + outcome.dimensions)
      state.outcomes[outcome] = metrics
      state.last = metrics
      return metrics
    }
  }

  // MARK: Counters

  /// Counts a retry, by the reason of the failure before it.
  func count(_ decision: RetryDecision) {
    guard case .retry = decision.outcome else { return }
    count("martlet.client.retries", "error.type", "\(decision.reason)")
  }

  /// Counts what the cache has done with a request.
  func count(_ status: CacheStatus) {
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
