import MartletCore
import NIOCore

/// The limit on connections in all, shared by the pools of all loops.
final class ConnectionBudget: Sendable {
  private struct State {
    var left: Int
    var hungry: [ConnectionPool] = []
  }

  private let state: Locked<State>

  init(total: Int) {
    state = Locked(State(left: max(total, 1)))
  }

  /// Takes leave to open a connection; without it, `pool` is told when there may be.
  func acquire(for pool: ConnectionPool) -> Bool {
    state.withLock { state in
      guard state.left <= 0 else {
        state.left -= 1
        return true
      }
      if !state.hungry.contains(where: { $0 === pool }) { state.hungry.append(pool) }
      return false
    }
  }

  /// A connection is gone: whoever was refused may try again.
  func release() {
    // All are told: whoever was first may need nothing any more, and the others ask again.
    let hungry = state.withLock { state in
      state.left += 1
      defer { state.hungry = [] }
      return state.hungry
    }
    for pool in hungry { pool.loop.execute { pool.openWhatIsNeeded() } }
  }

  /// Whether anybody is waiting for leave.
  var isShort: Bool { state.withLock { !$0.hungry.isEmpty && $0.left <= 0 } }
}
