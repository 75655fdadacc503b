import MartletCore
import NIOCore

/// Opening connections.
extension ConnectionPool {
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
    withdrawBudgetRequest()
  }

  /// Stops waiting for a permit, so that other waiting pools are not held up.
  func withdrawBudgetRequest() {
    guard isWaitingForBudget else { return }
    isWaitingForBudget = false
    budget.withdraw(self)
  }

  /// Begins an attempt to connect; returns whether the budget allows it.
  @discardableResult
  func open(_ id: ConnectionID, for exchange: Exchange) -> Bool {
    guard budget.acquire(for: self) else {
      isWaitingForBudget = true
      state.withdraw(id)
      directory.makeRoom()
      return false
    }
    isWaitingForBudget = false
    let call = exchange.request.call
    let timeouts = exchange.timeouts
    if attempts.isEmpty { attemptsBegan = .now() }
    // Detached, because the connection may serve other requests than the one whose task-local values it would have.
    attempts[id] = Task.detached(executorPreference: connector.executor) { [self] in
      let result: Result<Connector.Connected, MartletError>
      do {
        let connected = try await connector.connect(timeouts: timeouts) { call?.report($0) }
        result = .success(connected)
      } catch {
        result = .failure(error as? MartletError ?? .cancelled)
      }
      loop.execute { self.opened(id, result) }
    }
    return true
  }

  /// Handles the result of an attempt to connect.
  func opened(_ id: ConnectionID, _ result: Result<Connector.Connected, MartletError>) {
    loop.assertInEventLoop()
    attempts[id] = nil
    do throws(MartletError) {
      let connected = try result.get()
      let connection = try install(id, connected)
      connections[id] = connection
      state.connected(id, capacity: connection.capacity, now: .now())
      serve(from: connection)
      openWhatIsNeeded()
      for attempt in state.spareAttempts { cancelAttempt(attempt) }
      if connection.isIdle { becameIdle(connection) }
      reportConnections()
    } catch {
      let victim = state.failed(id)
      budget.release(from: self)
      victim.flatMap { waiting.removeValue(forKey: $0) }?.fail(error)
      openWhatIsNeeded()
      removeFromDirectoryIfEmpty()
    }
  }

  private func install(_ id: ConnectionID, _ connected: Connector.Connected) throws(MartletError)
    -> any PooledConnection
  {
    guard !isShutDown else {
      connected.channel.close(promise: nil)
      throw .shutDown
    }
    do {
      guard connected.channel.isActive else { throw ChannelError.alreadyClosed }
      let pipeline = connected.channel.pipeline.syncOperations
      let connection = try join(id, connected, pipeline)
      // The first bytes of the server may announce how many streams it allows, or be an error.
      InboundBufferHandler.release(in: pipeline)
      if let refusal = connection.setupError { throw refusal }
      // The write of the HTTP/2 preface may have shown that the peer is gone.
      guard connected.channel.isActive else { throw ChannelError.alreadyClosed }
      return connection
    } catch {
      connected.channel.close(promise: nil)
      if let refusal = error as? MartletError { throw refusal }
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
