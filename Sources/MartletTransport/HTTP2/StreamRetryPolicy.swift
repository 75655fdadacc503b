import NIOHTTP2

/// How far a stream has come when something other than its response ends it, and what becomes of its request
/// then: a decision without any I/O.
struct StreamRetryPolicy {
  /// What becomes of a request.
  enum Outcome: Equatable {
    /// The stream goes on, or has all that it needs.
    case continues
    /// The request goes out once more.
    case retried
    /// It fails; the caller may send it again if the server has provably not processed it.
    case failed(isUnprocessed: Bool)
  }

  let number: Int32
  /// Whether its HEADERS have left.
  var hasBegun: Bool
  /// Whether any of the response has come, and the final head of it.
  var hasResponseBytes: Bool
  var hasHead: Bool
  /// Whether all of the response has come, and only a file is being finished.
  var isReceived: Bool
  /// Whether the request may be sent twice (RFC 9110 §9.2.2), and whether it can be.
  var isIdempotent: Bool
  var canRetry: Bool
  /// Whether it goes out for the first time.
  var isFirst: Bool

  /// The peer has reset the stream (§6.4); one that it refused was not processed (§8.7).
  func reset(with code: HTTP2ErrorCode) -> Outcome {
    if isReceived { return .continues }
    return code == .refusedStream ? unprocessed : .failed(isUnprocessed: false)
  }

  /// The peer goes away and has processed no stream after `last` (§6.8).
  ///
  /// An error ends the streams up to `last` as well, whichever of them it is about, if any: those that may be sent twice
  /// go out again, once, so that one of them cannot take the others down for ever.
  func goneAway(last: Int32, _ code: HTTP2ErrorCode) -> Outcome {
    if isReceived { return .continues }
    if !hasBegun || number > last { return unprocessed }
    if code == .noError { return .continues }
    return mayRepeat && isFirst && !code.concernsAll ? .retried : .failed(isUnprocessed: false)
  }

  /// The connection has ended, or is of no use any more; it may be stale when the server may have closed it
  /// before it came to the request.
  func lost(mayBeStale: Bool = false) -> Outcome {
    if isReceived { return .continues }
    if !hasBegun { return unprocessed }
    return mayBeStale && mayRepeat ? .retried : .failed(isUnprocessed: false)
  }

  /// Whether the request may be sent again though the peer may have processed it (RFC 9110 §9.2.2).
  private var mayRepeat: Bool { !hasResponseBytes && isIdempotent && canRetry }

  private var unprocessed: Outcome {
    if hasHead { return .failed(isUnprocessed: false) }
    return canRetry ? .retried : .failed(isUnprocessed: true)
  }
}

extension HTTP2ErrorCode {
  /// Whether another connection would certainly end in the same way (RFC 9113 §7).
  fileprivate var concernsAll: Bool {
    [.enhanceYourCalm, .inadequateSecurity, .http11Required].contains(self)
  }
}
