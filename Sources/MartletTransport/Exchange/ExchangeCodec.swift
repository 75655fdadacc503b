import MartletCore
import NIOCore

/// What frames and parses one exchange on its connection: the connection itself of HTTP/1.1, a stream of HTTP/2.
///
/// The rules of an exchange are those of `Exchange`. A codec sends what it is told to, tells the exchange what has
/// come, and knows how the peer is held back. Confined to the connection's event loop.
protocol ExchangeCodec: AnyObject, Sendable {
  /// The connection, as it was made.
  var info: ConnectionInfo { get }
  /// The channel; `nil` once it is gone.
  var channel: (any Channel)? { get }
  /// Whether the connection had served another exchange before.
  var isReused: Bool { get }
  /// Whether the exchange is under way here.
  func carries(_ exchange: Exchange) -> Bool

  // MARK: The request

  /// Sends a head, and the body with it if that is small. Says so to the exchange once that is the whole request.
  func send(_ request: Request, small body: ByteBuffer?)
  /// Sends some of the body; whether there is room for more.
  func send(_ chunk: ByteBuffer) -> Bool
  /// All of the body was sent. Says so to the exchange once that is the whole request.
  func sendEnd()
  /// Sends what was kept while the exchange was suspended; whether there is room for more.
  func sendKept() -> Bool

  // MARK: The response

  /// Stops what the peer sends, or has it go on.
  func setPaused(_ isPaused: Bool)
  /// The response's body goes into a file, whose writer keeps what it is given for a while.
  func prepareForFile()

  // MARK: The end

  /// The response is complete: the connection is free for another exchange.
  func complete(_ exchange: Exchange)
  /// Nobody wants any more of the exchange.
  func giveUp(_ exchange: Exchange)
  /// Some time has passed.
  func look(_ now: NIODeadline)
}
