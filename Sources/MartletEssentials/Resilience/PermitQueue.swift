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
    /// Those that are about to wait.
    var arriving: Set<UInt64> = []
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

  private let longestQueue: Int
  private let state: Locked<State>

  init(_ limit: ConcurrencyLimit) {
    longestQueue = limit.longestQueue
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

  /// Whether another request may wait.
  var hasRoom: Bool { state.withLock { $0.waiters.count < longestQueue } }

  /// Waits for a permit.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before.
  func nextPermit(_ clock: ResilienceClock) async throws -> Permit {
    try await acquire()
    return Permit(self, elapsed: clock.stopwatch())
  }

  private func acquire() async throws {
    let id = state.withLock { state in
      state.lastID += 1
      state.arriving.insert(state.lastID)
      return state.lastID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isCancelled = change { state in
          guard state.arriving.remove(id) != nil else { return true }
          state.waiters.append(Waiter(id: id, continuation: continuation))
          return false
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      let waiter = state.withLock { state -> Waiter? in
        state.arriving.remove(id)
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
