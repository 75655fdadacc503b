import MartletCore
import NIOCore

/// The connections to one origin: carries out what `PoolState` decides.
///
/// Opening and closing connections are in files of their own.
///
/// Unchecked because it is confined to its event loop, which debug builds assert; only `loop`, `origin` and
/// `trustEpoch`, which never change, are read elsewhere.
final class ConnectionPool: @unchecked Sendable {
  let origin: Origin
  let loop: any EventLoop
  let ticker: DeadlineTicker
  let results: ResultQueue
  let connector: Connector
  let configuration: HTTPTransportConfiguration
  let budget: ConnectionBudget
  let directory: PoolDirectory
  var state: PoolState
  var connections: [ConnectionID: any PooledConnection] = [:]
  var waiting: [ExchangeID: Exchange] = [:]
  var suspendedExchanges: [ObjectIdentifier: Exchange] = [:]
  var attempts: [ConnectionID: Task<Void, Never>] = [:]
  /// When the first of the present attempts began.
  var attemptsBegan = NIODeadline.now()
  /// Whether the budget has refused a connection that is still needed.
  var isWaitingForBudget = false
  var isListed = true
  var sweep: Sweep?
  var isShutDown = false
  /// Whether no exchanges come any more, so that no connection is kept for later.
  var isRetired = false
  /// Which change of whom to trust the connections come after.
  let trustEpoch: Int
  private var lastCall: ExchangeID = 0

  init(
    _ connector: Connector, engineLoop: EngineLoop, configuration: HTTPTransportConfiguration,
    budget: ConnectionBudget, directory: PoolDirectory, trustEpoch: Int = 0
  ) {
    origin = connector.origin
    loop = connector.loop
    ticker = engineLoop.ticker
    results = engineLoop.results
    self.connector = connector
    self.configuration = configuration
    self.budget = budget
    self.directory = directory
    self.trustEpoch = trustEpoch
    let limits = PoolState.Limits(
      connections: max(configuration.connections.maximumPerOrigin, 1),
      keepAliveDuration: TimeAmount(configuration.connections.keepAliveDuration),
      age: configuration.connections.maximumAge.map { TimeAmount($0) })
    state = PoolState(limits: limits, sharing: configuration.sharing(of: connector.origin))
  }

  // MARK: Exchanges

  func submit(_ exchange: Exchange) {
    loop.assertInEventLoop()
    guard mayServe() else { return exchange.fail(.shutDown) }
    suspendedExchanges[ObjectIdentifier(exchange)] = nil
    lastCall += 1
    exchange.id = lastCall
    let priority = exchange.request.call?.priority ?? .medium
    switch state.assign(exchange.id, priority: priority, now: .now()) {
    case .use(let id):
      guard let connection = connections[id] else { return exchange.failAsLost() }
      use(connection, for: exchange)
    case .connect(let id):
      waiting[exchange.id] = exchange
      open(id, for: exchange)
    case .wait:
      waiting[exchange.id] = exchange
      exchange.request.call?.report(.queued)
      scheduleSweep()
    }
  }

  /// Whether an exchange waits here: for a connection, or suspended by its call.
  func contains(_ exchange: Exchange) -> Bool {
    waiting[exchange.id] === exchange || suspendedExchanges[ObjectIdentifier(exchange)] === exchange
  }

  /// Whether exchanges are still taken; a pool that had left the directory is in it again.
  private func mayServe() -> Bool {
    if !isListed, !isShutDown { isListed = directory.restore(self) }
    return isListed && !isShutDown
  }

  /// Since when an exchange has waited for a first connection that is being made for another.
  func waitingForOtherAttemptSince(_ exchange: Exchange) -> NIODeadline? {
    guard connections.isEmpty, !attempts.isEmpty, waiting[exchange.id] === exchange,
      !state.isAttempted(exchange.id)
    else { return nil }
    return attemptsBegan
  }

