import EssentialFoundation
import MartletCore
import NIOCore

/// When the parts of one exchange happened, and how long it has been silent: a value without any I/O.
struct ExchangeClock {
  private let date = Date()
  /// When the engine was asked.
  let begin = NIODeadline.now()
  private var connected: NIODeadline?
  /// When the request had been sent whole.
  private(set) var sentAt: NIODeadline?
  private var firstByte: NIODeadline?
  /// When a byte last went out or came in.
  private(set) var lastActivity: NIODeadline
  /// When the socket last took bytes of the request's body.
  private(set) var lastWrite: NIODeadline?
  /// The earliest time from which on the first byte is waited for.
  private var responseAwaitedSince: NIODeadline
  /// Since when a connection is waited for.
  private(set) var waitingSince: NIODeadline
  /// Whether the exchange is paused: the idle time-out does not run then.
  private var isPaused = false

  init() {
    lastActivity = begin
    responseAwaitedSince = begin
    waitingSince = begin
  }

  /// Whether any byte of the response has come.
  var hasFirstByte: Bool { firstByte != nil }

  // MARK: What happens

  /// A connection is waited for, from now on.
  mutating func markWaiting() {
    waitingSince = .now()
  }

  /// The exchange has got its connection.
  mutating func markConnected() {
    lastActivity = .now()
    connected = lastActivity
    sentAt = nil
    firstByte = nil
    isPaused = false
  }

  /// The request has been handed over whole.
  mutating func markSent() {
    lastActivity = .now()
    sentAt = lastActivity
  }

  /// The socket has taken bytes of the request's body.
  mutating func markWritten(_ now: NIODeadline) {
    lastActivity = now
    lastWrite = now
  }

  /// Bytes of the request have left the system, which may be long after it took them.
  mutating func markDrained(_ now: NIODeadline) {
    lastActivity = now
    responseAwaitedSince = now
  }

  /// Bytes of the response have come.
  mutating func markReceived(_ now: NIODeadline) {
    lastActivity = now
    if firstByte == nil { firstByte = now }
  }

  /// What came was an interim response: the answer is still to come.
  mutating func forgetFirstByte() { firstByte = nil }

  /// A final head has come, together with the interim one before it.
  mutating func markHead() {
    if firstByte == nil { firstByte = .now() }
  }

  /// The exchange is paused or resumed: the time-outs for silence begin anew.
  mutating func setPaused(_ isPaused: Bool) {
    self.isPaused = isPaused
    lastActivity = .now()
    responseAwaitedSince = lastActivity
  }

  // MARK: What follows

  /// What an exchange that is on a connection is doing.
  var phase: MartletError.Phase {
    if hasFirstByte { return .receive }
    return sentAt == nil ? .send : .wait
  }

  /// Which of the time-outs for silence has passed on the connection, if one has.
  func silence(_ timeouts: Timeouts, _ now: NIODeadline) -> (
    phase: MartletError.Phase, limit: Duration
  )? {
    guard !isPaused else { return nil }
    if let limit = timeouts.firstByte, let sentAt, !hasFirstByte,
      max(sentAt, responseAwaitedSince) + TimeAmount(limit) <= now
    {
      return (.wait, limit)
    }
    if let limit = timeouts.idle, lastActivity + TimeAmount(limit) <= now { return (phase, limit) }
    return nil
  }

  /// The metrics as of `now`, which is the end when the exchange is over.
  func metrics(
    now: NIODeadline, connection: ConnectionInfo?, isReused: Bool, bytesSent: Int64,
    bytesReceived: Int64
  ) -> ExchangeMetrics {
    let connected = connected ?? now
    let first = firstByte ?? now
    let sent = min(sentAt ?? first, first)
    return ExchangeMetrics(
      startDate: date, connectionWait: span(begin, connected),
      requestDuration: span(connected, sent),
      timeToFirstByte: span(sent, first), transferDuration: span(first, now),
      totalDuration: span(begin, now),
      isConnectionReused: isReused, bytesSent: bytesSent, bytesReceived: bytesReceived,
      connection: connection)
  }

  private func span(_ from: NIODeadline, _ to: NIODeadline) -> Duration {
    .nanoseconds((to - from).nanoseconds)
  }
}
