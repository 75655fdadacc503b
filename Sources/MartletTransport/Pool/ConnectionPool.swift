import MartletCore
import NIOCore

/// Manages the connections to one origin, as decided by `PoolState`.
///
/// Opening and closing connections are in files of their own.
///
/// `@unchecked Sendable` because the pool is confined to its event loop, which debug builds assert. Only `loop`,
/// `origin`, `connector` and `trustEpoch` are read elsewhere, and they never change.
final class ConnectionPool: @unchecked Sendable {
  let origin: Origin
  let loop: any EventLoop
  let ticker: DeadlineTicker
  let results: ResultQueue
  let connector: Connector
  let configuration: HTTPTransportConfiguration
  let budget: ConnectionBudget
  let directory: PoolDirectory
  // The accesses to these are not checked at run time: only the event loop makes them, and the functions of these values call
  // nothing else.
  @exclusivity(unchecked) var state: PoolState
  @exclusivity(unchecked) var connections = NumberedTable<any PooledConnection>()
  @exclusivity(unchecked) var waiting: [ExchangeID: Exchange] = [:]
  @exclusivity(unchecked) var suspendedExchanges: [ObjectIdentifier: Exchange] = [:]
  var attempts: [ConnectionID: Task<Void, Never>] = [:]
  /// When the first of the current attempts began.
  var attemptsBegan = NIODeadline.now()
  /// Whether the budget has refused a connection that is still needed.
  var isWaitingForBudget = false
  var isListed = true
  var sweep: Sweep?
  var isShutDown = false
  /// Whether new requests go to another pool, so that no idle connection is kept.
  var isRetired = false
  /// How often the trust evaluator had changed when the pool was made.
  let trustEpoch: Int
  let connectionObserver: ConnectionChange.Observer?
  /// What was last reported to the observer of the connections.
  var reportedConnections = ConnectionCounts()
  private var lastExchangeID: ExchangeID = 0

  init(
    _ connector: Connector, engineLoop: EngineLoop, configuration: HTTPTransportConfiguration,
    budget: ConnectionBudget, directory: PoolDirectory, trustEpoch: Int = 0
  ) {
    origin = connector.origin
    loop = engineLoop.loop
    ticker = engineLoop.ticker
    results = engineLoop.results
    self.connector = connector
    self.configuration = configuration
    self.budget = budget
    self.directory = directory
    self.trustEpoch = trustEpoch
    connectionObserver = configuration.connectionObserver?(connector.origin)
    let limits = PoolState.Limits(
      connections: max(configuration.connections.maximumPerOrigin, 1),
      keepAliveDuration: TimeAmount(configuration.connections.keepAliveDuration),
      age: configuration.connections.maximumAge.map { TimeAmount($0) })
    state = PoolState(limits: limits, sharing: configuration.sharing(of: connector.origin))
  }

  // MARK: Exchanges

  func submit(_ exchange: Exchange) {
    loop.assertInEventLoop()
    guard canTakeExchanges() else { return exchange.fail(.shutDown) }
    suspendedExchanges[ObjectIdentifier(exchange)] = nil
    lastExchangeID += 1
    exchange.id = lastExchangeID
    let priority = exchange.request.call?.priority ?? .medium
    switch state.assign(exchange.id, priority: priority, now: .now()) {
    case .use(let id):
      guard let connection = connections[id] else { return exchange.failAsLost() }
      use(connection, for: exchange)
      reportConnections()
    case .connect(let id):
      waiting[exchange.id] = exchange
      open(id, for: exchange)
    case .wait:
      waiting[exchange.id] = exchange
      exchange.request.call?.report(.queued)
      scheduleSweep()
    }
  }

  /// Whether an exchange waits in this pool, for a connection or because its call is suspended.
  func contains(_ exchange: Exchange) -> Bool {
    waiting[exchange.id] === exchange || suspendedExchanges[ObjectIdentifier(exchange)] === exchange
  }

  /// Whether the pool still takes exchanges; a pool that has left the directory is added again.
  private func canTakeExchanges() -> Bool {
    if !isListed, !isShutDown { isListed = directory.restore(self) }
    return isListed && !isShutDown
  }