  /// Since when an exchange has waited for a server that allows no exchange for now, and carries none.
  func waitingForStreamLimitSince(_ exchange: Exchange) -> NIODeadline? {
    guard let since = state.allIdleSince, waiting[exchange.id] === exchange,
      !state.isAttempted(exchange.id)
    else { return nil }
    return since
  }

  /// A request that must not be sent twice is not trusted to a connection that the server has closed,
  /// even if the event loop has not come to hear of it yet. Answers to others may still lie unread.
  private func use(_ connection: any PooledConnection, for exchange: Exchange) {
    guard exchange.request.method.isIdempotent || connection.isSocketOpen else {
      _ = state.retire(connection.id)
      if connection.isIdle { connection.close() }
      return submit(exchange)
    }
    connection.start(exchange)
  }

  /// An exchange waits no longer.
  func remove(_ exchange: Exchange) {
    loop.assertInEventLoop()
    suspendedExchanges[ObjectIdentifier(exchange)] = nil
    stopWaiting(exchange)
    removeFromDirectoryIfEmpty()
  }

  private func stopWaiting(_ exchange: Exchange) {
    guard waiting.removeValue(forKey: exchange.id) != nil else { return }
    _ = state.cancel(exchange.id)
    // It has no use any more: its place is better given back than kept until it times out.
    state.spareAttempt(of: exchange.id).map { cancelAttempt($0) }
  }

  func cancelAttempt(_ attempt: ConnectionID) {
    state.cancelAttempt(attempt)
    attempts[attempt]?.cancel()
  }

  /// An exchange must not be sent before it is submitted again.
  func addSuspended(_ exchange: Exchange) {
    loop.assertInEventLoop()
    guard mayServe() else { return exchange.fail(.shutDown) }
    // It counts before it leaves the queue, so that the pool stays where a shutdown finds it.
    suspendedExchanges[ObjectIdentifier(exchange)] = exchange
    stopWaiting(exchange)
  }

  // MARK: What connections tell

  /// One of a connection's exchanges is over, and the connection is good for another.
  func released(_ connection: any PooledConnection) {
    loop.assertInEventLoop()
    guard !isShutDown else { return connection.shutDown(abandoning: false) }
    // A connection that others still use would never become idle on its own.
    let isAtRest = connection.isIdle
    if state.waitingCount > 0 || !isAtRest, budget.shouldRelease(self, isIdle: isAtRest) {
      retire(connection)
    }
    switch state.released(connection.id, now: .now()) {
    case .serve(let exchange): start(exchange, on: connection)
    case .inUse: if state.waitingCount > 0 { openWhatIsNeeded() }
    case .close: connection.close()
    case .keep: becameIdle(connection)
    }
  }

  /// The peer has said how many exchanges a connection carries at once.
  func capacityChanged(_ connection: any PooledConnection, to count: Int) {
    loop.assertInEventLoop()
    state.capacityChanged(connection.id, to: count)
    serve(from: connection)
    openWhatIsNeeded()
  }

  /// A connection takes no more exchanges, but those under way go on.
  func retire(_ connection: any PooledConnection) {
    loop.assertInEventLoop()
    _ = state.retire(connection.id)
  }

  /// A connection is gone.
  func closed(_ connection: any PooledConnection) {
    loop.assertInEventLoop()
    guard connections.removeValue(forKey: connection.id) != nil else { return }
    state.closed(connection.id)
    budget.release(from: self)
    openWhatIsNeeded()
    removeFromDirectoryIfEmpty()
  }

  /// Gives those who wait the room that a connection has.
  func serve(from connection: any PooledConnection) {
    while let exchange = state.next(for: connection.id, now: .now()) {
      start(exchange, on: connection)
    }
  }

  private func start(_ exchange: ExchangeID, on connection: any PooledConnection) {
    guard let exchange = waiting.removeValue(forKey: exchange) else {
      // Its place would never be free again.
      assert(Exchange.note("An exchange that waited for \(origin) was lost."))
      return released(connection)
    }
    connection.start(exchange)
  }
}
