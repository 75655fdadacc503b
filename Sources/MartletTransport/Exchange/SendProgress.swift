import NIOCore

/// Whether bytes of requests leave the system after the socket has taken them, without any I/O.
///
/// A system takes megabytes at once and sends them as slowly as the peer reads. While it does, a connection on
/// which nothing else happens is not silent: looks at its send queue show that bytes leave.
struct SendProgress {
  /// What the system says of a socket's send queue.
  struct Queue: Equatable {
    /// How many bytes the peer's system has acknowledged since the connection was made.
    var acknowledged: UInt64
    /// How many bytes wait to be sent or acknowledged.
    var length: Int
  }

  /// A socket that takes bytes shows progress by itself, and is looked at after so long without.
  static let interval = TimeAmount.milliseconds(100)

  /// When the socket last took bytes of a body.
  private var lastWrite: NIODeadline?
  private var lastLook = NIODeadline.uptimeNanoseconds(0)
  private var acknowledged: UInt64 = 0
  /// What the peer must have acknowledged for all that had been written at that time to have left.
  private var goal: (acknowledged: UInt64, time: NIODeadline)?
  /// All that was written before has left.
  private var confirmed = NIODeadline.uptimeNanoseconds(0)

  /// The socket has taken bytes.
  mutating func wrote(_ now: NIODeadline) {
    lastWrite = now
  }

  /// Something has been written that leaves after the bytes that are in the system, if any are.
  mutating func wroteBehind(_ now: NIODeadline) {
    if let lastWrite, !hasDrained(lastWrite) { self.lastWrite = now }
  }

  /// Whether all has left that was written until then.
  func hasDrained(_ time: NIODeadline) -> Bool { time < confirmed }

  /// Whether the socket is to be looked at: it holds bytes, and has not taken any for a while.
  func isDue(_ now: NIODeadline) -> Bool {
    guard let lastWrite, !hasDrained(lastWrite) else { return false }
    return max(lastWrite, lastLook) + Self.interval <= now
  }

  /// The socket has been looked at.
  ///
  /// - Returns: Whether bytes have left since the look before.
  mutating func update(with queue: Queue, _ now: NIODeadline) -> Bool {
    defer { (acknowledged, lastLook) = (queue.acknowledged, now) }
    let goal = goal ?? (queue.acknowledged + UInt64(max(queue.length, 0)), now)
    let isReached = queue.acknowledged >= goal.acknowledged
    if isReached { confirmed = goal.time }
    self.goal = isReached ? nil : goal
    return queue.acknowledged > acknowledged
  }
}
