import EssentialFoundation
import HTTPTypes
import MartletCore
import Synchronization

/// The right to have one request under way. It ends once.
final class Permit: Sendable {
  private let queue: PermitQueue
  private let elapsed: @Sendable () -> Duration
  private let latency = Locked<Duration?>(nil)
  private let observation = Locked<Observation?>(nil)
  private let isReleased = Atomic(false)

  init(_ queue: PermitQueue, elapsed: @escaping @Sendable () -> Duration) {
    self.queue = queue
    self.elapsed = elapsed
  }

  deinit { release() }

  /// Releases the permit when the attempt that begins next has ended.
  func endWithAttempt(of call: Call) {
    let id = ObjectIdentifier(call)
    let observation = call.beginObservation(of: .attempts) { [weak self] event in
      // A second request has a permit of its own.
      guard ObjectIdentifier(event.call) == id else { return }
      switch event.kind {
      case .attemptFinished, .attemptFailed: self?.release()
      default: break
      }
    }
    self.observation.withLock { $0 = observation }
  }

  /// The latency is the time until the head: the time of the body depends on its size.
  func recordHead(_ status: HTTPResponse.Status) {
    if status.code != 429, status.code != 503 { return latency.withLock { $0 = elapsed() } }
    release { limit, _ in limit.recordOverload() }
  }

  func recordError(_ error: any Error) {
    release { limit, _ in
      if (error as? MartletError)?.code == .timedOut { limit.recordOverload() }
    }
  }

  func release() {
    let latency = latency.current
    release { limit, inUse in if let latency { limit.record(latency: latency, inUse: inUse) } }
  }

  private func release(_ adapt: (inout AdaptiveLimit, Int) -> Void) {
    guard !isReleased.exchange(true, ordering: .relaxed) else { return }
    queue.release(adapt)
    observation.withLock { $0.take() }?.cancel()
  }
}
