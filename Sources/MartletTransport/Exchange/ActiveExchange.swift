import HTTPTypes
import MartletCore
import NIOCore

/// What a connection knows of one exchange that it carries, whatever protocol it speaks.
struct ActiveExchange {
  let call: Call
  /// Sends the body, when that takes more than one write.
  var upload: BodyUpload?
  /// Where the response's body goes, once the head has come.
  var sink: BodySink?
  var head: ResponseHead?
  /// What is known of a body for which there is no place yet.
  var undecided = UndecidedBody()
  var bytesSent: Int64 = 0
  var bytesReceived: Int64 = 0
  var isRequestSent = false
  /// The last byte is in; a file is being finished, or the body has no place yet.
  private(set) var isReceived = false
  /// The response is not for the caller: the request goes out again, for a proxy that requires authentication or a
  /// server that does not support `Expect`.
  var isAskedAgain = false
  /// Bytes are held back because somebody said so: the exchange handle, or a full sink.
  var isSuspended = false
  var isSinkFull = false
  /// When to do without what is left of a body that is discarded.
  private(set) var discardDeadline: NIODeadline?
  /// When to send the body although the server has not asked for it (RFC 9110 §10.1.1).
  var continueBy: NIODeadline?

  /// How long to wait for `100 Continue` (RFC 9110 §10.1.1).
  static let patience = TimeAmount.seconds(1)
  /// How long a body is discarded to keep its connection.
  static let discardPatience = TimeAmount.seconds(1)
  /// How long a connection waits for the place of a body that has come whole.
  static let placePatience = TimeAmount.seconds(1)
  /// A body up to this size leaves in one write with its head.
  static let smallBody = 64 << 10
  /// How many interim responses may come before the final one.
  static let mostInterim = 32

  init(_ call: Call) {
    self.call = call
  }

  var isPaused: Bool { isSuspended || isSinkFull }

  /// How much of the request has been handed to the network.
  var sent: MartletError.Sent { isRequestSent ? .whole : bytesSent > 0 ? .part : .nothing }

  /// The request as a whole has been handed to the network.
  mutating func markSent() {
    isRequestSent = true
    call.noteActivity()
    call.clock.markSent(call.lastActivity)
    call.request.exchange?.report(.sent)
  }

  /// Reads and forgets the body of the response.
  mutating func discardBody() {
    sink = .discard
    discardDeadline = .now() + Self.discardPatience
  }

  /// Whether the response is as good without what is left of its body: the body is discarded, and the server has
  /// answered otherwise than with success, so that it needs no more of the request either.
  var isBodyNeedless: Bool {
    guard case .discard? = sink else { return false }
    return head?.status.kind != .successful
  }

  /// Whether a discarded body is so long that its connection is not worth the rest. An upload that goes on is worth
  /// more.
  func isDiscardedEnough(_ bytes: Int64, limit: Int) -> Bool {
    guard case .discard? = sink else { return false }
    return bytes > Int64(limit) * (isRequestSent || isBodyNeedless ? 1 : 16)
  }

  /// Whether a discarded body has had its time.
  func isDiscardOver(_ now: NIODeadline) -> Bool {
    guard let discardDeadline, discardDeadline <= now else { return false }
    return isBodyNeedless && !isPaused
  }

  /// The response as a whole has come; a file is being finished, or the body has no place yet.
  mutating func markReceived() {
    isReceived = true
    continueBy = nil
    call.noteReceived()
  }

  /// What the exchange took so far.
  func metrics(over info: ConnectionInfo, isReused: Bool) -> Metrics {
    call.clock.metrics(
      now: .now(), connection: info, isReused: isReused, bytesSent: bytesSent,
      bytesReceived: bytesReceived)
  }

  /// Lets go of all that the exchange holds, before its call fails.
  func drop(_ error: MartletError) {
    upload?.cancel()
    var error = error
    error.request = call.request.asAsked
    switch sink {
    case .stream(let stream): stream.finish(.failure(error))
    case .undecided(let stream):
      // Whoever sees the head may do without the body.
      if let response = undecided.response { call.answer(response) }
      stream.finish(.failure(error))
      tellTaker(error)
    case .file(let file):
      let release = file.abandon()
      call.holdBack(until: release)
      release.assumeIsolated().whenComplete { [self, error] _ in tellTaker(error) }
    case .buffer, .discard, nil: tellTaker(error)
    }
  }

  /// Tells whoever waits for the body that it will not come, after those who hear of the exchange.
  private func tellTaker(_ error: MartletError) {
    guard let taker = undecided.taker else { return }
    call.pool.loop.execute { taker(.failure(error)) }
  }
}
