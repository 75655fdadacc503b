import MartletCore
import NIOCore

/// The connections to one origin: carries out what `PoolState` decides.
///
/// Unchecked because it is confined to its event loop; only `loop`, `origin` and `ticker`, which never
/// change, are read elsewhere, and the ticker is used on the loop alone.
final class ConnectionPool: @unchecked Sendable {
  let origin: Origin
  let loop: any EventLoop
  let ticker: DeadlineTicker
  private let connector: Connector
  private let configuration: EngineConfiguration
  private let budget: ConnectionBudget
  private let directory: PoolDirectory
  private var state: PoolState
  private var connections: [ConnectionID: any PooledConnection] = [:]
  private var waiting: [CallID: Call] = [:]
  private var held: [ObjectIdentifier: Call] = [:]
  private var attempts: [ConnectionID: Task<Void, Never>] = [:]
  private var lastCall: CallID = 0
  private var isListed = true
  private var isSweeping = false
  private var isShutDown = false

  init(
    _ connector: Connector, ticker: DeadlineTicker, configuration: EngineConfiguration,
    budget: ConnectionBudget, directory: PoolDirectory
  ) {
    origin = connector.origin
    loop = connector.loop
    self.ticker = ticker
    self.connector = connector
    self.configuration = configuration
    self.budget = budget
    self.directory = directory
    state = PoolState(
      limits: PoolState.Limits(
        connections: max(configuration.connections.perOrigin, 1),
        idleTime: TimeAmount(configuration.connections.idleTime),
        age: configuration.connections.maximumAge.map { TimeAmount($0) }))
  }

  // MARK: Calls

  func submit(_ call: Call) {
    guard !isShutDown else { return call.fail(.shutDown) }
    held[ObjectIdentifier(call)] = nil
    if !isListed { directory.adopt(self) }
    isListed = true
    closeExpired()
    lastCall += 1
    call.id = lastCall
    let priority = call.request.exchange?.priority ?? .medium
    switch state.assign(call.id, priority: priority, now: .now()) {
    case .reuse(let id): connections[id].map { reuse($0, for: call) }
    case .connect(let id):
      waiting[call.id] = call
      open(id, for: call)
    case .wait:
      waiting[call.id] = call
      call.request.exchange?.report(.queued)
    }
  }

  /// A request that must not be sent twice is not trusted to a connection that the server has closed,
  /// even if the event loop has not come to hear of it yet.
  private func reuse(_ connection: any PooledConnection, for call: Call) {
    guard call.request.method.isIdempotent || connection.isStanding else {
      connection.close()
      return submit(call)
    }
    connection.start(call)
  }

  /// A call waits no longer.
  func forget(_ call: Call) {
    held[ObjectIdentifier(call)] = nil
    guard waiting.removeValue(forKey: call.id) != nil else { return leaveIfEmpty() }
    _ = state.cancel(call.id)
    // Nobody is left to use it: its place is better given back than kept until it times out.
    state.spareAttempt(of: call.id).flatMap { attempts[$0] }?.cancel()
    leaveIfEmpty()
  }

  /// A call must not be sent before it is submitted again.
  func hold(_ call: Call) {
    forget(call)
    guard !isShutDown else { return call.fail(.shutDown) }
    held[ObjectIdentifier(call)] = call
  }

  // MARK: What connections tell

  /// A connection's exchange is over and the connection is good for another.
  func released(_ connection: any PooledConnection) {
    guard !isShutDown else { return connection.close() }
    switch state.released(connection.id, now: .now()) {
    case .serve(let call): waiting.removeValue(forKey: call).map { connection.start($0) }
    case .close: connection.close()
    case .keep: kept(connection)
    }
  }

  /// A connection has nothing to do.
  private func kept(_ connection: any PooledConnection) {
    connection.rest()
    if budget.isShort { makeRoom() } else { sweepLater() }
  }

