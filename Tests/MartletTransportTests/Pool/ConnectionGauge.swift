import EssentialFoundation
import MartletCore

/// Counts the connections of an engine that are open at once, idle ones included.
final class ConnectionGauge: Sendable {
  private let state = Locked((now: 0, most: 0))

  var now: Int { state.current.now }
  var most: Int { state.current.most }

  func apply(_ change: ConnectionChange) {
    state.withLock { state in
      state.now += change.active + change.idle
      state.most = max(state.most, state.now)
    }
  }
}
