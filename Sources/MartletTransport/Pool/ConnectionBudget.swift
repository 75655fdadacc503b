import EssentialFoundation
import MartletCore
import NIOCore
import Synchronization

/// A limit on the number of connections that the pools of several event loops share: of one origin, or of all.
///
/// The lock is taken when a connection is opened or closed, and while pools wait. Otherwise, a request reads only whether
/// the budget is scarce or exhausted.
final class ConnectionBudget: Sendable {
  private struct State: Sendable {
    var decisions: BudgetState<ObjectIdentifier>
    /// The pools that did not get a permit, and try again when there may be room, by their holder.
    var waitingPools: [ObjectIdentifier: [ConnectionPool]] = [:]

    mutating func stopWaiting(_ pool: ConnectionPool, _ holder: ObjectIdentifier) {
      guard var pools = waitingPools[holder] else { return }
      pools.removeAll { $0 === pool }
      waitingPools[holder] = pools.isEmpty ? nil : pools
    }
  }

  private let state: Locked<State>
  /// What a pool's connections count for: permits are shared evenly between the holders.
  private let holder: @Sendable (ConnectionPool) -> ObjectIdentifier
  private let scarce = Atomic(false)
  private let exhausted = Atomic(false)

  init(total: Int, holder: @escaping @Sendable (ConnectionPool) -> ObjectIdentifier) {
    state = Locked(State(decisions: BudgetState(total: total)))
    self.holder = holder
  }

  /// Whether a pool waits for a permit.
  var isScarce: Bool { scarce.load(ordering: .relaxed) }
  /// Whether there is no permit left.
  var isExhausted: Bool { exhausted.load(ordering: .relaxed) }

  /// Whether a pool waits for a permit, for checks.
  func isWaiting(_ pool: ConnectionPool) -> Bool {
    let holder = holder(pool)
    return state.withLock { $0.waitingPools[holder]?.contains { $0 === pool } ?? false }
  }

  /// Takes a permit to open a connection; returns whether there was one. If not, `pool` tries again when there may be
  /// room.
  func acquire(for pool: ConnectionPool) -> Bool {
    let holder = holder(pool)
    return withState { state in
      let isGranted = state.decisions.acquire(for: holder)
      state.stopWaiting(pool, holder)
      if isGranted {
        if state.waitingPools[holder] != nil { state.decisions.wait(for: holder) }
      } else {
        state.waitingPools[holder, default: []].append(pool)
      }
      return isGranted
    }
  }

  /// Returns the permit of a closed connection or a failed attempt, so that a waiting pool may try again.
  func release(from pool: ConnectionPool) {
    let holder = holder(pool)
    change { $0.decisions.release(from: holder) }
  }

  /// Removes a pool that no longer waits for a permit.
  func withdraw(_ pool: ConnectionPool) {
    let holder = holder(pool)
    change { state in
      state.stopWaiting(pool, holder)
      if state.waitingPools[holder] == nil { state.decisions.withdraw(holder) }
    }
  }

  /// Whether a pool should close an idle connection for other holders; if so, the connection counts as being closed.
  func shouldCloseIdle(in pool: ConnectionPool) -> Bool {
    guard isScarce else { return false }
    let holder = holder(pool)
    return withState { state in
      guard state.decisions.hasUnservedPools(besides: holder) else { return false }
      state.decisions.willClose(for: holder)
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
    guard isScarce else { return false }
    let holder = holder(pool)
    return withState { state in
      guard state.decisions.shouldRelease(holder) else { return false }
      if isIdle { state.decisions.willClose(for: holder) }
      return true
    }
  }

  /// Makes a change, after which the pools that may now open a connection try again.
  private func change(_ change: (inout State) -> Void) {
    let pools = withState { state in
      change(&state)
      return state.decisions.eligible.flatMap { state.waitingPools[$0] ?? [] }
    }
    for pool in pools { pool.loop.execute { pool.openWhatIsNeeded() } }
  }

  private func withState<Result>(_ body: (inout State) -> Result) -> Result {
    state.withLock { state in
      defer {
        scarce.store(!state.waitingPools.isEmpty, ordering: .relaxed)
        exhausted.store(!state.decisions.isAvailable, ordering: .relaxed)
      }
      return body(&state)
    }
  }
}
