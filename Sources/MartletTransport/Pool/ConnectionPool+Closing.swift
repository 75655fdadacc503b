import MartletCore
import NIOCore

/// How connections are closed.
extension ConnectionPool {
  /// A connection has nothing to do.
  func becameIdle(_ connection: any PooledConnection) {
    connection.becomeIdle()
    guard !isRetired else { return closeIdle() }
    makeRoom()
    scheduleSweep()
  }

  /// Closes the connection that has been idle longest, if another pool still needs the room.
  func makeRoom() {
    loop.assertInEventLoop()
    guard state.hasIdle, budget.shouldCloseIdle(in: self), let id = state.evict() else { return }
    connections[id]?.close()
  }

  /// Keeps nothing for later: requests from now on go to another pool. The exchanges that are here
  /// already are served.
  func retire() {
    loop.assertInEventLoop()
    isRetired = true
    closeIdle()
  }

  private func closeIdle() {
    while let id = state.evict() { connections[id]?.close() }
  }

  /// Why a connection has ended; it is fresh when nothing had come yet.
  func connectionError(
    _ connection: ConnectionInfo, sent: MartletError.Sent, isFresh: Bool,
    underlying: (any Error)?
  ) -> MartletError {
    connector.tls?.identityResolver.clientCertificateError(
      after: underlying, origin: origin, isFresh: isFresh)
      ?? HandshakeFailure.afterHandshake(underlying, origin: origin, phase: sent.phase)
      ?? .connectionLost(origin, sent: sent, through: connection.proxy, underlying: underlying)
  }

  /// Takes no more exchanges.
  ///
  /// - Parameter abandoning: Whether exchanges that are under way fail, too.
  func shutDown(abandoning: Bool) {
    loop.assertInEventLoop()
    isShutDown = true
    endSweep()
    attempts.values.forEach { $0.cancel() }
    let exchanges = Array(waiting.values) + Array(suspendedExchanges.values)
    (waiting, suspendedExchanges) = ([:], [:])
    for exchange in exchanges {
      _ = state.cancel(exchange.id)
      exchange.fail(.shutDown)
    }
    withdrawBudgetRequest()
    connections.values.forEach { $0.shutDown(abandoning: abandoning) }
  }

  /// One timer for the whole pool: it looks again when the first connection is due.
  func scheduleSweep() {
    // Unless connections have an age, whatever comes to rest later is due later.
    guard sweep == nil || state.limits.age != nil, let expiry = state.nextExpiry else { return }
    if let sweep {
      guard expiry < sweep.deadline else { return }
      sweep.task.cancel()
    }
    let deadline = max(expiry, .now() + .milliseconds(10))
    let task = loop.assumeIsolated().scheduleTask(deadline: deadline) {
      self.sweep = nil
      self.closeExpired()
      self.openWhatIsNeeded()
      self.scheduleSweep()
    }
    sweep = Sweep(deadline: deadline, task: task)
  }

  /// There is nothing left to look for: the timer would keep the pool until its time.
  private func endSweep() {
    sweep?.task.cancel()
    sweep = nil
  }

  /// When the pool looks for connections that are due.
  struct Sweep {
    let deadline: NIODeadline
    let task: Scheduled<Void>
  }

  func closeExpired() {
    for id in state.expired(now: .now()) { connections[id]?.close() }
  }

  func removeFromDirectoryIfEmpty() {
    if state.waitingCount == 0 { withdrawBudgetRequest() }
    guard state.isEmpty, suspendedExchanges.isEmpty else { return }
    endSweep()
    isListed = false
    directory.remove(self)
  }
}
