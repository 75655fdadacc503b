import MartletCore
import NIOCore

/// Manages the connections to one origin on one event loop, as decided by `PoolState`: a part of the origin's pool.
///
/// Opening and closing connections, and what the parts do for each other, are in files of their own.
///
/// `@unchecked Sendable` because the pool is confined to its event loop, which debug builds assert. Only `loop`,
/// `origin`, `connector`, `part` and `parts` are read elsewhere, and they never change.
final class ConnectionPool: @unchecked Sendable {
  let origin: Origin
  let loop: any EventLoop
  private let hasVirtualTime: Bool
  let ticker: DeadlineTicker
  let results: ResultQueue
  let connector: Connector
  let configuration: HTTPTransportConfiguration
  /// The number of this part.
  let part: Int
  /// What the parts know of each other.
  let parts: OriginParts
  /// All parts of the pool, if there are several. The directory and the exchanges keep them. Without other parts it is `nil`:
  /// references are counted more slowly once there is a weak one.
  weak var siblings: OriginPools?
  /// The limit on the connections of all parts; `nil` if there is only this one.
  let limit: ConnectionBudget?
  let budget: ConnectionBudget
  let directory: PoolDirectory
  // The accesses to these are not checked at run time: only the event loop makes them, and the functions of these values call
  // nothing else.
  @exclusivity(unchecked) var state: PoolState
  @exclusivity(unchecked) var connections = NumberedTable<any PooledConnection>()
  @exclusivity(unchecked) var waiting: [ExchangeID: Exchange] = [:]
  @exclusivity(unchecked) var suspendedExchanges: [ObjectIdentifier: Exchange] = [:]
  var attempts: [ConnectionID: Task<Void, Never>] = [:]
  /// Begins an attempt to connect, which ends with `opened(_:_:)`. Simulations replace it.
  var connect: (ConnectionPool, ConnectionID, Exchange) -> Task<Void, Never> = {
    pool, id, exchange in
    pool.attempt(id, for: exchange)
  }
  /// When the first of the current attempts began.
  var attemptsBegan: NIODeadline
  /// The permit that is missing for a connection that is needed. The pool tries again when there may be one.
  var missingPermit: Permit?
  /// How many permits of the limit this part has.
  var limitPermits = 0
  /// The first waiting exchange and the number of places, as they were last published for the other parts.
  var published = (head: WaitingHead.none, places: 0, isConnecting: false)
  /// The parts that have been asked for exchanges and have not answered yet, as bits.
  var askedParts: UInt64 = 0
  /// The part that was called last, because it had a free place.
  var calledPart = 0
  /// Whether the part will look again for exchanges and places of other parts.
  var willLookAround = false
  var isListed = false
  var sweep: Sweep?
  var isShutDown = false
  /// Whether new requests go to another pool, so that no idle connection is kept.
  var isRetired = false
  let connectionObserver: ConnectionChange.Observer?
  /// What was last reported to the observer of the connections.
  var reportedConnections = ConnectionCounts()
  private var lastExchangeID: ExchangeID = 0

  init(
    _ connector: Connector, _ part: Int, of pools: OriginPools, engineLoop: EngineLoop,
    configuration: HTTPTransportConfiguration, budget: ConnectionBudget, directory: PoolDirectory
  ) {
    origin = connector.origin
    loop = engineLoop.loop
    hasVirtualTime = engineLoop.hasVirtualTime
    attemptsBegan = loop.now
    ticker = engineLoop.ticker
    results = engineLoop.results
    self.connector = connector
    self.part = part
    parts = pools.parts
    siblings = pools.parts.isSplit ? pools : nil
    limit = pools.parts.isSplit ? pools.limit : nil
    self.configuration = configuration
    self.budget = budget
    self.directory = directory
    connectionObserver = pools.connectionObserver
    let limits = PoolState.Limits(
      connections: max(configuration.connections.maximumPerOrigin, 1),
      keepAliveDuration: TimeAmount(configuration.connections.keepAliveDuration),
      age: configuration.connections.maximumAge.map { TimeAmount($0) })
    state = PoolState(limits: limits, sharing: pools.parts.sharing)
  }

  /// The time of the event loop. Most loops have that of the system, which costs less to ask directly.
  var now: NIODeadline { hasVirtualTime ? loop.now : .now() }

  // MARK: Exchanges

  /// Gives an exchange a connection, or a place in the queue.
  ///
  /// - Parameters:
  ///   - exchange: The exchange.
  ///   - isFirst: Whether it comes before all others of its priority, because it has waited in another part. The default
  ///     is false.
  func submit(_ exchange: Exchange, isFirst: Bool = false) {
    loop.assertInEventLoop()
    guard canTake(exchange) else { return exchange.fail(.shutDown) }
    suspendedExchanges[ObjectIdentifier(exchange)] = nil
    exchange.enterPart()
    lastExchangeID += 1
    exchange.id = lastExchangeID
    if parts.isSplit { state.learn(parts.sharing) }
    let assignment = state.assign(
      exchange.id, priority: exchange.priority, isFirst: isFirst, now: now)
    switch assignment {
    case .use(let id):
      guard let connection = connections[id] else { return exchange.failAsLost() }
      use(connection, for: exchange)
      reportConnections()
    case .connect(let id):
      waiting[exchange.id] = exchange
      guard openUnlessPermitIsMissing(id, for: exchange) else { return beginWaiting(exchange) }
      guard exchange.ownPart == part else { return callOtherParts() }
      // The caller stays on its loop, unless that takes longer.
      publish()
      scheduleLookAround()
    case .wait:
      waiting[exchange.id] = exchange
      beginWaiting(exchange)
    }
  }