  /// When the current attempts began, if an exchange waits for a first connection that is made for another exchange.
  func waitingForOtherAttemptSince(_ exchange: Exchange) -> NIODeadline? {
    guard connections.isEmpty, !attempts.isEmpty, waiting[exchange.id] === exchange,
      !state.isAttempted(exchange.id)
    else { return nil }
    return attemptsBegan
  }

  /// When all connections became idle, if an exchange waits because the server currently allows no streams.
  func waitingForStreamLimitSince(_ exchange: Exchange) -> NIODeadline? {
    guard let since = state.allIdleSince, waiting[exchange.id] === exchange,
      !state.isAttempted(exchange.id)
    else { return nil }
    return since
  }

  /// Starts an exchange on a connection, or submits it again if the connection cannot be used.
  ///
  /// A request that must not be sent twice is not sent on a connection that the server has closed, even if the event
  /// loop has not noticed that yet. Such a connection is closed here only if it is idle: it may still have unread
  /// responses to other exchanges.
  private func use(_ connection: any PooledConnection, for exchange: Exchange) {
    guard exchange.request.method.isIdempotent || connection.isSocketOpen else {
      if state.decline(connection.id) { connection.close() }
      return submit(exchange)
    }
    connection.start(exchange)
  }

  /// Removes an exchange that no longer waits.
  func remove(_ exchange: Exchange) {
    loop.assertInEventLoop()
    suspendedExchanges[ObjectIdentifier(exchange)] = nil
    stopWaiting(exchange)
    removeFromDirectoryIfEmpty()
  }

  private func stopWaiting(_ exchange: Exchange) {
    guard waiting.removeValue(forKey: exchange.id) != nil else { return }
    _ = state.cancel(exchange.id)
    // The attempt is no longer needed, and would keep its place until it times out.
    state.spareAttempt(of: exchange.id).map { cancelAttempt($0) }
  }

  func cancelAttempt(_ attempt: ConnectionID) {
    state.cancelAttempt(attempt)
    attempts[attempt]?.cancel()
  }

  /// Keeps a suspended exchange, which is not sent until it is submitted again.
  func addSuspended(_ exchange: Exchange) {
    loop.assertInEventLoop()
    guard canTakeExchanges() else { return exchange.fail(.shutDown) }
    // A suspended exchange keeps the pool in the directory, where a shutdown finds it.
    suspendedExchanges[ObjectIdentifier(exchange)] = exchange
    stopWaiting(exchange)
  }

  // MARK: Connection events

  /// Handles the end of an exchange on a connection that can carry another.
  func released(_ connection: any PooledConnection) {
    loop.assertInEventLoop()
    guard !isShutDown else { return connection.shutDown(abandoning: false) }
    // A connection that other exchanges still use might never become idle.
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
    reportConnections()
  }

  /// Handles a new limit of the peer on how many exchanges a connection carries at once.
  func capacityChanged(_ connection: any PooledConnection, to count: Int) {
    loop.assertInEventLoop()
    state.capacityChanged(connection.id, to: count)
    serve(from: connection)
    openWhatIsNeeded()
    reportConnections()
  }

  /// Gives a connection no more exchanges; those under way continue.
  func retire(_ connection: any PooledConnection) {
    loop.assertInEventLoop()
    _ = state.retire(connection.id)
  }

  /// Removes a closed connection.
  func closed(_ connection: any PooledConnection) {
    loop.assertInEventLoop()
    guard connections.removeValue(forKey: connection.id) != nil else { return }
    let age =
      connectionObserver == nil ? nil : state.activity(of: connection.id, now: .now())?.age
    state.closed(connection.id)
    reportConnections(closedAfter: age)
    budget.release(from: self)
    openWhatIsNeeded()
    removeFromDirectoryIfEmpty()
  }

  /// Starts waiting exchanges on a connection, as long as it has room.
  func serve(from connection: any PooledConnection) {
    while let exchange = state.next(for: connection.id, now: .now()) {
      start(exchange, on: connection)
    }
  }

  private func start(_ exchange: ExchangeID, on connection: any PooledConnection) {
    guard let exchange = waiting.removeValue(forKey: exchange) else {
      // Without this, the place on the connection would never become free.
      assert(Exchange.logToStandardError("An exchange that waited for \(origin) was lost."))
      return released(connection)
    }
    connection.start(exchange)
  }
}
