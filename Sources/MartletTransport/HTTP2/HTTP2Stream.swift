import HTTPTypes
import MartletCore
import NIOCore

/// One stream of an HTTP/2 connection, which carries one exchange.
///
/// The connection does the work, because streams share its windows and its socket. Unchecked because it is confined to
/// the connection's event loop, which debug builds assert in the connection.
final class HTTP2Stream: ExchangeCodec, @unchecked Sendable {
  let number: Int32
  let connection: HTTP2Connection
  let exchange: Exchange
  /// Whether the connection had served another exchange before.
  let isReused: Bool
  var window: ReceiveWindow
  /// Whether the HEADERS of the request have been sent.
  var hasBegun = false
  /// Whether the stream is under way.
  var isOpen = true
  /// Whether either side has reset the stream: no more frames may be sent on it.
  var isReset = false
  /// Whether the peer has ended its side of the stream.
  var isEnded = false
  /// The size of the interim responses that have arrived, in bytes.
  var interimSize = 0
  /// The bytes of the body that the peer's windows or the socket do not allow to be sent yet.
  var unsent: ByteBuffer?
  /// When the peer's windows began to allow some of these bytes, but too few for a frame; `nil` if this is not so.
  var heldBackSince: NIODeadline?
  /// Whether room for more has restarted the idle time-out since the last bytes of the body.
  var hasMarkedRoom = false
  /// How many bytes of the request's body may be sent in the current turn; `nil` while bodies do not take turns.
  var turn: Int?
  /// Whether the body's producer is done, so that the unsent bytes are the end of the body.
  var isBodyComplete = false
  /// The fields that follow the body.
  var trailers: HTTPFields?

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

  // MARK: Called by the exchange

  var info: ConnectionInfo { connection.info }
  var channel: (any Channel)? { connection.context?.channel }

  func carries(_ exchange: Exchange) -> Bool { connection.streams[number] === self }

  func send(_ request: Request, small body: ByteBuffer?) {
    connection.send(request, small: body, on: self)
  }

  func prepareForUpload() { channel?.limitUnsentBytes(to: connection.unsentLimit.begin()) }

  func send(_ chunk: ByteBuffer) -> Bool {
    unsent = chunk
    return connection.pumpUpload(of: self)
  }

  func sendEnd(_ trailers: HTTPFields?) {
    guard isOpen else { return }
    self.trailers = trailers
    isBodyComplete = true
    connection.pump(self)
  }

  func sendPending() -> Bool { connection.pumpUpload(of: self) }

  func setPaused(_ isPaused: Bool) {
    if isPaused != window.isPaused { connection.setPaused(isPaused, self) }
  }

  /// Does nothing, because the bytes of all streams arrive together.
  func prepareForFile() {}

  func isDelivered(_ mark: inout DeliveryMark) -> Bool {
    guard mark.isNoted || !connection.isFlushPending else {
      // The end of the request may be among the frames that are written then.
      connection.streamsToNote.append(self)
      return false
    }
    return channel.map { mark.isReached(on: $0) } ?? true
  }

  func complete(_ exchange: Exchange) {
    guard isOpen else { return }
    // The server has answered before it received the whole request, and does not need the rest (§8.1).
    if !exchange.sending.isWhole { connection.reset(self, .noError) }
    connection.remove(self)
  }

  func abort(_ exchange: Exchange) {
    guard isOpen else { return }
    if !isEnded || !exchange.sending.isWhole { connection.reset(self, .cancel) }
    connection.remove(self)
  }

  /// Does nothing, because the connection checks for all of its streams.
  func checkProgress(_ now: NIODeadline) {}

  func checkSocket() { connection.checkSocket() }
}

/// Numbers the streams of one connection (RFC 9113 §5.1.1).
///
/// A client's numbers are odd and only grow, so a connection carries at most 2³⁰ streams. The connection retires before
/// the next number would overflow.
struct StreamNumbers {
  /// The highest number that is used.
  static let last: Int32 = .max - 2
  private var next: Int32

  init(first: Int32 = 1) {
    next = first
  }

  /// Whether no more streams can begin.
  var isExhausted: Bool { next > Self.last }

  /// Returns whether a number was taken for a stream.
  func haveTaken(_ number: Int32) -> Bool { number % 2 == 1 && number < next }

  /// Returns the number of the next stream, or `nil` if there is none.
  mutating func take() -> Int32? {
    guard !isExhausted else { return nil }
    defer { next += 2 }
    return next
  }
}
