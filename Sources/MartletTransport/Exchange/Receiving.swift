import HTTPTypes
import MartletCore
import NIOCore

/// How far a response has come.
struct Receiving {
  /// The final head.
  var head: ResponseHead?
  /// Where the body goes, once the head has come.
  var sink: BodySink?
  /// What is known of a body for which there is no place yet.
  var undecided = UndecidedBody()
  /// How many bytes the body will have, as far as the head tells, and how many have come.
  var bodyLength: Int64?
  var bodyBytes: Int64 = 0
  /// How many bytes have come in all.
  var bytes: Int64 = 0
  /// The last byte is in; a file is being finished, or the body has no place yet.
  var isWhole = false
  /// The body's reader or its file can take no more for now.
  var isSinkFull = false
  /// The response is not for the caller: the request goes out again, for a proxy that requires authentication or a
  /// server that does not support `Expect`.
  var willRetry = false
  /// When to do without what is left of a body that is discarded.
  private(set) var discardDeadline: NIODeadline?

  /// How long a body is discarded to keep its connection.
  private static let discardTimeout = TimeAmount.seconds(1)

  /// Reads and forgets the body.
  mutating func discardBody() {
    sink = .discard
    discardDeadline = .now() + Self.discardTimeout
  }

  /// The response is for the engine alone, which sends the request again once it has gone by.
  mutating func discardForRetry() {
    willRetry = true
    discardBody()
  }

  /// Whether the response is as good without what is left of its body: the body is discarded, and the server has
  /// answered otherwise than with success, so that it needs no more of the request either.
  var canSkipBody: Bool {
    guard case .discard? = sink else { return false }
    return head?.status.kind != .successful
  }

  /// Whether a discarded body is so long that its connection is not worth the rest. An upload that goes on is worth
  /// more.
  func isDiscardedEnough(limit: Int, isRequestSent: Bool) -> Bool {
    guard case .discard? = sink else { return false }
    return bodyBytes > Int64(limit) * (isRequestSent || canSkipBody ? 1 : 16)
  }

  /// Whether a discarded body has had its time.
  func isDiscardOver(_ now: NIODeadline) -> Bool {
    guard let discardDeadline, discardDeadline <= now else { return false }
    return canSkipBody && !isSinkFull
  }
}

/// What is known of a body for which there was no place when its head came.
struct UndecidedBody {
  /// The response, until its caller has it: at the end of what was read together with the head.
  var response: Response?
  /// Bytes received and not yet reported.
  var bytes = 0
  /// The end, when it has come: the connection waits with it until there is a place.
  var end: End?
  /// Completed when the body has its place.
  var deliveryHandler: BodyStream.DeliveryHandler?

  struct End {
    var trailers: HTTPFields?
    let time = NIODeadline.now()
  }

  /// How long a connection waits for the place of a body that has come whole.
  private static let holdTimeout = TimeAmount.seconds(1)

  /// Whether the connection has waited for a place for long enough: the body can be read from memory as well.
  func isEndHeldTooLong(_ now: NIODeadline) -> Bool {
    guard let end else { return false }
    return end.time + Self.holdTimeout <= now
  }
}

/// Where the body of a response goes.
enum BodySink {
  /// It is kept until the place is decided.
  case undecided(BodyStream)
  case discard
  case buffer(BodyBuffer)
  case stream(BodyStream)
  case file(FileSink)

  /// Takes some of the body; whether there is room for more.
  ///
  /// A buffer is moved out, changed and put back: a second reference to it would have every chunk copy
  /// all of what came before.
  mutating func take(_ bytes: ByteBuffer) throws(MartletError) -> Bool {
    switch self {
    case .discard: return true
    case .undecided(let stream), .stream(let stream): return stream.receive(bytes)
    case .file(let file): return file.receive(bytes)
    case .buffer(var buffer):
      self = .discard
      defer { self = .buffer(buffer) }
      try buffer.append(bytes)
      return true
    }
  }
}
