import CoreMetrics
import EssentialFoundation
import MartletCore
import MartletEssentials

/// Records the metrics of one call.
final class CallMetrics: CallObserver {
  /// The attempt under way.
  private struct Attempt {
    let metrics: RequestMetrics
    let start: ContinuousClock.Instant
  }

  // The call has this object as its observer, so that it exists whenever it calls a function.
  private unowned let call: Call
  private let request: Request
  private let metrics: ClientMetrics
  private let attempt = Locked<Attempt?>(nil)

  init(_ task: SessionTask, _ metrics: ClientMetrics) {
    call = task.call
    request = task.originalRequest
    self.metrics = metrics
  }

  var topics: CallEvent.Topics { .attempts }

  func receive(_ event: CallEvent) {
    switch event.kind {
    case .attemptStarted(let request): begin(request, at: event.time)
    case .attemptFinished(let exchange): end(at: event.time, exchange)
    case .attemptFailed(let error): end(at: event.time, error: error)
    case .retryDecided(let decision):
      guard case .retry = decision.outcome else { return }
      metrics.metrics(of: request)?.countRetry(after: "\(decision.reason)")
    case .cacheUsed(let status, _): metrics.metrics(of: request)?.countCache(status)
    default: break
    }
  }

  private func begin(_ request: Request, at start: ContinuousClock.Instant) {
    guard let metrics = metrics.metrics(of: request) else { return }
    metrics.active.increment()
    attempt.withLock { $0 = Attempt(metrics: metrics, start: start) }
  }

  private func end(
    at end: ContinuousClock.Instant, _ exchange: ExchangeMetrics? = nil, error: MartletError? = nil
  ) {
    guard let attempt = attempt.withLock({ $0.take() }) else { return }
    attempt.metrics.active.decrement()
    let metrics = attempt.metrics.metrics(
      of: RequestMetrics.Outcome(
        status: call.lastStatus, isMultiplexed: exchange?.connection?.isMultiplexed,
        error: error?.code))
    let duration = exchange?.totalDuration ?? (end - attempt.start)
    metrics.duration.recordNanoseconds(duration.nanoseconds)
    guard let exchange else { return }
    metrics.timeInQueue.recordNanoseconds(exchange.connectionWait.nanoseconds)
    let bytes = call.bodyBytes
    metrics.requestBodySize.record(bytes.sent)
    metrics.responseBodySize.record(bytes.received)
  }
}
