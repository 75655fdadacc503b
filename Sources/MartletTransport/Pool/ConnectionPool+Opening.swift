import MartletCore
import NIOCore
import Synchronization

/// Opening connections.
extension ConnectionPool {
  /// A permit to open a connection.
  enum Permit {
    /// Of the limit of the origin.
    case ofOrigin
    /// Of the limit on all connections.
    case ofAll
  }

  /// Opens connections for the waiting exchanges that have no attempt yet.
  func openWhatIsNeeded() {
    loop.assertInEventLoop()
    while !isShutDown, let (id, exchange) = state.openAnother() {
      guard let waiting = waiting[exchange] else {
        assert(Exchange.logToStandardError("An exchange that waited for \(origin) was lost."))
        state.withdraw(id)
        _ = state.cancel(exchange)
        continue
      }
      guard open(id, for: waiting) else { return }
    }
    stopWaitingForPermit()
  }

  /// Ends the attempts of exchanges that were removed, which would keep their places until they time out, and the wait for a
  /// permit, as far as no exchange needs them.
  func endWhatIsNotNeeded() {
    for attempt in state.orphanedAttempts { cancelAttempt(attempt) }
    if missingPermit != nil, !state.needsConnection { stopWaitingForPermit() }
  }

  /// Stops waiting for a permit, so that other waiting pools are not held up.
  private func stopWaitingForPermit() {
    switch missingPermit.take() {
    case nil: break
    case .ofOrigin: limit?.withdraw(self)
    case .ofAll: budget.withdraw(self)
    }
  }

  /// Takes the permits for one more connection: of the origin's limit, and of the limit on all.
  private func acquirePermits() -> Bool {
    guard acquireLimitPermit() else { return false }
    guard !budget.acquire(for: self) else {
      missingPermit = nil
      limitPermits += 1
      return true
    }
    missingPermit = .ofAll
    limit?.release(from: self)
    directory.makeRoom()
    return false
  }

  private func acquireLimitPermit() -> Bool {
    guard let limit else { return true }
    guard
      limitPermits < parts.share(of: state.limits.connections, part: part)
        || !parts.isOtherShort(besides: part)
    else {
      // Another part has a claim to the permit that this one may be waiting for.
      stopWaitingForPermit()
      scheduleLookAround()
      return false
    }
    guard !limit.acquire(for: self) else { return true }
    if missingPermit == .ofAll { budget.withdraw(self) }
    missingPermit = .ofOrigin
    return false
  }

  /// Returns the permits of the origin's limit that are no longer needed: of connections that are closed, that take no
  /// more exchanges, or that could not be made.
  func releaseLimitPermits() {
    guard let limit, limitPermits > state.limitedCount else { return }
    while limitPermits > state.limitedCount {
      limitPermits -= 1
      limit.release(from: self)
    }
    offerShare()
  }

  /// Begins an attempt to connect, unless this part waits for a permit already. Then no lock is taken.
  func openUnlessPermitIsMissing(_ id: ConnectionID, for exchange: Exchange) -> Bool {
    guard missingPermit == nil else {
      state.withdraw(id)
      return false
    }
    return open(id, for: exchange)
  }

  /// Begins an attempt to connect; returns whether the budget allows it.
  func open(_ id: ConnectionID, for exchange: Exchange) -> Bool {
    guard acquirePermits() else {
      state.withdraw(id)
      return false
    }
    if attempts.isEmpty { attemptsBegan = now }
    attempts[id] = connect(self, id, exchange)
    publishAttempts()
    return true
  }

  func attempt(_ id: ConnectionID, for exchange: Exchange) -> Task<Void, Never> {
    let timeouts = exchange.timeouts
    // The events of the attempt belong to the call only while the exchange is here.
    let report = { @Sendable [part, weak exchange] (event: CallEvent.Kind) in
      guard let exchange, exchange.part.load(ordering: .relaxed) == part else { return }
      exchange.request.call?.report(event)
    }
    let token = connector.executor.outsideWork.begin()
    // Detached, because the connection may serve other requests than the one whose task-local values it would have.
    return Task.detached(executorPreference: connector.executor) { [self] in
      let result: Result<Connector.Connected, MartletError>
      do {
        let connected = try await connector.connect(timeouts: timeouts, report: report)
        result = .success(connected)
      } catch {
        result = .failure(error as? MartletError ?? .cancelled)
      }
      token.end(on: loop) { self.opened(id, result) }
    }
  }

  /// Handles the result of an attempt to connect.
  func opened(_ id: ConnectionID, _ result: Result<Connector.Connected, MartletError>) {
    loop.assertInEventLoop()
    do throws(MartletError) {
      add(try install(id, try result.get()))
    } catch {
      attemptFailed(id, error)
    }
  }

  /// Takes a connection that has been made.
  func add(_ connection: any PooledConnection) {
    attempts[connection.id] = nil
    connections[connection.id] = connection
    let wasExclusive = state.sharing == .exclusive
    state.connected(connection.id, capacity: connection.capacity, now: now)
    serve(from: connection)
    parts.sharing = state.sharing
    publishAttempts()
    if !wasExclusive { spreadWaiting() }
    openWhatIsNeeded()
    for attempt in state.spareAttempts { cancelAttempt(attempt) }
    endWhatIsNotNeeded()
    if connection.isIdle { becameIdle(connection) }
    publish()
    askOtherParts()
    reportConnections()
  }

  func attemptFailed(_ id: ConnectionID, _ error: MartletError) {
    attempts[id] = nil
    let victim = state.failed(id)
    budget.release(from: self)
    publishAttempts()
    publish()
    if let exchange = victim.flatMap({ waiting.removeValue(forKey: $0) }), !moveToFreePart(exchange)
    {
      exchange.fail(error)
    }
    openWhatIsNeeded()
    removeFromDirectoryIfEmpty()
  }

  private func install(_ id: ConnectionID, _ connected: Connector.Connected) throws(MartletError)
    -> any PooledConnection
  {
    guard !isShutDown else {
      connected.channel.close(promise: nil)
      throw .shutDown
    }
    // An attempt that had succeeded when it was cancelled is about to close its connection.
    guard !state.isCancelled(id) else {
      connected.channel.close(promise: nil)
      throw .cancelled
    }
    do {
      guard connected.channel.isActive else { throw ChannelError.alreadyClosed }
      let pipeline = connected.channel.pipeline.syncOperations
      let connection = try join(id, connected, pipeline)
      // The first bytes of the server may announce how many streams it allows, or be an error.
      InboundBufferHandler.release(in: pipeline)
      if let error = connection.setupError { throw error }
      // The write of the HTTP/2 preface may have shown that the peer is gone.
      guard connected.channel.isActive else { throw ChannelError.alreadyClosed }
      return connection
    } catch {
      connected.channel.close(promise: nil)
      if let known = error as? MartletError { throw known }
      throw connectionError(connected.info, sent: .nothing, isFresh: true, underlying: error)
        .safeToRetry
    }
  }

  private func join(
    _ id: ConnectionID, _ connected: Connector.Connected,
    _ pipeline: ChannelPipeline.SynchronousOperations
  ) throws -> any PooledConnection {
    if connected.info.isMultiplexed {
      let connection = HTTP2Connection(id: id, pool: self, info: connected.info)
      try connection.join(pipeline)
      return connection
    }
    let connection = HTTP1Connection(
      id: id, pool: self, info: connected.info, limits: configuration.limits,
      forwardProxy: connected.forwardProxy)
    try pipeline.addHandler(connection)
    return connection
  }
}
