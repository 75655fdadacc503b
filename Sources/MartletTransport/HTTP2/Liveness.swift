import NIOCore

/// Whether the peer of a connection is still there, asked by PING (RFC 9113 §6.7), without any I/O.
///
/// A peer that owes an answer and has said nothing for a while is asked; one that does not answer in
/// time is gone. An idle connection is asked only when that is wanted.
///
/// A peer reads the PING after all that was sent before it. While bytes of a body leave the system, it is not silent;
/// and once its system has taken them and the PING, it may take any time to read them, which the idle time-out bounds.
struct Liveness {
  /// What is to be done now.
  enum Action: Equatable {
    case nothing
    case ping
    /// The peer is gone.
    case close
  }

  let pingInterval: TimeAmount
  let pingTimeout: TimeAmount
  let idlePingInterval: TimeAmount?
  private var lastReceived: NIODeadline
  private var pingSentAt: NIODeadline?
  /// Whether bytes of bodies have been sent since anything came: the peer may still be reading them.
  private var isBodyUnheard = false

  init(
    pingInterval: TimeAmount, pingTimeout: TimeAmount, idlePingInterval: TimeAmount?,
    now: NIODeadline
  ) {
    self.pingInterval = pingInterval
    self.pingTimeout = pingTimeout
    self.idlePingInterval = idlePingInterval
    lastReceived = now
  }

  /// Anything came from the peer.
  mutating func received(_ now: NIODeadline) {
    lastReceived = now
    pingSentAt = nil
    isBodyUnheard = false
  }

  /// A peer that owed nothing begins to owe an answer: silence before that says nothing, and neither
  /// does a question that is still open.
  mutating func beginExpecting(_ now: NIODeadline) {
    lastReceived = max(lastReceived, now)
    pingSentAt = nil
  }

  /// The socket has taken bytes of a body: the network moves, and an answer may wait behind them.
  mutating func wrote(_ now: NIODeadline) {
    isBodyUnheard = true
    drained(now)
  }

  /// Bytes have left the socket.
  mutating func drained(_ now: NIODeadline) {
    lastReceived = max(lastReceived, now)
    pingSentAt = pingSentAt.map { max($0, now) }
  }

  /// What is to be done now; `hasDrained` tells whether the peer's system has all that was written before a time.
  mutating func check(_ now: NIODeadline, isIdle: Bool, hasLeft: (NIODeadline) -> Bool) -> Action {
    if let pingSentAt {
      guard pingSentAt + pingTimeout <= now else { return .nothing }
      return isBodyUnheard && hasLeft(pingSentAt) ? .nothing : .close
    }
    guard let limit = isIdle ? idlePingInterval : pingInterval, lastReceived + limit <= now else {
      return .nothing
    }
    pingSentAt = now
    return .ping
  }
}
