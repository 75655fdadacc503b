import HTTPTypes
import MartletCore
import NIOCore

/// The progress of receiving a response.
struct Receiving {
  /// The final head.
  var head: ResponseHead?
  /// The destination of the body, once the head has arrived.
  var sink: BodySink?
  /// The state of a body whose destination is not decided yet.
  var undecided = UndecidedBody()
  /// The length of the body, if the head states it, and how many of its bytes have arrived.
  var bodyLength: Int64?
  var bodyBytes: Int64 = 0
  /// How many bytes of the response have arrived, including heads.
  var bytes: Int64 = 0
  /// Whether the last byte has arrived, and the exchange still waits for a file or for the body's destination.
  var isWhole = false
  /// Whether the body's reader or file can take no more for now.
  var isSinkFull = false
  /// Whether the response is not for the caller, because the request is sent again: a proxy requires authentication, or
  /// the server does not support `Expect`.
  var willRetry = false
  /// When to stop reading a discarded body.
  private(set) var discardDeadline: NIODeadline?

  /// How long a discarded body is read, so that its connection can be reused.
  private static let discardTimeout = TimeAmount.seconds(1)

  /// Appends bytes to the buffer of the body.
  ///
  /// The buffer is moved out, changed and put back. With a second reference to the buffer, each append would copy all earlier
  /// bytes.
  mutating func append(_ bytes: ByteBuffer) throws(MartletError) {
    guard case .buffer(var buffer)? = sink else { return }
    sink = .discard
    defer { sink = .buffer(buffer) }
    try buffer.append(bytes)
  }

  /// Discards the body as it arrives.
  mutating func discardBody(_ now: NIODeadline) {
    sink = .discard
    discardDeadline = now + Self.discardTimeout
  }

  /// Discards the response. The request is sent again after it.
  mutating func discardForRetry(_ now: NIODeadline) {
    willRetry = true
    discardBody(now)
  }

  /// Whether the exchange can end without the rest of the body: the body is discarded, and the response is not a
  /// success, so that the server needs no more of the request either.
  var canEndWithoutBody: Bool {
    guard case .discard? = sink else { return false }
    return head?.status.kind != .successful
  }

  /// Whether more bytes of a discarded body have arrived than are read to reuse its connection: more than `limit`, or
  /// 16 times as many while the request of a successful response is still on its way to the server.
  func isDiscardedEnough(limit: Int, isRequestDelivered: @autoclosure () -> Bool) -> Bool {
    guard case .discard? = sink, Double(bodyBytes) > Double(limit) else { return false }
    return canEndWithoutBody || Double(bodyBytes) > Double(limit) * 16 || isRequestDelivered()
  }

  /// Whether the time for reading a discarded body has passed. There is no such limit for a success.
  func isDiscardOver(_ now: NIODeadline) -> Bool {
    guard let discardDeadline, discardDeadline <= now else { return false }
    return canEndWithoutBody && !isSinkFull
  }
}

/// The state of a body whose destination was not decided when its head arrived.
struct UndecidedBody {
  /// The response until it is delivered. It is delivered when all bytes that were read together with its head have
  /// been handled.
  var response: Response?
  /// How many received bytes have not been reported yet.
  var bytes = 0
  /// The end of the body, if it has arrived. The connection waits until the destination is decided.
  var end: End?
  /// Called when the body has been delivered, or has failed.
  var deliveryHandler: BodyStream.DeliveryHandler?

  struct End {
    var trailers: HTTPFields?
    let time: NIODeadline
    /// Makes closing wait until the destination is decided: there may be no connection whose end would end the exchange.
    var token: OutsideWork.Token?
  }

  /// How long a connection waits for the destination of a complete body.
  private static let holdTimeout = TimeAmount.seconds(1)

  /// Whether the connection has waited long enough for a destination. The body can then be read from memory.
  func isEndHeldTooLong(_ now: NIODeadline) -> Bool {
    guard let end else { return false }
    return end.time + Self.holdTimeout <= now
  }
}

/// The destination of a response's body.
enum BodySink {
  /// The body is kept until its destination is decided.
  case undecided(BodyStream)
  case discard
  case buffer(BodyBuffer)
  case stream(BodyStream)
  case file(FileSink)
}
