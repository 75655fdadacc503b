import EssentialFoundation
import MartletCore
import NIOCore

/// The limit on connections in all, shared by the pools of all loops.
final class ConnectionBudget: Sendable {
  private struct State: Sendable {
    var decisions: BudgetState<ObjectIdentifier>
    /// The pools that were refused, to be told when there may be room.
    var waitingPools: [ObjectIdentifier: ConnectionPool] = [:]
  }

  private let state: Locked<State>

  init(total: Int) {
    state = Locked(State(decisions: BudgetState(total: total)))
  }

  /// Takes leave to open a connection; without it, `pool` is told when there may be.
  func acquire(for pool: ConnectionPool) -> Bool {
    state.withLock { state in
      let isGranted = state.decisions.acquire(for: ObjectIdentifier(pool))
      state.waitingPools[ObjectIdentifier(pool)] = isGranted ? nil : pool
      return isGranted
    }
  }

  /// A connection is gone: a pool that was refused may try again.
  func release(from pool: ConnectionPool) {
    change { $0.decisions.release(from: ObjectIdentifier(pool)) }
  }

  /// A pool waits for no more leave.
  func withdraw(_ pool: ConnectionPool) {
    change { state in
      state.waitingPools[ObjectIdentifier(pool)] = nil
      state.decisions.withdraw(ObjectIdentifier(pool))
    }
  }

  /// Whether a pool should close a connection that it has no use for; if so, it is taken for as good as
  /// closed.
  func shouldCloseIdle(in pool: ConnectionPool) -> Bool {
    state.withLock { state in
      guard state.decisions.isShort else { return false }
      state.decisions.willClose(for: ObjectIdentifier(pool))
      return true
    }
  }

  /// Whether a pool should give a connection up although it has a use for it.
  ///
  /// - Parameters:
  ///   - pool: The pool.
  ///   - isIdle: Whether nothing is under way on it, so that it is as good as closed.
  /// - Returns: Whether another pool has too few to compare.
  func shouldRelease(_ pool: ConnectionPool, isIdle: Bool) -> Bool {
    state.withLock { state in
      guard state.decisions.shouldRelease(ObjectIdentifier(pool)) else { return false }
      if isIdle { state.decisions.willClose(for: ObjectIdentifier(pool)) }
      return true
    }
  }

  /// Makes a change and has those ask again who could be granted leave now.
  private func change(_ change: (inout State) -> Void) {
    let pools = state.withLock { state in
      change(&state)
      return state.decisions.eligible.compactMap { state.waitingPools[$0] }
    }
    for pool in pools { pool.loop.execute { pool.openWhatIsNeeded() } }
  }
}