  /// Reports that an exchange waits for a connection of others, and calls for one.
  private func beginWaiting(_ exchange: Exchange) {
    exchange.reportQueued()
    scheduleSweep()
    callOtherParts()
  }

  /// Whether an exchange waits in this pool, for a connection or because its call is suspended.
  func contains(_ exchange: Exchange) -> Bool {
    waiting[exchange.id] === exchange || suspendedExchanges[ObjectIdentifier(exchange)] === exchange
  }

  /// Whether the pool takes exchanges; it is added to the directory for its first exchange.
  private func canTake(_ exchange: Exchange) -> Bool {
    guard !isShutDown else { return false }
    guard !isListed else { return true }
    let addition = directory.add(self, of: exchange.pools)
    isListed = addition != .refused
    isRetired = addition == .replaced
    return isListed
  }

  /// When the current attempts began, if an exchange waits for a first connection that is made for another exchange.
  func waitingForOtherAttemptSince(_ exchange: Exchange) -> NIODeadline? {
    guard connections.isEmpty, waiting[exchange.id] === exchange, !state.isAttempted(exchange.id)
    else { return nil }
    if parts.isSplit { return parts.onlyAttemptsSince }
    return attempts.isEmpty ? nil : attemptsBegan
  }

  /// When all connections became idle, if an exchange waits because the server currently allows no streams.
  func waitingForStreamLimitSince(_ exchange: Exchange) -> NIODeadline? {
    guard let since = state.open.allIdleSince, waiting[exchange.id] === exchange,
      !state.isAttempted(exchange.id)
    else { return nil }
    return since
  }

  /// Starts an exchange on a connection, or submits it again if the connection cannot be used.
  ///
  /// A request that must not be sent twice is not sent on a connection that the server has closed, even if the event
  /// loop has not noticed that yet. Such a connection is closed here only if it is idle: it may still have unread
  /// responses to other exchanges.
  func use(_ connection: any PooledConnection, for exchange: Exchange) {
    guard exchange.request.method.isIdempotent || connection.isSocketOpen else {
      if state.open.decline(connection.id) { connection.close() }
      publish()
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
    guard waiting[exchange.id] === exchange else { return }
    waiting[exchange.id] = nil
    _ = state.cancel(exchange.id)
    endWhatIsNotNeeded()
    publish()
  }

  func cancelAttempt(_ attempt: ConnectionID) {
    state.cancelAttempt(attempt)
    attempts[attempt]?.cancel()
  }

  /// Keeps a suspended exchange, which is not sent until it is submitted again.
  func addSuspended(_ exchange: Exchange) {
    loop.assertInEventLoop()
    guard canTake(exchange) else { return exchange.fail(.shutDown) }
    // A suspended exchange keeps the pool in the directory, where a shutdown finds it.
    suspendedExchanges[ObjectIdentifier(exchange)] = exchange
    stopWaiting(exchange)
    if exchange.leavePart() { partWasLeft() }
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
    let keepsPlace = yieldsPlace()
    switch state.released(connection.id, keepsPlace: keepsPlace, now: now) {
    case .serve(let exchange):
      start(exchange, on: connection)
      endWhatIsNotNeeded()
      openWithinShare()
    case .inUse: if state.waitingCount > 0, !keepsPlace { openWhatIsNeeded() }
    case .close: connection.close()
    case .keep: becameIdle(connection)
    }
    publish()
    askOtherParts()
    reportConnections()
  }

  /// Handles a new limit of the peer on how many exchanges a connection carries at once.
  func capacityChanged(_ connection: any PooledConnection, to count: Int) {
    loop.assertInEventLoop()
    state.open.capacityChanged(connection.id, to: count)
    serve(from: connection)
    spreadWaiting()
    openWhatIsNeeded()
    endWhatIsNotNeeded()
    publish()
    askOtherParts()
    reportConnections()
  }

  /// Gives a connection no more exchanges; those under way continue. It does not count towards the limit any more.
  func retire(_ connection: any PooledConnection) {
    loop.assertInEventLoop()
    state.open.retire(connection.id)
    publish()
  }

  /// Removes a closed connection.
  func closed(_ connection: any PooledConnection) {
    loop.assertInEventLoop()
    guard connections.removeValue(forKey: connection.id) != nil else { return }
    let age =
      connectionObserver == nil ? nil : state.open.activity(of: connection.id, now: now)?.age
    state.open.closed(connection.id)
    reportConnections(closedAfter: age)
    budget.release(from: self)
    publish()
    openWhatIsNeeded()
    removeFromDirectoryIfEmpty()
  }

  /// Starts waiting exchanges on a connection, as long as it has room.
  func serve(from connection: any PooledConnection) {
    while let exchange = state.next(for: connection.id, now: now) {
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
