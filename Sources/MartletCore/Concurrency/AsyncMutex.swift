import EssentialFoundation
import NIOCore

/// A mutex for asynchronous work. Its callers run one at a time, in the order of their calls.
///
/// It is for work that suspends, during which a lock must not be held.
package final class AsyncMutex: Sendable {
  private typealias Waiter = CheckedContinuation<Void, Never>

  private struct State {
    var isTaken = false
    var waiting: CircularBuffer<Waiter> = []
  }

  private let state = Locked(State())

  package init() {}

  /// Runs `work` after the work of all earlier callers has ended.
  ///
  /// A cancelled task also waits for its turn. Only its work can end early.
  ///
  /// - Parameter work: The work.
  /// - Returns: What `work` returns.
  /// - Throws: What `work` throws.
  package func withLock<Value>(_ work: () async throws -> Value) async rethrows -> Value {
    await acquire()
    defer { release() }
    return try await work()
  }

  private func acquire() async {
    guard !tryAcquire(nil) else { return }
    await withCheckedContinuation { waiter in
      if tryAcquire(waiter) { waiter.resume() }
    }
  }

  /// Takes the mutex if it is free, and returns whether it was free. If not, `waiter` is resumed when it has the mutex.
  private func tryAcquire(_ waiter: Waiter?) -> Bool {
    state.withLock { state in
      if !state.isTaken {
        state.isTaken = true
        return true
      }
      if let waiter { state.waiting.append(waiter) }
      return false
    }
  }

  private func release() {
    let next = state.withLock { state -> Waiter? in
      let next = state.waiting.popFirst()
      state.isTaken = next != nil
      return next
    }
    next?.resume()
  }
}
