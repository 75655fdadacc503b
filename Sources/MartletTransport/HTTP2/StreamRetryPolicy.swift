/// Decides whether a request is sent again when something other than its response ends its stream, without any I/O.
struct StreamRetryPolicy {
  /// The outcome for a request.
  enum Outcome: Equatable {
    /// The stream continues, or its whole response has arrived.
    case continues
    /// The request is sent again.
    case retried
    /// The request fails. The caller may send it again if the server has provably not processed it.
    case failed(isUnprocessed: Bool)
  }

  let number: Int32
  /// Whether the stream's HEADERS have been sent.
  var hasBegun: Bool
  /// Whether any bytes of the response have arrived, and whether its final head has arrived.
  var hasResponseBytes: Bool
  var hasHead: Bool
  /// Whether the whole response has arrived, and only its delivery is unfinished.
  var isReceived: Bool
  /// Whether the request is idempotent (RFC 9110 §9.2.2), and whether it can be sent again.
  var isIdempotent: Bool
  var canRetry: Bool
  /// Whether this is the first attempt.
  var isFirst: Bool

  /// Returns the outcome after the peer has reset the stream (§6.4). A refused stream was not processed (§8.7).
  func reset(with code: HTTP2ErrorCode) -> Outcome {
    if isReceived { return .continues }
    return code == .refusedStream ? unprocessed : .failed(isUnprocessed: false)
  }

  /// Returns the outcome after a GOAWAY: the peer has processed no stream after `last` (§6.8).
  ///
  /// A GOAWAY with an error also ends the streams up to `last`, although at most one of them has caused it. Idempotent
  /// requests without any bytes of a response are sent again, but only once. Otherwise a request that causes the error
  /// could fail the others indefinitely. None is sent again if another connection would end in the same way.
  func goneAway(last: Int32, _ code: HTTP2ErrorCode) -> Outcome {
    if isReceived { return .continues }
    if !hasBegun || number > last { return unprocessed }
    if code == .noError { return .continues }
    return mayResend && isFirst && !code.affectsEveryConnection
      ? .retried : .failed(isUnprocessed: false)
  }

  /// Returns the outcome after the connection has ended or failed. The connection may be stale if the server may have
  /// closed it before it received the request.
  func lost(mayBeStale: Bool = false) -> Outcome {
    if isReceived { return .continues }
    if !hasBegun { return unprocessed }
    return mayBeStale && mayResend ? .retried : .failed(isUnprocessed: false)
  }

  /// Whether the request may be sent again, although the peer may have processed it (RFC 9110 §9.2.2).
  private var mayResend: Bool { !hasResponseBytes && isIdempotent && canRetry }

  private var unprocessed: Outcome {
    if hasHead { return .failed(isUnprocessed: false) }
    return canRetry ? .retried : .failed(isUnprocessed: true)
  }
}

extension HTTP2ErrorCode {
  /// Whether another connection would certainly end in the same way (RFC 9113 §7).
  fileprivate var affectsEveryConnection: Bool {
    [.enhanceYourCalm, .inadequateSecurity, .http11Required].contains(self)
  }
}