  /// A connection is gone.
  func closed(_ connection: any PooledConnection) {
    guard connections.removeValue(forKey: connection.id) != nil else { return }
    state.closed(connection.id)
    budget.release()
    openWhatIsNeeded()
    leaveIfEmpty()
  }

  // MARK: Opening

  /// Opens connections for those who wait without one being made for them.
  func openWhatIsNeeded() {
    while !isShutDown, let (id, call) = state.openAnother() {
      guard let call = waiting[call], open(id, for: call) else { return }
    }
  }

  /// Whether the attempt was begun.
  @discardableResult
  private func open(_ id: ConnectionID, for call: Call) -> Bool {
    guard budget.acquire(for: self) else {
      state.withdraw(id)
      directory.makeRoom(for: self)
      return false
    }
    let exchange = call.request.exchange
    let timeouts = call.timeouts
    attempts[id] = Task { [self] in
      let result: Result<Connector.Connected, MartletError>
      do {
        let connected = try await connector.connect(timeouts: timeouts) { exchange?.report($0) }
        result = .success(connected)
      } catch {
        result = .failure(error as? MartletError ?? .cancelled)
      }
      loop.execute { self.opened(id, result) }
    }
    return true
  }

  private func opened(_ id: ConnectionID, _ result: Result<Connector.Connected, MartletError>) {
    attempts[id] = nil
    do throws(MartletError) {
      let connection = try install(id, try result.get())
      connections[id] = connection
      if let call = state.connected(id, now: .now()) {
        waiting.removeValue(forKey: call).map { connection.start($0) }
      } else {
        kept(connection)
      }
    } catch {
      let victim = state.failed(id)
      budget.release()
      victim.flatMap { waiting.removeValue(forKey: $0) }?.fail(error)
      openWhatIsNeeded()
      leaveIfEmpty()
    }
  }

  private func install(_ id: ConnectionID, _ connected: Connector.Connected) throws(MartletError)
    -> HTTP1Connection
  {
    guard !isShutDown else {
      connected.channel.close(promise: nil)
      throw .shutDown
    }
    let connection = HTTP1Connection(
      id: id, pool: self, info: connected.info, limits: configuration.limits)
    do {
      guard connected.channel.isActive else { throw ChannelError.alreadyClosed }
      try connected.channel.pipeline.syncOperations.addHandler(connection)
    } catch {
      connected.channel.close(promise: nil)
      var lost = MartletError.connectionLost(origin, phase: .send, underlying: error)
      lost.isSafeToRetry = true
      throw lost
    }
    return connection
  }

  // MARK: Closing

  /// Closes the connection that has been idle longest, if another pool still needs the room.
  func makeRoom() {
    guard budget.isShort, let id = state.evict() else { return }
    connections[id]?.close()
  }

  /// Takes no more calls.
  ///
  /// - Parameter abandoning: Whether exchanges that are under way fail, too.
  func shutDown(abandoning: Bool) {
    isShutDown = true
    attempts.values.forEach { $0.cancel() }
    let calls = Array(waiting.values) + Array(held.values)
    (waiting, held) = ([:], [:])
    for call in calls {
      _ = state.cancel(call.id)
      call.fail(.shutDown)
    }
    connections.values.forEach { $0.shutDown(abandoning: abandoning) }
  }

  /// One timer for the whole pool: it looks again when the oldest idle connection is due.
  private func sweepLater() {
    guard !isSweeping, let expiry = state.nextExpiry else { return }
    isSweeping = true
    loop.assumeIsolated().scheduleTask(deadline: max(expiry, .now() + .milliseconds(10))) {
      self.isSweeping = false
      self.closeExpired()
      self.sweepLater()
    }
  }

  private func closeExpired() {
    for id in state.expired(now: .now()) { connections[id]?.close() }
  }

  private func leaveIfEmpty() {
    guard state.isEmpty, held.isEmpty else { return }
    isListed = false
    directory.remove(self)
  }
}
