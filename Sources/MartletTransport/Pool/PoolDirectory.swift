import EssentialFoundation
import MartletCore
import NIOCore
import NIOPosix
import Synchronization

/// Finds the pools of an origin, and makes them on first use.
///
/// A pool without connections and exchanges leaves the directory, and an origin leaves with the last of its pools.
final class PoolDirectory: Sendable {
  private struct State {
    var origins: [Origin: OriginPools] = [:]
    /// The pools that have connections or exchanges. Some take no new requests, because their origin has new pools, or
    /// gets them when needed.
    var used: [ObjectIdentifier: ConnectionPool] = [:]
    /// The loop on which the next origin begins, so that different origins use different loops.
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
  private let outsideWork: OutsideWork
  private let budget: ConnectionBudget
  private let proxies: ProxyResolver
  private let state: Locked<State>
  private let nextExecutor = Atomic(0)
  /// The settings are made for the first secure origin, because roots are read only if they are needed. Reading them
  /// takes time, so the settings have a lock of their own.
  private let settings = Locked<Settings?>(nil)

  /// Creates a directory without pools.
  ///
  /// - Parameters:
  ///   - configuration: The engine's configuration.
  ///   - loops: The event loops.
  ///   - hasVirtualTime: Whether the loops have a time of their own. The default is false.
  ///   - outsideWork: Counts the work on other threads.
  init(
    _ configuration: HTTPTransportConfiguration, loops: [any EventLoop],
    hasVirtualTime: Bool = false, outsideWork: OutsideWork
  ) {
    self.configuration = configuration
    self.outsideWork = outsideWork
    engineLoops = loops.map {
      EngineLoop(
        $0, isOneOfSeveral: loops.count > 1, hasVirtualTime: hasVirtualTime,
        outsideWork: outsideWork)
    }
    budget = ConnectionBudget(total: configuration.connections.maximumTotal) {
      ObjectIdentifier($0.parts)
    }
    proxies = ProxyResolver(configuration)
    state = Locked(State(tls: configuration.tls))
  }

  /// Counts callers that wait for an event loop; `nil` if all loops are the process's own, which are never shut down.
  var callers: OutsideWork? { configuration.eventLoopGroup == nil ? nil : outsideWork }

  /// The number of the event loop on which the caller runs; `nil` if it runs elsewhere, or there is only one loop.
  var ownLoop: Int? {
    guard engineLoops.count > 1, let current = MultiThreadedEventLoopGroup.currentEventLoop else {
      return nil
    }
    return engineLoops.firstIndex { $0.loop === current }
  }

  /// The executor of the caller's event loop, or else of the next loop in turn.
  var executor: EngineExecutor { executors(1)[0] }

  /// The executors of a batch, the first of which is that of `executor`.
  ///
  /// A loop that has fewer than eight requests under way at once is cheaper than two, because it sleeps less often.
  ///
  /// - Parameter limit: How many requests are under way at once.
  /// - Returns: At least one executor.
  func executors(for limit: Int) -> [EngineExecutor] {
    executors(min((limit - 1) / 8 + 1, engineLoops.count))
  }

  private func executors(_ count: Int) -> [EngineExecutor] {
    let loops = engineLoops.count
    let first = ownLoop ?? nextExecutor.wrappingAdd(count, ordering: .relaxed).oldValue & .max
    return (0..<count).map { engineLoops[(first % loops + $0) % loops].executor }
  }

  /// The pools of an origin, which are made if there are none.
  ///
  /// - Throws: `MartletError` with code `.shutDown`, `.invalidProxy`, or for a secure origin `.invalidTrustRoots`,
  ///   `.invalidHostPattern` or `.invalidTLSOptions`.
  func pools(for origin: Origin) throws(MartletError) -> OriginPools {
    if let pools = state.withLock({ $0.origins[origin] }) { return pools }
    let selection = try proxies.selection(for: origin)
    while true {
      let (tls, epoch) = state.withLock { ($0.tls, $0.trustEpoch) }
      let handshake =
        origin.isSecure ? try settings(tls, epoch: epoch).handshake(with: origin) : nil
      let made = state.withLock { state -> Result<OriginPools, MartletError>? in
        if let pools = state.origins[origin] { return .success(pools) }
        guard !state.isShutDown else { return .failure(.shutDown) }
        // The trust evaluator has changed meanwhile.
        guard state.trustEpoch == epoch else { return nil }
        let pools = makePools(
          for: origin, handshake, selection, epoch: epoch, first: state.nextLoopIndex)
        state.nextLoopIndex += 1
        state.origins[origin] = pools
        return .success(pools)
      }
      if let made { return try made.get() }
    }
  }

