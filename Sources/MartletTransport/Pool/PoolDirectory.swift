import EssentialFoundation
import MartletCore
import NIOCore

/// Finds the pool of an origin, and makes it on first use.
///
/// Event loops are assigned to origins in turn. A pool without connections and exchanges leaves the directory.
final class PoolDirectory: Sendable {
  private struct State {
    var pools: [Origin: ConnectionPool] = [:]
    /// Pools that are still used, but take no new requests: their origin has a new pool, or gets one when needed.
    var replacedPools: [ObjectIdentifier: ConnectionPool] = [:]
    var nextLoopIndex = 0
    var isShutDown = false
    /// Whether the pools are about to make room for others.
    var isMakingRoom = false
    var tls: TLSOptions
    /// The number of changes of the trust evaluator.
    var trustEpoch = 0

    init(tls: TLSOptions) {
      self.tls = tls
    }
  }

  /// The TLS settings that all secure connections share, and how often the trust evaluator had changed when they were
  /// made.
  private struct Settings {
    var epoch: Int
    var result: Result<TLSHandshakeFactory, MartletError>
  }

  let engineLoops: [EngineLoop]
  private let configuration: HTTPTransportConfiguration
  private let budget: ConnectionBudget
  private let proxies: ProxyResolver
  private let state: Locked<State>
  /// The settings are made for the first secure origin, because roots are read only if they are needed. Reading them
  /// takes time, so the settings have a lock of their own.
  private let settings = Locked<Settings?>(nil)

  init(_ configuration: HTTPTransportConfiguration, loops: [any EventLoop]) {
    self.configuration = configuration
    engineLoops = loops.map { EngineLoop($0) }
    budget = ConnectionBudget(total: configuration.connections.maximumTotal)
    proxies = ProxyResolver(configuration)
    state = Locked(State(tls: configuration.tls))
  }

  /// The pool of an origin, which is made if there is none.
  ///
  /// - Throws: `MartletError` with code `.shutDown`, `.invalidProxy`, or for a secure origin `.invalidTrustRoots`,
  ///   `.invalidHostPattern` or `.invalidTLSOptions`.
  func pool(for origin: Origin) throws(MartletError) -> ConnectionPool {
    if let pool = state.withLock({ $0.pools[origin] }) { return pool }
    let selection = try proxies.selection(for: origin)
    while true {
      let (tls, epoch) = state.withLock { ($0.tls, $0.trustEpoch) }
      let handshake =
        origin.isSecure ? try settings(tls, epoch: epoch).handshake(with: origin) : nil
      let made = state.withLock { state -> Result<ConnectionPool, MartletError>? in
        if let pool = state.pools[origin] { return .success(pool) }
        guard !state.isShutDown else { return .failure(.shutDown) }
        // The trust evaluator has changed meanwhile.
        guard state.trustEpoch == epoch else { return nil }
        let pool = makePool(
          for: origin, handshake, selection, epoch: epoch, index: state.nextLoopIndex)
        state.nextLoopIndex += 1
        state.pools[origin] = pool
        return .success(pool)
      }
      if let made { return try made.get() }
    }
  }

  private func makePool(
    for origin: Origin, _ tls: TLSHandshake?, _ selection: ProxySelection?, epoch: Int, index: Int
  ) -> ConnectionPool {
    let engineLoop = engineLoops[index % engineLoops.count]
    let connector = Connector(
      origin: origin, executor: engineLoop.executor, tls: tls, versions: configuration.versions,
      addressFilter: AddressFilter(policy: configuration.addressPolicy), proxies: selection)
    return ConnectionPool(
      connector, engineLoop: engineLoop, configuration: configuration, budget: budget,
      directory: self,
      trustEpoch: epoch)
  }

  private func settings(_ tls: TLSOptions, epoch: Int) throws(MartletError) -> TLSHandshakeFactory {
    try settings.withLock { settings in
      if let known = settings, known.epoch >= epoch { return known.result }
      let result = Result { () throws(MartletError) in
        try TLSHandshakeFactory(tls, versions: configuration.versions)
      }
      settings = Settings(epoch: epoch, result: result)
      return result
    }.get()
  }

  /// Uses `evaluator` from now on; no secure connection that was made before carries a new request.
  func setTrustEvaluator(_ evaluator: (any TrustEvaluating)?) {
    let outdated = state.withLock { state in
      state.tls.evaluator = evaluator
      state.trustEpoch += 1
      let outdated = state.pools.values.filter(\.origin.isSecure)
      for pool in outdated {
        state.pools[pool.origin] = nil
        state.replacedPools[ObjectIdentifier(pool)] = pool
      }
      return outdated
    }
    for pool in outdated { pool.loop.execute { pool.retire() } }
  }

  /// Adds a pool again that left the directory while it was still used.
  ///
  /// - Parameter pool: The pool.
  /// - Returns: Whether the pool may take exchanges: false after a shutdown.
  func restore(_ pool: ConnectionPool) -> Bool {
    state.withLock { state in
      guard !state.isShutDown else { return false }
      let isCurrent = !pool.origin.isSecure || pool.trustEpoch == state.trustEpoch
      if isCurrent, state.pools[pool.origin] == nil {
        state.pools[pool.origin] = pool
      } else {
        state.replacedPools[ObjectIdentifier(pool)] = pool
      }
      return true
    }
  }

  /// The pools that have connections or exchanges.
  var allPools: [ConnectionPool] {
    state.withLock { Array($0.pools.values) + $0.replacedPools.values }
  }

  func remove(_ pool: ConnectionPool) {
    state.withLock { state in
      if state.pools[pool.origin] === pool { state.pools[pool.origin] = nil }
      state.replacedPools[ObjectIdentifier(pool)] = nil
    }
  }

  /// Lets the pools close idle connections to make room for others, once per turn of the event loops.
  func makeRoom() {
    let isFirst = state.withLock { state in
      defer { state.isMakingRoom = true }
      return !state.isMakingRoom
    }
    guard isFirst else { return }
    for engineLoop in engineLoops { engineLoop.loop.execute { self.makeRoom(on: engineLoop) } }
  }

  private func makeRoom(on engineLoop: EngineLoop) {
    let pools = state.withLock { state in
      state.isMakingRoom = false
      return Array(state.pools.values) + state.replacedPools.values
    }
    for pool in pools where pool.loop === engineLoop.loop { pool.makeRoom() }
  }

  /// Stops taking exchanges, fails the waiting ones, and closes idle connections.
  ///
  /// - Parameter abandoning: Whether exchanges that are under way fail, too.
  func shutDown(abandoning: Bool) {
    for pool in takePools() { pool.loop.execute { pool.shutDown(abandoning: abandoning) } }
  }

  /// Shuts down, and waits until the event loops have done their part.
  func close() async {
    for pool in takePools() {
      // Fails if the event loop has been shut down already, and the pool's connections with it.
      try? await pool.loop.scheduleTask(in: .zero) { pool.shutDown(abandoning: true) }
        .futureResult.get()
    }
  }

  /// Refuses new exchanges, and returns the pools.
  private func takePools() -> [ConnectionPool] {
    state.withLock { state in
      state.isShutDown = true
      defer { (state.pools, state.replacedPools) = ([:], [:]) }
      return Array(state.pools.values) + state.replacedPools.values
    }
  }
}
