import EssentialFoundation
import MartletCore
import NIOCore

/// The requests to one server that are under way, and those that wait for their turn, in order.
final class PermitQueue: Sendable {
  private struct Waiter {
    let id: UInt64
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var limit: AdaptiveLimit
    var inUse = 0
    var waiters: CircularBuffer<Waiter> = []
    var lastID: UInt64 = 0

    /// Takes the permits that are free for those that wait.
    mutating func serve() -> [Waiter] {
      var served: [Waiter] = []
      while inUse < limit.limit, let waiter = waiters.popFirst() {
        inUse += 1
        served.append(waiter)
      }
      return served
    }
  }

  private let maximumQueueLength: Int
  private let state: Locked<State>

  init(_ limit: ConcurrencyLimit) {
    maximumQueueLength = limit.maximumQueueLength
    state = Locked(State(limit: AdaptiveLimit(limit)))
  }

  /// Returns a permit if one is free and no other request waits.
  func permit(_ clock: ResilienceClock) -> Permit? {
    let isFree = state.withLock { state in
      guard state.waiters.isEmpty, state.inUse < state.limit.limit else { return false }
      state.inUse += 1
      return true
    }
    return isFree ? Permit(self, elapsed: clock.stopwatch()) : nil
  }

  /// Waits for a permit.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before; `MartletError` with code `.limitReached` if too many
  ///   requests wait.
  func nextPermit(_ origin: Origin, _ clock: ResilienceClock) async throws -> Permit {
    try await acquire(origin)
    return Permit(self, elapsed: clock.stopwatch())
  }

  private func acquire(_ origin: Origin) async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let problem = change { state -> (any Error)? in
          // A task is marked as cancelled before its cancellation handler runs.
          guard !Task.isCancelled else { return CancellationError() }
          guard state.waiters.count < maximumQueueLength else {
            return MartletError.tooManyWaiting(origin)
          }
          state.waiters.append(Waiter(id: id, continuation: continuation))
          return nil
        }
        if let problem { continuation.resume(throwing: problem) }
      }
    } onCancel: {
      let waiter = state.withLock { state -> Waiter? in
        let place = state.waiters.firstIndex { $0.id == id }
        return place.map { state.waiters.remove(at: $0) }
      }
      waiter?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Returns a permit.
  ///
  /// - Parameter adapt: Adapts the limit, given the number of requests under way.
  func release(_ adapt: (inout AdaptiveLimit, _ inUse: Int) -> Void) {
    change { state in
      adapt(&state.limit, state.inUse)
      state.inUse -= 1
    }
  }

  @discardableResult
  private func change<Value>(_ change: (inout State) -> Value) -> Value {
    let (value, served) = state.withLock { state in
      let value = change(&state)
      return (value, state.serve())
    }
    for waiter in served { waiter.continuation.resume() }
    return value
  }
}

extension MartletError {
  fileprivate static func tooManyWaiting(_ origin: Origin) -> MartletError {
    var error = MartletError(
      .limitReached,
      "Too many requests to \(origin) wait for their turn: send fewer at once, or raise the concurrency limit.",
      phase: .connect)
    error.isSafeToRetry = true
    return error
  }
}
