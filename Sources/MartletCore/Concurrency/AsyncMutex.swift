import EssentialFoundation
import NIOCore

/// Lets one caller at a time do its work, in the order in which they came.
///
/// For work that waits: a lock must not be held meanwhile.
package final class AsyncMutex: Sendable {
  private typealias Waiter = CheckedContinuation<Void, Never>

  private struct State {
    var isTaken = false
    var waiting: CircularBuffer<Waiter> = []
  }

  private let state = Locked(State())

  package init() {}

  /// Does `work` when all earlier callers are done with theirs.
  ///
  /// A cancelled task waits for its turn like any other: it is the work that ends early.
  ///
  /// - Parameter work: What to do.
  /// - Returns: What `work` returns.
  /// - Throws: What `work` throws.
  package func withLock<Value>(_ work: () async throws -> Value) async rethrows -> Value {
    await begin()
    defer { end() }
    return try await work()
  }

  private func begin() async {
    guard !begins(nil) else { return }
    await withCheckedContinuation { waiter in
      if begins(waiter) { waiter.resume() }
    }
  }

  /// Whether the turn is the caller's at once; otherwise `waiter` gets it later.
  private func begins(_ waiter: Waiter?) -> Bool {
    state.withLock { state in
      if !state.isTaken {
        state.isTaken = true
        return true
      }
      if let waiter { state.waiting.append(waiter) }
      return false
    }
  }

  private func end() {
    let next = state.withLock { state -> Waiter? in
      let next = state.waiting.popFirst()
      state.isTaken = next != nil
      return next
    }
    next?.resume()
  }
}
