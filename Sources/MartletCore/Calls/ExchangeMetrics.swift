public import EssentialFoundation
import Synchronization

/// What one exchange took, and over which connection.
public struct ExchangeMetrics: Sendable {
  /// When the request was handed to the engine.
  public var startDate: Date
  /// From the start until a connection was at hand, the time to make one included.
  public var connectionWait: Duration
  /// Sending head and body.
  public var requestDuration: Duration
  /// From the end of the request to the first byte of the response.
  public var timeToFirstByte: Duration
  /// From the first to the last byte of the response.
  public var transferDuration: Duration
  /// From the start to the last byte.
  public var totalDuration: Duration
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
    startDate: Date = Date(), connectionWait: Duration = .zero, requestDuration: Duration = .zero,
    timeToFirstByte: Duration = .zero, transferDuration: Duration = .zero,
    totalDuration: Duration = .zero,
    isConnectionReused: Bool = false, bytesSent: Int64 = 0, bytesReceived: Int64 = 0,
    connection: ConnectionInfo? = nil
  ) {
    self.startDate = startDate
    self.connectionWait = connectionWait
    self.requestDuration = requestDuration
    self.timeToFirstByte = timeToFirstByte
    self.transferDuration = transferDuration
    self.totalDuration = totalDuration
    self.isConnectionReused = isConnectionReused
    self.bytesSent = bytesSent
    self.bytesReceived = bytesReceived
    self.connection = connection
  }
}

/// A connection as it was made; shared by all exchanges that use it.
public final class ConnectionInfo: Sendable {
  /// Names the connection in this process; never used again.
  public let id: UInt64
  /// The protocol spoken: `http/1.1`, `h2`, or `h2c` for HTTP/2 without TLS.
  public let protocolName: String
  /// This end's address, as `address:port`.
  public let localAddress: String?
  /// The server's address, as `address:port`, or the path of a socket; the proxy's, if there is one.
  public let remoteAddress: String?
  /// The proxy that the connection leads through, such as `http://proxy.example.com:3128`, without its user
  /// and password; `nil` when there is none.
  public let proxy: String?
  /// Finding the addresses of the host, or of the proxy; `nil` when there was nothing to look up.
  public let resolveDuration: Duration?
  /// Connecting to the address that answered first, and being let through by the proxy.
  public let connectDuration: Duration
  /// The TLS handshake; `nil` for a plain connection.
  public let tlsDuration: Duration?
  /// The TLS version agreed on, such as `TLSv1.3`; `nil` for a plain connection.
  public let tlsVersion: String?

  /// Whether the connection carries several exchanges at once.
  package var isMultiplexed: Bool { protocolName.hasPrefix("h2") }

  /// A connection from its parts.
  public init(
    protocolName: String, localAddress: String?, remoteAddress: String?, resolveDuration: Duration?,
    connectDuration: Duration, tlsDuration: Duration?, tlsVersion: String?, proxy: String? = nil
  ) {
    id = Self.lastID.add(1, ordering: .relaxed).newValue
    self.protocolName = protocolName
    self.localAddress = localAddress
    self.remoteAddress = remoteAddress
    self.resolveDuration = resolveDuration
    self.connectDuration = connectDuration
    self.tlsDuration = tlsDuration
    self.tlsVersion = tlsVersion
    self.proxy = proxy
  }

  private static let lastID = Atomic<UInt64>(0)
}
