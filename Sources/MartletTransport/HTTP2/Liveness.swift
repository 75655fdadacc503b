import NIOCore

/// Whether the peer of a connection is still there, asked by PING (RFC 9113 §6.7), without any I/O.
///
/// A peer that owes an answer and has said nothing for a while is asked; one that does not answer in
/// time is gone. An idle connection is asked only when that is wanted.
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
  }

  /// A peer that owed nothing begins to owe an answer: silence before that says nothing, and neither
  /// does a question that is still open.
  mutating func expects(_ now: NIODeadline) {
    lastHeard = max(lastHeard, now)
    askedAt = nil
  }

  /// The socket has taken bytes of a body: the network moves, and an answer may wait behind them.
  mutating func wrote(_ now: NIODeadline) {
    lastHeard = max(lastHeard, now)
    askedAt = askedAt.map { max($0, now) }
  }

  mutating func check(_ now: NIODeadline, isIdle: Bool) -> Action {
    if let askedAt { return askedAt + patience <= now ? .giveUp : .nothing }
    guard let limit = isIdle ? idleInterval : quiet, lastHeard + limit <= now else {
      return .nothing
    }
    askedAt = now
    return .ping
  }
}
