import MartletCore
import NIOCore

/// What frames and parses one exchange on its connection: the connection itself of HTTP/1.1, a stream of HTTP/2.
///
/// The rules of an exchange are in `Exchange`. A codec frames what the exchange sends, parses what it receives, and
/// applies back-pressure to the peer. Confined to the connection's event loop.
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

  /// Sends a head, and the body with it if that is small. Calls the exchange's `markSent` once the request is sent.
  func send(_ request: Request, small body: ByteBuffer?)
  /// Sends some of the body; whether there is room for more.
  func send(_ chunk: ByteBuffer) -> Bool
  /// Sends the end of the body. Calls the exchange's `markSent` once the request is sent.
  func sendEnd()
  /// Sends what was kept while the exchange was suspended; whether there is room for more.
  func sendKept() -> Bool

  // MARK: The response

  /// Stops or resumes receiving.
  func setPaused(_ isPaused: Bool)
  /// Provides for a body that goes into a file, whose writer keeps buffers for a while.
  func prepareForFile()

  // MARK: The end

  /// The response is complete: frees the connection for another exchange.
  func complete(_ exchange: Exchange)
  /// Ends the exchange on the wire before its response is complete.
  func abort(_ exchange: Exchange)
  /// Looks at the connection, every 20 ms.
  func checkProgress(_ now: NIODeadline)
}
