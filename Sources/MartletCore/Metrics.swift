public import EssentialFoundation

/// What one exchange took, and over which connection.
public struct Metrics: Sendable {
  /// When the request was handed to the engine.
  public var start: Date
  /// From the start until a connection was at hand, the time to make one included.
  public var connectionWait: Duration
  /// Sending head and body.
  public var request: Duration
  /// From the end of the request to the first byte of the response.
  public var firstByte: Duration
  /// From the first to the last byte of the response.
  public var transfer: Duration
  /// From the start to the last byte.
  public var total: Duration
  /// Whether the connection had served an exchange before.
  public var isConnectionReused: Bool
  /// Bytes of head and body sent, before TLS.
  public var bytesSent: Int64
  /// Bytes of heads, framing and body received, after TLS.
  public var bytesReceived: Int64
  /// The connection; `nil` when no network was involved.
  public var connection: ConnectionInfo?

  /// Metrics from their parts. Everything defaults to zero.
  public init(
    start: Date = Date(), connectionWait: Duration = .zero, request: Duration = .zero,
    firstByte: Duration = .zero, transfer: Duration = .zero, total: Duration = .zero,
    isConnectionReused: Bool = false, bytesSent: Int64 = 0, bytesReceived: Int64 = 0,
    connection: ConnectionInfo? = nil
  ) {
    self.start = start
    self.connectionWait = connectionWait
    self.request = request
    self.firstByte = firstByte
    self.transfer = transfer
    self.total = total
    self.isConnectionReused = isConnectionReused
    self.bytesSent = bytesSent
    self.bytesReceived = bytesReceived
    self.connection = connection
  }
}
