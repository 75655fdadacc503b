import MartletCore
import NIOCore

/// Closing connections.
extension ConnectionPool {
  /// Handles a connection that has become idle.
  func becameIdle(_ connection: any PooledConnection) {
    connection.becomeIdle()
    guard !isRetired else { return closeIdle() }
    makeRoom()
    scheduleSweep()
  }

  /// Closes the connection that has been idle longest, if another pool still needs the room.
  func makeRoom() {
    loop.assertInEventLoop()
    guard state.open.idleCount > 0, budget.shouldCloseIdle(in: self), let id = state.open.evict()
    else { return }
    publish()
    connections[id]?.close()
  }

  /// Closes idle connections, and keeps none from now on.
  ///
  /// New requests go to another pool. The exchanges that this pool has are still served.
  func retire() {
    loop.assertInEventLoop()
    isRetired = true
    closeIdle()
  }

  private func closeIdle() {
    while let id = state.open.evict() { connections[id]?.close() }
    publish()
  }

  /// The error for a connection that has ended.
  ///
  /// `isFresh` says that the connection has never been idle or reused, and that no response has arrived over it.
  func connectionError(
    _ connection: ConnectionInfo, sent: MartletError.SentAmount, isFresh: Bool,
    underlying: (any Error)?
  ) -> MartletError {
    connector.tls?.identityResolver.clientCertificateError(
      after: underlying, origin: origin, isFresh: isFresh)
      ?? HandshakeFailure.afterHandshake(
        underlying, origin: origin, through: connection.proxy, phase: sent.phase)
      ?? .connectionLost(origin, sent: sent, through: connection.proxy, underlying: underlying)
  }

  /// Stops taking exchanges, fails the waiting ones, and closes idle connections.
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
    publish()
    removeFromDirectoryIfEmpty()
    connections.values.forEach { $0.shutDown(abandoning: abandoning) }
  }

  /// Starts the pool's only timer, which fires when the first connection expires.
  func scheduleSweep() {
    // Without a maximum age, a connection that becomes idle later also expires later.
    guard sweep == nil || state.limits.age != nil, let expiry = state.open.nextExpiry else {
      return
    }
    if let sweep {
      guard expiry < sweep.deadline else { return }
      sweep.task.cancel()
    }
    let deadline = max(expiry, now + .milliseconds(10))
    let task = loop.assumeIsolated().scheduleTask(deadline: deadline) {
      self.sweep = nil
      self.closeExpired()
      self.openWhatIsNeeded()
      self.scheduleSweep()
    }
    sweep = Sweep(deadline: deadline, task: task)
  }

  /// Cancels the timer, which would keep the pool in memory until it fires.
  private func endSweep() {
    sweep?.task.cancel()
    sweep = nil
  }

  /// The timer for expired connections.
  struct Sweep {
    let deadline: NIODeadline
    let task: Scheduled<Void>
  }

  func closeExpired() {
    let expired = state.open.expired(now: now)
    publish()
    for id in expired { connections[id]?.close() }
  }

  func removeFromDirectoryIfEmpty() {
    endWhatIsNotNeeded()
    guard state.isEmpty, suspendedExchanges.isEmpty else { return }
    endSweep()
    isListed = false
    directory.remove(self)
  }
}