  /// Makes the pools of an origin: a part has the number of its event loop.
  private func makePools(
    for origin: Origin, _ tls: TLSHandshake?, _ selection: ProxySelection?, epoch: Int, first: Int
  ) -> OriginPools {
    let parts = OriginParts(
      engineLoops.map(\.usage), first: first, sharing: configuration.sharing(of: origin))
    return OriginPools(
      origin, parts: parts, configuration: configuration, budget: budget, trustEpoch: epoch
    ) { [self] part, pools in
      let engineLoop = engineLoops[part]
      let connector = Connector(
        origin: origin, executor: engineLoop.executor, tls: tls, versions: configuration.versions,
        addressFilter: AddressFilter(policy: configuration.addressPolicy),
        resolver: configuration.resolver, proxies: selection)
      return ConnectionPool(
        connector, part, of: pools, engineLoop: engineLoop, configuration: configuration,
        budget: budget, directory: self)
    }
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
      for origin in state.origins.keys where origin.isSecure { state.origins[origin] = nil }
      return state.used.values.filter(\.origin.isSecure)
    }
    for pool in outdated { pool.loop.execute { pool.retire() } }
  }

  /// What became of adding a pool.
  enum Addition {
    /// The pool takes new requests.
    case current
    /// The pool takes the exchanges that were on their way to it; new requests go to other pools.
    case replaced
    /// The engine has been shut down.
    case refused
  }

  /// Adds a pool when it gets its first exchange.
  ///
  /// - Parameters:
  ///   - pool: The pool.
  ///   - pools: The pools of its origin.
  /// - Returns: Whether the pool takes exchanges.
  func add(_ pool: ConnectionPool, of pools: OriginPools) -> Addition {
    state.withLock { state in
      guard !state.isShutDown else { return .refused }
      state.used[ObjectIdentifier(pool)] = pool
      guard !pool.origin.isSecure || pools.trustEpoch == state.trustEpoch else {
        return .replaced
      }
      if state.origins[pool.origin] == nil { state.origins[pool.origin] = pools }
      return state.origins[pool.origin] === pools ? .current : .replaced
    }
  }

  /// The pools that have connections or exchanges.
  var allPools: [ConnectionPool] { state.withLock { Array($0.used.values) } }

  /// Removes a pool that has neither, and with the last pool of an origin the origin.
  func remove(_ pool: ConnectionPool) {
    state.withLock { state in
      state.used[ObjectIdentifier(pool)] = nil
      guard let pools = state.origins[pool.origin], pools.parts === pool.parts,
        !pools.made.contains(where: { state.used[ObjectIdentifier($0)] != nil })
      else { return }
      state.origins[pool.origin] = nil
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
      return Array(state.used.values)
    }
    for pool in pools where pool.loop === engineLoop.loop { pool.makeRoom() }
  }

  /// Stops taking exchanges, fails the waiting ones, and closes idle connections.
  ///
  /// - Parameter abandoning: Whether exchanges that are under way fail, too.
  func shutDown(abandoning: Bool) {
    let token = callers?.begin()
    for pool in takePools(forgetting: abandoning) {
      pool.loop.execute { pool.shutDown(abandoning: abandoning) }
    }
    withExtendedLifetime(token) {}
  }

  /// Shuts down. If the event loops belong to the program, this waits for work on other threads that schedules something on them, and
  /// lets tasks of the program that run on them continue on other threads.
  func close() async {
    await closePools()
    guard let callers else { return }
    await callers.waitUntilIdle()
    for engineLoop in engineLoops { await engineLoop.executor.close() }
  }

  private func closePools() async {
    // With loops of the program, another call of `close()` finds no pools, and waits for this one.
    let token = outsideWork.begin()
    for pool in takePools(forgetting: true) {
      // Fails while the event loop is being shut down, and the pool's connections with it.
      try? await pool.loop.scheduleTask(in: .zero) { pool.shutDown(abandoning: true) }
        .futureResult.get()
    }
    withExtendedLifetime(token) {}
  }

  /// Refuses new exchanges.
  ///
  /// - Parameter forgetting: Whether the pools leave the directory at once. Otherwise they stay until their exchanges have ended, so
  ///   that `close()` finds them.
  /// - Returns: The pools.
  private func takePools(forgetting: Bool) -> [ConnectionPool] {
    state.withLock { state in
      (state.isShutDown, state.origins) = (true, [:])
      defer { if forgetting { state.used = [:] } }
      return Array(state.used.values)
    }
  }
}
