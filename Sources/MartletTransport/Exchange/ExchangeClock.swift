import EssentialFoundation
import MartletCore
import NIOCore

/// Records the times of the parts of one exchange, and measures how long the exchange has been silent. It does no I/O.
struct ExchangeClock {
  private let date = Date()
  /// When the engine received the request.
  let begin: NIODeadline
  private var connected: NIODeadline?
  /// When the whole request had been handed to the network.
  private(set) var sentAt: NIODeadline?
  private var firstByte: NIODeadline?
  /// When bytes were last sent or received, or the idle time-out started again for another reason.
  private(set) var lastActivity: NIODeadline
  /// When bytes of the response last arrived.
  private(set) var lastReceived: NIODeadline?
  /// When the socket last took bytes of the request's body.
  private(set) var lastWrite: NIODeadline?
  /// The earliest time at which the first-byte time-out starts.
  private var responseAwaitedSince: NIODeadline
  /// When the exchange began to wait for a connection.
  private(set) var waitingSince: NIODeadline
  /// Whether the exchange is paused. The idle and first-byte time-outs do not run then.
  private var isPaused = false

  init(begin: NIODeadline) {
    self.begin = begin
    lastActivity = begin
    responseAwaitedSince = begin
    waitingSince = begin
  }

  /// Whether a byte of the response has arrived. Interim responses do not count.
  var hasFirstByte: Bool { firstByte != nil }

  // MARK: Events

  /// Records that the exchange begins to wait for a connection.
  mutating func markWaiting(_ now: NIODeadline) {
    waitingSince = now
  }

  /// Records that the exchange has its connection.
  mutating func markConnected(_ now: NIODeadline) {
    lastActivity = now
    connected = now
    sentAt = nil
    firstByte = nil
    isPaused = false
  }

  /// Records that the whole request has been handed to the network.
  mutating func markSent(_ now: NIODeadline) {
    lastActivity = now
    sentAt = now
  }

  /// Records that the socket has taken bytes of the request's body.
  mutating func markWritten(_ now: NIODeadline) {
    lastActivity = now
    lastWrite = now
  }

  /// Records that the peer has room for more of the request's body.
  mutating func markRoom(_ now: NIODeadline) {
    lastActivity = now
  }

  /// Records that bytes of the request have left the operating system, perhaps long after the socket took them.
  mutating func markDrained(_ time: NIODeadline) {
    lastActivity = max(lastActivity, time)
    responseAwaitedSince = max(responseAwaitedSince, time)
  }

  /// Records that bytes have arrived that cannot be received yet, such as a part of a TLS record.
  mutating func markArrived(_ time: NIODeadline) {
    lastActivity = max(lastActivity, time)
  }

  /// Records that bytes of the response have arrived.
  mutating func markReceived(_ now: NIODeadline) {
    lastActivity = now
    lastReceived = now
    if firstByte == nil { firstByte = now }
  }

  /// Forgets the first byte, because it was that of an interim response.
  mutating func forgetFirstByte() { firstByte = nil }

  /// Records the final head. If it arrived together with an interim response, its first byte counts as arrived now.
  mutating func markHead(_ now: NIODeadline) {
    if firstByte == nil { firstByte = now }
  }

  /// Pauses or resumes the exchange. When it resumes, the idle and first-byte time-outs start again.
  mutating func setPaused(_ isPaused: Bool, _ now: NIODeadline) {
    self.isPaused = isPaused
    lastActivity = now
    responseAwaitedSince = now
  }

  // MARK: Results

  /// The phase of an exchange that is on a connection.
  var phase: MartletError.Phase {
    if hasFirstByte { return .receive }
    return sentAt == nil ? .send : .wait
  }

  /// Returns the first-byte or idle time-out if it has passed, with the phase of the exchange, otherwise `nil`.
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

  /// Returns the metrics as of `now`, which is the end if the exchange is over.
  func metrics(
    now: NIODeadline, connection: ConnectionInfo?, isReused: Bool, bytesSent: Int64,
    bytesReceived: Int64
  ) -> ExchangeMetrics {
    let connected = connected ?? now
    let first = firstByte ?? now
    let sent = min(sentAt ?? first, first)
    let times = ExchangeMetrics.Times(
      connectionWait: connected - begin, requestDuration: sent - connected,
      timeToFirstByte: first - sent, transferDuration: now - first, totalDuration: now - begin)
    return ExchangeMetrics(
      startDate: date, times, isConnectionReused: isReused, bytesSent: bytesSent,
      bytesReceived: bytesReceived, connection: connection)
  }
}
