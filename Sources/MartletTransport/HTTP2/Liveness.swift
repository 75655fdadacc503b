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
    case giveUp
  }

  let quiet: TimeAmount
  let patience: TimeAmount
  let idleInterval: TimeAmount?
  private var lastHeard: NIODeadline
  private var askedAt: NIODeadline?
  /// Whether bytes of bodies have been sent since anything came: the peer may still be reading them.
  private var isBodyUnheard = false

  init(quiet: TimeAmount, patience: TimeAmount, idleInterval: TimeAmount?, now: NIODeadline) {
    self.quiet = quiet
    self.patience = patience
    self.idleInterval = idleInterval
    lastHeard = now
  }

  /// Anything came from the peer.
  mutating func heard(_ now: NIODeadline) {
    lastHeard = now
    askedAt = nil
    isBodyUnheard = false
  }

  /// A peer that owed nothing begins to owe an answer: silence before that says nothing, and neither
  /// does a question that is still open.
  mutating func expects(_ now: NIODeadline) {
    lastHeard = max(lastHeard, now)
    askedAt = nil
  }

  /// The socket has taken bytes of a body: the network moves, and an answer may wait behind them.
  mutating func wrote(_ now: NIODeadline) {
    isBodyUnheard = true
    left(now)
  }

  /// Bytes have left the socket.
  mutating func left(_ now: NIODeadline) {
    lastHeard = max(lastHeard, now)
    askedAt = askedAt.map { max($0, now) }
  }

  /// What is to be done now; `hasLeft` tells whether the peer's system has all that was written before a time.
  mutating func check(_ now: NIODeadline, isIdle: Bool, hasLeft: (NIODeadline) -> Bool) -> Action {
    if let askedAt {
      guard askedAt + patience <= now else { return .nothing }
      return isBodyUnheard && hasLeft(askedAt) ? .nothing : .giveUp
    }
    guard let limit = isIdle ? idleInterval : quiet, lastHeard + limit <= now else {
      return .nothing
    }
    askedAt = now
    return .ping
  }
}
