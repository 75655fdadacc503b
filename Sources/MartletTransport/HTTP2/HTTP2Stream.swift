import MartletCore
import NIOCore
import NIOHTTP2

/// One stream of an HTTP/2 connection, which carries one exchange: what goes out, and what the windows allow.
///
/// The connection does the work, because streams share its windows and its socket. Unchecked because it is confined
/// to the connection's event loop, which debug builds assert where the connection is reached.
final class HTTP2Stream: ExchangeCodec, @unchecked Sendable {
  let number: Int32
  let connection: HTTP2Connection
  let exchange: Exchange
  /// Whether the connection had served another exchange before.
  let isReused: Bool
  var window: ReceiveWindow
  /// Whether it is under way.
  var isOpen = true
  /// It was reset by either side: no frame may leave on it any more.
  var isReset = false
  /// The peer has sent END_STREAM.
  var isEnded = false
  /// How many interim responses have come.
  var interimResponses = 0
  /// What the peer's windows do not allow to be sent yet.
  var unsent: ByteBuffer?
  /// Since when the peer's windows allow some of it, which is not worth a frame.
  var heldBackSince: NIODeadline?
  /// How much of the request's body may leave before others have their turn, while bodies take turns.
  var turn: Int?
  /// The body's producer is done, so that what is unsent is the end.
  var isBodyComplete = false

  init(
    _ number: Int32, of connection: HTTP2Connection, exchange: Exchange, isReused: Bool,
    window: ReceiveWindow
  ) {
    self.number = number
    self.connection = connection
    self.exchange = exchange
    self.isReused = isReused
    self.window = window
  }

  var id: HTTP2StreamID { HTTP2StreamID(number) }

  // MARK: What the exchange asks

  var info: ConnectionInfo { connection.info }
  var channel: (any Channel)? { connection.context?.channel }

  func carries(_ exchange: Exchange) -> Bool { connection.streams[number] === self }

  func send(_ request: Request, small body: ByteBuffer?) {
    connection.send(request, small: body, on: self)
  }

  func send(_ chunk: ByteBuffer) -> Bool {
    unsent = chunk
    return connection.pumpUpload(of: self)
  }

  func sendEnd() {
    guard isOpen else { return }
    isBodyComplete = true
    connection.pump(self)
  }

  func sendKept() -> Bool { connection.pumpUpload(of: self) }

  func setPaused(_ isPaused: Bool) {
    if isPaused != window.isPaused { connection.setPaused(isPaused, self) }
  }

  /// The channel's buffers are the framing handler's.
  func prepareForFile() {}

  func complete(_ exchange: Exchange) {
    guard isOpen else { return }
    // The server has answered before it had the whole request, and needs no more of it (§8.1).
    if !exchange.sending.isWhole { connection.reset(self, .noError) }
    connection.remove(self)
  }

  func abort(_ exchange: Exchange) {
    guard isOpen else { return }
    if !isEnded || !exchange.sending.isWhole { connection.reset(self, .cancel) }
    connection.remove(self)
  }

  /// The connection looks for all of its streams.
  func checkProgress(_ now: NIODeadline) {}
}

/// Numbers the streams of one connection (RFC 9113 §5.1.1).
///
/// A client's are odd and only grow, so a connection lives for 2³⁰ of them at most; it retires a little
/// before, where the next number would overflow.
struct StreamNumbers {
  /// The highest number that is given out.
  static let last: Int32 = .max - 2
  private var next: Int32

  init(first: Int32 = 1) {
    next = first
  }

  /// Whether no stream can be begun any more.
  var isExhausted: Bool { next > Self.last }

  /// The number of the next stream, if there is one.
  mutating func take() -> Int32? {
    guard !isExhausted else { return nil }
    defer { next += 2 }
    return next
  }
}
