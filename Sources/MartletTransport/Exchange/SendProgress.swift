import NIOCore

/// Tracks, without any I/O, whether bytes of requests leave the operating system after the socket has taken them.
///
/// The operating system takes megabytes at once, and sends them as slowly as the peer reads. Meanwhile the connection
/// is not silent, even if nothing else happens on it: its send queue shows that bytes leave.
struct SendProgress {
  /// The state of a socket's send queue, as the system reports it.
  struct Queue: Equatable {
    /// How many bytes the peer's system has acknowledged since the connection was made.
    var acknowledged: UInt64
    /// How many bytes wait to be sent or acknowledged.
    var length: Int
    /// The time since the last acknowledgement.
    var age: TimeAmount
  }

  /// How long the socket must have taken no bytes before its send queue is checked, and the time between two checks. A
  /// write shows progress by itself.
  static let interval = TimeAmount.milliseconds(100)

  /// The time of the last write that was recorded.
  private var lastWrite: NIODeadline?
  private var lastUpdate = NIODeadline.uptimeNanoseconds(0)
  private var acknowledged: UInt64 = 0
  /// Once the mark is reached, all bytes that were written before `time` have left.
  private var pending: (mark: DeliveryMark, time: NIODeadline)?
  /// All bytes that were written before this time have left.
  private var confirmed = NIODeadline.uptimeNanoseconds(0)

  /// Records that the socket has taken bytes.
  mutating func wrote(_ now: NIODeadline) {
    lastWrite = now
  }

  /// Records a write if earlier bytes may still be in the operating system. The write leaves after them.
  mutating func wroteAfterPending(_ now: NIODeadline) {
    if let lastWrite, !hasDrained(lastWrite) { self.lastWrite = now }
  }

  /// Whether all bytes that were written until `time` have left.
  func hasDrained(_ time: NIODeadline) -> Bool { time < confirmed }

  /// Whether the send queue may hold bytes.
  var isPending: Bool { lastWrite.map { !hasDrained($0) } ?? false }

  /// Whether the send queue is to be checked: it may hold bytes, and for `interval` there was neither a write nor a
  /// check.
  func isDue(_ now: NIODeadline) -> Bool {
    guard let lastWrite, isPending else { return false }
    return max(lastWrite, lastUpdate) + Self.interval <= now
  }

  /// Updates the progress with the current send queue.
  ///
  /// - Returns: When bytes last left, if any have since the previous update.
  mutating func update(with queue: Queue, _ now: NIODeadline) -> NIODeadline? {
    let previous = (acknowledged, lastUpdate)
    (acknowledged, lastUpdate) = (queue.acknowledged, now)
    var pending = pending ?? (DeliveryMark(), now)
    let isReached = pending.mark.isReached(left: queue.length, acknowledged: queue.acknowledged)
    if isReached { confirmed = pending.time }
    self.pending = isReached ? nil : pending
    return queue.acknowledged > previous.0 ? max(now - queue.age, previous.1) : nil
  }
}
