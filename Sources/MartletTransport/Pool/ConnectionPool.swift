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
  let answers: AnswerQueue
  let connector: Connector
  let configuration: EngineConfiguration
  let budget: ConnectionBudget
  let directory: PoolDirectory
  var state: PoolState
  var connections: [ConnectionID: any PooledConnection] = [:]
  var waiting: [CallID: Call] = [:]
  var held: [ObjectIdentifier: Call] = [:]
  var attempts: [ConnectionID: Task<Void, Never>] = [:]
  /// When the first of the present attempts began.
  var attemptsBegan = NIODeadline.now()
  /// Whether the budget has refused a connection that is still needed.
  var isHungry = false
  var isListed = true
  var sweep: Sweep?
  var isShutDown = false
  /// Whether no calls come any more, so that no connection is kept for later.
  var isRetired = false
  /// Which change of whom to trust the connections come after.
  let trustEpoch: Int
  private var lastCall: CallID = 0

  init(
    _ connector: Connector, lane: EngineLane, configuration: EngineConfiguration,
    budget: ConnectionBudget, directory: PoolDirectory, trustEpoch: Int = 0
  ) {
    origin = connector.origin
    loop = connector.loop
    ticker = lane.ticker
    answers = lane.answers
    self.connector = connector
    self.configuration = configuration
    self.budget = budget
    self.directory = directory
    self.trustEpoch = trustEpoch
    let limits = PoolState.Limits(
      connections: max(configuration.connections.perOrigin, 1),
      idleTime: TimeAmount(configuration.connections.idleTime),
      age: configuration.connections.maximumAge.map { TimeAmount($0) })
    state = PoolState(limits: limits, sharing: configuration.sharing(of: connector.origin))
  }

  // MARK: Calls

  func submit(_ call: Call) {
    loop.assertInEventLoop()
    guard mayServe() else { return call.fail(.shutDown) }
    held[ObjectIdentifier(call)] = nil
    lastCall += 1
    call.id = lastCall
    let priority = call.request.exchange?.priority ?? .medium
    switch state.assign(call.id, priority: priority, now: .now()) {
    case .use(let id):
      guard let connection = connections[id] else { return call.failAsLost() }
      use(connection, for: call)
    case .connect(let id):
      waiting[call.id] = call
      open(id, for: call)
    case .wait:
      waiting[call.id] = call
      call.request.exchange?.report(.queued)
      sweepLater()
    }
  }

  /// Whether a call waits here: for a connection, or held back by its exchange handle.
  func holds(_ call: Call) -> Bool {
    waiting[call.id] === call || held[ObjectIdentifier(call)] === call
  }

  /// Whether calls are still taken; a pool that had left the directory is in it again.
  private func mayServe() -> Bool {
    if !isListed, !isShutDown { isListed = directory.adopt(self) }
    return isListed && !isShutDown
  }

  /// Since when a call has waited for a first connection that is being made for another.
  func waitForAnothers(_ call: Call) -> NIODeadline? {
    guard connections.isEmpty, !attempts.isEmpty, waiting[call.id] === call,
      !state.isAttempted(call.id)
    else { return nil }
    return attemptsBegan
  }

  /// Since when a call has waited for a server that allows no exchange for now, and carries none.
  func waitForLeave(_ call: Call) -> NIODeadline? {
    guard let since = state.allIdleSince, waiting[call.id] === call, !state.isAttempted(call.id)
    else { return nil }
    return since
  }

  /// A request that must not be sent twice is not trusted to a connection that the server has closed,
  /// even if the event loop has not come to hear of it yet. Answers to others may still lie unread.
  private func use(_ connection: any PooledConnection, for call: Call) {
    guard call.request.method.isIdempotent || connection.isStanding else {
      _ = state.retire(connection.id)
      if connection.isAtRest { connection.close() }
      return submit(call)
    }
    connection.start(call)
  }

  /// A call waits no longer.
  func forget(_ call: Call) {
    loop.assertInEventLoop()
    held[ObjectIdentifier(call)] = nil
    stopWaiting(call)
    leaveIfEmpty()
  }

  private func stopWaiting(_ call: Call) {
    guard waiting.removeValue(forKey: call.id) != nil else { return }
    _ = state.cancel(call.id)
    // Nobody is left to use it: its place is better given back than kept until it times out.
    state.spareAttempt(of: call.id).map { giveUp($0) }
  }

  func giveUp(_ attempt: ConnectionID) {
    state.giveUp(attempt)
    attempts[attempt]?.cancel()
  }

  /// A call must not be sent before it is submitted again.
  func hold(_ call: Call) {
    loop.assertInEventLoop()
    guard mayServe() else {
      forget(call)
      return call.fail(.shutDown)
    }
    // It counts before it leaves the line, so that the pool stays where a shutdown finds it.
    held[ObjectIdentifier(call)] = call
    stopWaiting(call)
  }

  // MARK: What connections tell

  /// One of a connection's exchanges is over, and the connection is good for another.
  func released(_ connection: any PooledConnection) {
    loop.assertInEventLoop()
    guard !isShutDown else { return connection.shutDown(abandoning: false) }
    // A connection that others still use would never become idle on its own.
    let isAtRest = connection.isAtRest
    if state.waitingCount > 0 || !isAtRest, budget.shouldMakeWay(self, isAtRest: isAtRest) {
      retire(connection)
    }
    switch state.released(connection.id, now: .now()) {
    case .serve(let call): start(call, on: connection)
    case .goOn: if state.waitingCount > 0 { openWhatIsNeeded() }
    case .close: connection.close()
    case .keep: kept(connection)
    }
  }

  /// The peer has said how many exchanges a connection carries at once.
  func capacityChanged(_ connection: any PooledConnection, to count: Int) {
    loop.assertInEventLoop()
    state.capacityChanged(connection.id, to: count)
    serve(from: connection)
    openWhatIsNeeded()
  }

  /// A connection takes no more calls, but those under way go on.
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
    leaveIfEmpty()
  }

  /// Gives those who wait the room that a connection has.
  func serve(from connection: any PooledConnection) {
    while let call = state.next(for: connection.id, now: .now()) { start(call, on: connection) }
  }

  private func start(_ call: CallID, on connection: any PooledConnection) {
    guard let call = waiting.removeValue(forKey: call) else {
      // Its place would never be free again.
      assert(Call.note("A call that waited for \(origin) was lost."))
      return released(connection)
    }
    connection.start(call)
  }
}
