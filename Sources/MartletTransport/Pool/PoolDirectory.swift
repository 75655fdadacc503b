import MartletCore
import NIOCore

/// Finds the pool of an origin, and makes it on first use.
///
/// The loop of an origin is chosen here, in turn. A pool without connections leaves the directory.
final class PoolDirectory: Sendable {
  private struct State {
    var pools: [Origin: ConnectionPool] = [:]
    var next = 0
    var isShutDown = false
  }

  private let lanes: [Lane]
  private let configuration: EngineConfiguration
  private let budget: ConnectionBudget
  private let state = Locked(State())
  private let handshake: Result<TLSHandshake, MartletError>

  /// One event loop and what runs on it.
  ///
  /// Unchecked because the ticker is confined to the loop beside it.
  private struct Lane: @unchecked Sendable {
    let loop: any EventLoop
    let ticker: DeadlineTicker
  }

  init(_ configuration: EngineConfiguration, loops: [any EventLoop]) {
    self.configuration = configuration
    lanes = loops.map { Lane(loop: $0, ticker: DeadlineTicker(loop: $0)) }
    budget = ConnectionBudget(total: configuration.connections.total)
    handshake = Result { () throws(MartletError) in
      try TLSHandshake(configuration.tls, versions: configuration.versions)
    }
  }

  /// - Throws: `MartletError` with code `.shutDown`, or `.invalidTrustRoots` for a secure origin.
  func pool(for origin: Origin) throws(MartletError) -> ConnectionPool {
    try state.withLock { state -> Result<ConnectionPool, MartletError> in
      if let pool = state.pools[origin] { return .success(pool) }
      guard !state.isShutDown else { return .failure(.shutDown) }
      return Result { () throws(MartletError) in
        let lane = lanes[state.next % lanes.count]
        let tls = origin.isSecure ? try handshake.get() : nil
        state.next += 1
        let pool = ConnectionPool(

          Connector(
            origin: origin, loop: lane.loop, tls: tls, versions: configuration.versions),
          ticker: lane.ticker,
          configuration: configuration, budget: budget, directory: self)
        state.pools[origin] = pool
        return pool
      }
    }.get()
  }

  /// Puts a pool back that left the directory while somebody still had a use for it.
  func adopt(_ pool: ConnectionPool) {
    state.withLock { state in
      if !state.isShutDown, state.pools[pool.origin] == nil { state.pools[pool.origin] = pool }
    }
  }

  func remove(_ pool: ConnectionPool) {
    state.withLock { state in
      if state.pools[pool.origin] === pool { state.pools[pool.origin] = nil }
    }
  }

  /// Asks the other pools for an idle connection that could go.
  func makeRoom(for hungry: ConnectionPool) {
    let others = state.withLock { $0.pools.values.filter { $0 !== hungry } }
    for pool in others { pool.loop.execute { pool.makeRoom() } }
  }

  /// Takes no more calls.
  ///
  /// - Parameter abandoning: Whether exchanges that are under way fail, too.
  func shutDown(abandoning: Bool) {
    let pools = state.withLock { state in
      state.isShutDown = true
      defer { state.pools = [:] }
      return Array(state.pools.values)
    }
    for pool in pools { pool.loop.execute { pool.shutDown(abandoning: abandoning) } }
  }
}
