import EssentialFoundation
import MartletCore
import NIOCore

/// The limit on all connections, shared by the pools of all event loops.
final class ConnectionBudget: Sendable {
  private struct State: Sendable {
    var decisions: BudgetState<ObjectIdentifier>
    /// The pools that did not get a permit, and try again when there may be room.
    var waitingPools: [ObjectIdentifier: ConnectionPool] = [:]
  }

  private let state: Locked<State>

  init(total: Int) {
    state = Locked(State(decisions: BudgetState(total: total)))
  }

  /// Takes a permit to open a connection; returns whether there was one. If not, `pool` tries again when there may be
  /// room.
  func acquire(for pool: ConnectionPool) -> Bool {
    state.withLock { state in
      let isGranted = state.decisions.acquire(for: ObjectIdentifier(pool))
      state.waitingPools[ObjectIdentifier(pool)] = isGranted ? nil : pool
      return isGranted
    }
  }

  /// Returns the permit of a closed connection or a failed attempt, so that a waiting pool may try again.
  func release(from pool: ConnectionPool) {
    change { $0.decisions.release(from: ObjectIdentifier(pool)) }
  }

  /// Removes a pool that no longer waits for a permit.
  func withdraw(_ pool: ConnectionPool) {
    change { state in
      state.waitingPools[ObjectIdentifier(pool)] = nil
      state.decisions.withdraw(ObjectIdentifier(pool))
    }
  }

  /// Whether a pool should close an idle connection; if so, the connection counts as being closed.
  func shouldCloseIdle(in pool: ConnectionPool) -> Bool {
    state.withLock { state in
      guard state.decisions.hasUnservedPools else { return false }
      state.decisions.willClose(for: ObjectIdentifier(pool))
      return true
    }
  }

  /// Whether a pool should give up a connection that it could still use.
  ///
  /// - Parameters:
  ///   - pool: The pool.
  ///   - isIdle: Whether the connection carries no exchanges, so that it counts as being closed.
  /// - Returns: Whether a waiting pool holds no connection, or at least two fewer.
  func shouldRelease(_ pool: ConnectionPool, isIdle: Bool) -> Bool {
    state.withLock { state in
      guard state.decisions.shouldRelease(ObjectIdentifier(pool)) else { return false }
      if isIdle { state.decisions.willClose(for: ObjectIdentifier(pool)) }
      return true
    }
  }

  /// Makes a change, after which the pools that may now open a connection try again.
  private func change(_ change: (inout State) -> Void) {
    let pools = state.withLock { state in
      change(&state)
      return state.decisions.eligible.compactMap { state.waitingPools[$0] }
    }
    for pool in pools { pool.loop.execute { pool.openWhatIsNeeded() } }
  }
}
