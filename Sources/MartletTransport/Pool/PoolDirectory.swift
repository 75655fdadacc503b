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
    /// Made for the first secure origin: roots are not read for those who need none.
    var handshake: Result<TLSHandshake, MartletError>?
  }

  private let lanes: [EngineLane]
  private let configuration: EngineConfiguration
  private let budget: ConnectionBudget
  private let state = Locked(State())

  init(_ configuration: EngineConfiguration, loops: [any EventLoop]) {
    self.configuration = configuration
    lanes = loops.map { EngineLane($0) }
    budget = ConnectionBudget(total: configuration.connections.total)
  }

  /// - Throws: `MartletError` with code `.shutDown`, or `.invalidTrustRoots` for a secure origin.
  func pool(for origin: Origin) throws(MartletError) -> ConnectionPool {
    try state.withLock { state -> Result<ConnectionPool, MartletError> in
      if let pool = state.pools[origin] { return .success(pool) }
      guard !state.isShutDown else { return .failure(.shutDown) }
      return Result { () throws(MartletError) in
        let lane = lanes[state.next % lanes.count]
        let tls = origin.isSecure ? try handshake(&state) : nil
        state.next += 1
        let connector = Connector(
          origin: origin, loop: lane.loop, tls: tls, versions: configuration.versions)
        let pool = ConnectionPool(
          connector, lane: lane, configuration: configuration, budget: budget, directory: self)
        state.pools[origin] = pool
        return pool
      }
    }.get()
  }

  private func handshake(_ state: inout State) throws(MartletError) -> TLSHandshake {
    let handshake =
      state.handshake
      ?? Result { () throws(MartletError) in
        try TLSHandshake(configuration.tls, versions: configuration.versions)
      }
    state.handshake = handshake
    return try handshake.get()
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

  /// Asks the other pools for an idle connection that could go.
  func makeRoom(for hungry: ConnectionPool) {
    let others = state.withLock { state in
      (Array(state.pools.values) + state.others.values).filter { $0 !== hungry }
    }
    for pool in others { pool.loop.execute { pool.makeRoom() } }
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
