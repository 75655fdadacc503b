import HTTPTypes
import MartletCore
import NIOCore

/// Frames and parses one exchange on its connection. Both `HTTP1Connection` and `HTTP2Stream` are codecs.
///
/// The rules of an exchange are in `Exchange`. A codec frames what the exchange sends, parses what it receives, and
/// applies back-pressure to the peer. Confined to the connection's event loop.
protocol ExchangeCodec: AnyObject, Sendable {
  /// The connection and how it was made.
  var info: ConnectionInfo { get }
  /// Whether the connection had served another exchange before.
  var isReused: Bool { get }
  /// Whether the exchange is under way here.
  func carries(_ exchange: Exchange) -> Bool

  // MARK: The request

  /// Sends a head, and the body with it if that is small. Calls the exchange's `markSent` once the request is sent.
  func send(_ request: Request, small body: ByteBuffer?)
  /// Prepares for a body that is sent in chunks.
  func prepareForUpload()
  /// Sends a chunk of the body, and returns whether there is room for more.
  func send(_ chunk: ByteBuffer) -> Bool
  /// Sends the end of the body, and the trailers. Calls the exchange's `markSent` once the request is sent.
  func sendEnd(_ trailers: HTTPFields?)
  /// Sends the bytes that were kept while the exchange was suspended, and returns whether there is room for more.
  func sendPending() -> Bool

  // MARK: The response

  /// Stops or resumes receiving.
  func setPaused(_ isPaused: Bool)
  /// Prepares for a body that goes into a file, because the file's writer keeps buffers for a while.
  func prepareForFile()

  // MARK: The end

  /// Whether the peer's system has acknowledged the request, which has been sent.
  func isDelivered(_ mark: inout DeliveryMark) -> Bool
  /// Frees the connection for another exchange, because the response is complete.
  func complete(_ exchange: Exchange)
  /// Ends the exchange on the wire before its response is complete.
  func abort(_ exchange: Exchange)
  /// Checks the progress of the connection. Called every 20 ms.
  func checkProgress(_ now: NIODeadline)
  /// Records in the exchange's clock when bytes have left the operating system, or arrived there without being received yet.
  func checkSocket()
}
