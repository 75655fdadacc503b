import MartletCore
import NIOCore

/// Finds the pool of an origin, and makes it on first use.
///
/// The loop of an origin is chosen here, in turn. A pool without connections leaves the directory.
final class PoolDirectory: Sendable {
  private struct State {
    var pools: [Origin: ConnectionPool] = [:]
    /// Pools that somebody still had a use for when their origin had a new one already.
    var others: [ObjectIdentifier: ConnectionPool] = [:]
    var next = 0
    var isShutDown = false
    /// Whether the pools have yet to hear that others need room.
    var isMakingRoom = false
  }

  private let lanes: [EngineLane]
  private let configuration: EngineConfiguration
  private let budget: ConnectionBudget
  private let state = Locked(State())
  /// Made for the first secure origin: roots are not read for those who need none. Reading takes its time,
  /// and so has a lock of its own.
  private let handshake = Locked<Result<TLSHandshake, MartletError>?>(nil)

  init(_ configuration: EngineConfiguration, loops: [any EventLoop]) {
    self.configuration = configuration
    lanes = loops.map { EngineLane($0) }
    budget = ConnectionBudget(total: configuration.connections.total)
  }

  /// - Throws: `MartletError` with code `.shutDown`, or `.invalidTrustRoots` for a secure origin.
  func pool(for origin: Origin) throws(MartletError) -> ConnectionPool {
    if let pool = state.withLock({ $0.pools[origin] }) { return pool }
    let tls = origin.isSecure ? try tlsHandshake() : nil
    return try state.withLock { state -> Result<ConnectionPool, MartletError> in
      if let pool = state.pools[origin] { return .success(pool) }
      guard !state.isShutDown else { return .failure(.shutDown) }
      let lane = lanes[state.next % lanes.count]
      state.next += 1
      let connector = Connector(
        origin: origin, loop: lane.loop, tls: tls, versions: configuration.versions)
      let pool = ConnectionPool(
        connector, lane: lane, configuration: configuration, budget: budget, directory: self)
      state.pools[origin] = pool
      return .success(pool)
    }.get()
  }

  private func tlsHandshake() throws(MartletError) -> TLSHandshake {
    try handshake.withLock { handshake in
      let made =
        handshake
        ?? Result { () throws(MartletError) in
          try TLSHandshake(configuration.tls, versions: configuration.versions)
        }
      handshake = made
      return made
    }.get()
  }

  /// Puts a pool back that left the directory while somebody still had a use for it.
  ///
  /// - Parameter pool: The pool.
  /// - Returns: Whether it may go on: not after a shutdown.
  func adopt(_ pool: ConnectionPool) -> Bool {
    state.withLock { state in
      guard !state.isShutDown else { return false }
      if state.pools[pool.origin] == nil {
        state.pools[pool.origin] = pool
      } else {
        state.others[ObjectIdentifier(pool)] = pool
      }
      return true
    }
  }

  func remove(_ pool: ConnectionPool) {
    state.withLock { state in
      if state.pools[pool.origin] === pool { state.pools[pool.origin] = nil }
      state.others[ObjectIdentifier(pool)] = nil
    }
  }

  /// Asks the pools for idle connections that could go: once for all who need room in one turn of the
  /// loops.
  func makeRoom() {
    let isFirst = state.withLock { state in
      defer { state.isMakingRoom = true }
      return !state.isMakingRoom
    }
    guard isFirst else { return }
    for lane in lanes { lane.loop.execute { self.makeRoom(on: lane) } }
  }

  private func makeRoom(on lane: EngineLane) {
    let pools = state.withLock { state in
      state.isMakingRoom = false
      return Array(state.pools.values) + state.others.values
    }
    for pool in pools where pool.loop === lane.loop { pool.makeRoom() }
  }

  /// Takes no more calls.
  ///
  /// - Parameter abandoning: Whether exchanges that are under way fail, too.
  func shutDown(abandoning: Bool) {
    let pools = state.withLock { state in
      state.isShutDown = true
      defer { (state.pools, state.others) = ([:], [:]) }
      return Array(state.pools.values) + state.others.values
    }
    for pool in pools { pool.loop.execute { pool.shutDown(abandoning: abandoning) } }
  }
}
