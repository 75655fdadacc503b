import MartletCore
import NIOCore

/// How connections are opened.
extension ConnectionPool {
  /// Opens connections for those who wait without one being made for them.
  func openWhatIsNeeded() {
    while !isShutDown, let (id, call) = state.openAnother() {
      guard let call = waiting[call], open(id, for: call) else { return }
    }
    sateHunger()
  }

  /// Makes way for other pools that wait for leave, now that this one needs none.
  func sateHunger() {
    guard isHungry else { return }
    isHungry = false
    budget.leave(self)
  }

  /// Whether the attempt was begun.
  @discardableResult
  func open(_ id: ConnectionID, for call: Call) -> Bool {
    guard budget.acquire(for: self) else {
      isHungry = true
      state.withdraw(id)
      directory.makeRoom()
      return false
    }
    isHungry = false
    let exchange = call.request.exchange
    let timeouts = call.timeouts
    if attempts.isEmpty { attemptsBegan = .now() }
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
      let connected = try result.get()
      let connection = try install(id, connected)
      connections[id] = connection
      let caller = state.caller(of: id)
      state.connected(id, capacity: connection.capacity, now: .now())
      let pipeline = connected.channel.pipeline.syncOperations
      if connection.capacity == .one {
        serve(from: connection)
        InboundGate.open(in: pipeline)
      } else {
        // What the server says first may be how much it carries.
        InboundGate.open(in: pipeline)
        connection.refusal.map { disappoint(caller, $0) }
        serve(from: connection)
      }
      openWhatIsNeeded()
      for attempt in state.spareAttempts { giveUp(attempt) }
      if connection.isAtRest { kept(connection) }
    } catch {
      let victim = state.failed(id)
      budget.release(from: self)
      victim.flatMap { waiting.removeValue(forKey: $0) }?.fail(error)
      openWhatIsNeeded()
      leaveIfEmpty()
    }
  }

  /// The server ended a connection before it carried anything: that counts as an attempt in vain, or there
  /// would be one after the other without end.
  private func disappoint(_ caller: CallID?, _ reason: MartletError) {
    guard let caller, let call = waiting.removeValue(forKey: caller) else { return }
    _ = state.cancel(caller)
    call.fail(reason)
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
      if connected.info.isMultiplexed {
        let connection = HTTP2Connection(id: id, pool: self, info: connected.info)
        try connection.join(pipeline)
        // The preface was written at once, and may have found the peer gone.
        guard connected.channel.isActive else { throw ChannelError.alreadyClosed }
        return connection
      }
      let connection = HTTP1Connection(
        id: id, pool: self, info: connected.info, limits: configuration.limits,
        forwarder: connected.forwarder)
      try pipeline.addHandler(connection)
      return connection
    } catch {
      connected.channel.close(promise: nil)
      var lost = lost(connected.info, in: .send, isFresh: true, underlying: error)
      lost.isSafeToRetry = true
      throw lost
    }
  }
}
