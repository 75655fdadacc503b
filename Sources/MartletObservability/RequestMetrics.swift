import CoreMetrics
import EssentialFoundation
import MartletCore

/// The metrics of the requests with the same attributes.
final class RequestMetrics: Sendable {
  private struct State {
    var outcomes: [AttemptOutcome: AttemptMetrics] = [:]
    /// The metrics that were found last.
    var last: AttemptMetrics?
    var counters: [String: any CounterHandler] = [:]
  }

  private let active: any MeterHandler
  private let timeInQueue: any TimerHandler
  private let factory: any MetricsFactory
  private let dimensions: ServerLabels.Dimensions
  private let state = Locked(State())

  init(_ factory: any MetricsFactory, _ dimensions: ServerLabels.Dimensions) {
    self.factory = factory
    self.dimensions = dimensions
    active = factory.makeMeter(label: "http.client.active_requests", dimensions: dimensions)
    timeInQueue = factory.makeTimer(
      seconds: "http.client.request.time_in_queue", dimensions: dimensions)
  }

  // MARK: Attempts

  /// Records an attempt that begins.
  func begin() { active.increment(by: 1) }

  /// Records an attempt that has ended without an error.
  func record(_ exchange: ExchangeMetrics, of call: Call) {
    active.decrement(by: 1)
    timeInQueue.recordNanoseconds(exchange.connectionWait.nanoseconds)
    let outcome = AttemptOutcome(
      status: call.status, isMultiplexed: exchange.connection?.isMultiplexed, error: nil)
    metrics(of: outcome).record(exchange, sent: call.bodyBytes.sent)
  }

  /// Records an attempt that has failed.
  func record(_ error: MartletError, at time: ContinuousClock.Instant, of call: Call) {
    active.decrement(by: 1)
    let outcome = AttemptOutcome(status: call.status, isMultiplexed: nil, error: error.code)
    let duration = call.attemptStart.map { time - $0 } ?? .zero
    metrics(of: outcome).duration.recordNanoseconds(duration.nanoseconds)
  }

  private func metrics(of outcome: AttemptOutcome) -> AttemptMetrics {
    state.withLock { state in
      if let last = state.last, last.outcome == outcome { return last }
      let metrics = state.outcomes.value(
        of: outcome,
        orInsert: AttemptMetrics(outcome, factory, dimensions + outcome.dimensions))
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
    let counter = state.withLock { state in
      state.counters.value(
        of: "\(label) \(value)",
        orInsert: factory.makeCounter(label: label, dimensions: dimensions + [(name, value)]))
    }
    counter.increment(by: 1)
  }
}

extension Dictionary {
  /// Returns the value of a key, which is made before if there is none.
  mutating func value(of key: Key, orInsert make: @autoclosure () -> Value) -> Value {
    if let value = self[key] { return value }
    let value = make()
    self[key] = value
    return value
  }
}
