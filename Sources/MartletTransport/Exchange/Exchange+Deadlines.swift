import EssentialFoundation
import MartletCore
import NIOCore
import SystemPackage

/// Time-outs, other deadlines, and the detection of exchanges that the engine has lost.
extension Exchange {
  func checkDeadlines(_ now: NIODeadline) {
    guard !isLost else { return failAsLost() }
    if case .running(let codec) = stage { checkWaits(now, codec) }
    if let error = expiry(now) { end(error) }
  }

  /// Ends the waits that have taken long enough: for the rest of a discarded body, for a body's destination, and for
  /// `100 Continue`.
  private func checkWaits(_ now: NIODeadline, _ codec: any ExchangeCodec) {
    codec.checkProgress(now)
    // The request may have been delivered since the last byte of the response arrived.
    if !isSuspended, isDiscardedEnough || receiving.isDiscardOver(now) { return endEarly(codec) }
    if receiving.undecided.isEndHeldTooLong(now) { deliver(.stream) { _ in } }
    if let due = sending.continueBy, due <= now { startUpload() }
  }

  // MARK: Time-outs

  private func expiry(_ now: NIODeadline) -> MartletError? {
    if let total = timeouts.total, let deadline, deadline <= now {
      return .totalTimeOut(phase, after: total, origin: origin)
    }
    switch stage {
    case .over: return nil
    case .waiting: return connectExpiry(now)
    case .running(let codec):
      guard !receiving.isWhole, clock.silence(timeouts, now) != nil else { return nil }
      // Bytes may have left since the last check, or arrived as a part of a TLS record.
      codec.checkSocket()
      guard let (phase, limit) = clock.silence(timeouts, now) else { return nil }
      return .timedOut(phase, after: limit, origin: origin, through: codec.info.proxy)
    }
  }

  private var phase: MartletError.Phase? {
    if case .running = stage { clock.phase } else { .connect }
  }

  /// Returns the time-out error of an exchange that waits for a connection, if its time has passed.
  ///
  /// A connection attempt for another exchange is limited by the time-outs of that exchange, not by those of this one.
  /// While the server allows no streams, nothing else limits the wait.
  private func connectExpiry(_ now: NIODeadline) -> MartletError? {
    guard !isSuspended, let connect = timeouts.connect else { return nil }
    let limit = pool.connector.maximumConnectTime(connect: connect, tls: timeouts.tls)
    if let began = pool.waitingForOtherAttemptSince(self), isOver(limit, since: began, now) {
      return .timedOut(.connect, after: connect, origin: origin)
    }
    if let began = pool.waitingForStreamLimitSince(self), isOver(limit, since: began, now) {
      return .noStreamAllowed(origin, after: limit)
    }
    return nil
  }

  private func isOver(_ limit: Duration, since began: NIODeadline, _ now: NIODeadline) -> Bool {
    max(clock.waitingSince, began) + TimeAmount(limit) <= now
  }

  // MARK: Lost exchanges

  /// Whether the exchange is not over, but neither on a connection nor in its pool, so that it would never end.
  private var isLost: Bool {
    switch stage {
    case .over: false
    case .waiting: !pool.contains(self)
    case .running(let codec): !codec.carries(self)
    }
  }

  /// Fails a lost exchange, so that no caller waits indefinitely. Debug builds log where the loss was found.
  func failAsLost(_ file: StaticString = #fileID, _ line: UInt = #line) {
    assert(Self.logToStandardError("An exchange with \(origin) was lost \(place).", file, line))
    end(.requestLost(origin))
  }

  private var place: String {
    switch stage {
    case .over: "when it was over"
    case .waiting: "while it waited for a connection"
    case .running(let codec): "on connection \(codec.info.id) over \(codec.info.protocolName)"
    }
  }

  /// Writes a line to standard error, for the developers of the engine. Only assertions call it.
  ///
  /// - Returns: True.
  static func logToStandardError(
    _ sentence: String, _ file: StaticString = #fileID, _ line: UInt = #line
  ) -> Bool {
    _ = try? SystemPackage.FileDescriptor.standardError.writeAll(
      "\(file):\(line): \(sentence)\n".utf8)
    return true
  }
}
