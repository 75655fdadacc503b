import NIOCore

/// Decides when to send a PING (RFC 9113 §6.7), and when a peer does not respond any more, without any I/O.
///
/// A PING is sent when a response is outstanding and the peer has been silent for a while. If the peer does not answer
/// in time, the connection is closed. On an idle connection, a PING is sent only if `idlePingInterval` is set.
///
/// A peer reads the PING after all bytes that were sent before it. While bytes of a body leave our system, the peer
/// does not count as silent. Once the peer's system has taken them and the PING, the peer may take any time to read
/// them. The idle time-out limits that time.
struct Liveness {
  /// The action that is due now.
  enum Action: Equatable {
    case nothing
    case ping
    /// The peer does not respond: close the connection.
    case close
  }

  let pingInterval: TimeAmount
  let pingTimeout: TimeAmount
  let idlePingInterval: TimeAmount?
  private var lastReceived: NIODeadline
  private var pingSentAt: NIODeadline?
  /// Whether bytes of bodies have been sent since anything was received. The peer may still be reading them.
  private var hasUnansweredBody = false

  init(
    pingInterval: TimeAmount, pingTimeout: TimeAmount, idlePingInterval: TimeAmount?,
    now: NIODeadline
  ) {
    self.pingInterval = pingInterval
    self.pingTimeout = pingTimeout
    self.idlePingInterval = idlePingInterval
    lastReceived = now
  }

  /// Records that anything was received from the peer.
  mutating func received(_ now: NIODeadline) {
    lastReceived = now
    pingSentAt = nil
    hasUnansweredBody = false
  }

  /// Records that a response is outstanding on a connection that was idle. Silence before that does not count. A PING
  /// that was not answered yet does not count either.
  mutating func beginAwaitingResponse(_ now: NIODeadline) {
    lastReceived = max(lastReceived, now)
    pingSentAt = nil
  }

  /// Records that the socket has taken bytes of a body. They show progress, and the peer reads a PING only after them.
  mutating func wrote(_ now: NIODeadline) {
    hasUnansweredBody = true
    drained(now)
  }

  /// Records that bytes have left the operating system.
  mutating func drained(_ now: NIODeadline) {
    lastReceived = max(lastReceived, now)
    pingSentAt = pingSentAt.map { max($0, now) }
  }

  /// Returns the action that is due now.
  ///
  /// - Parameters:
  ///   - now: The time.
  ///   - isIdle: Whether no response is outstanding.
  ///   - lastArrival: When bytes last arrived at the operating system: a part of a TLS record is a sign of life, too. The
  ///     default is `nil`: it is not known.
  ///   - hasDrained: Returns whether all bytes that were written until a time have left the operating system.
  /// - Returns: The action.
  mutating func check(
    _ now: NIODeadline, isIdle: Bool, lastArrival: @autoclosure () -> NIODeadline? = nil,
    hasDrained: (NIODeadline) -> Bool
  ) -> Action {
    if let pingSentAt {
      guard pingSentAt + pingTimeout <= now else { return .nothing }
      if hasUnansweredBody, hasDrained(pingSentAt) { return .nothing }
      guard let arrival = lastArrival(), arrival > pingSentAt else { return .close }
      received(arrival)
      return .nothing
    }
    guard let limit = isIdle ? idlePingInterval : pingInterval, lastReceived + limit <= now else {
      return .nothing
    }
    pingSentAt = now
    return .ping
  }
}
