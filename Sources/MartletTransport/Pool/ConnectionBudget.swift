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
    state = Locked(State(left: total))
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

  /// A connection is gone: whoever was refused first may try again.
  func release() {
    let next: ConnectionPool? = state.withLock { state in
      state.left += 1
      return state.hungry.isEmpty ? nil : state.hungry.removeFirst()
    }
    next.map { pool in pool.loop.execute { pool.openWhatIsNeeded() } }
  }

  /// Whether anybody is waiting for leave.
  var isShort: Bool { state.withLock { !$0.hungry.isEmpty && $0.left <= 0 } }
}
