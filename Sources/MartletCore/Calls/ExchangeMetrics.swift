public import EssentialFoundation
package import NIOCore
import Synchronization

/// The durations and sizes of one exchange, and its connection.
public struct ExchangeMetrics: Sendable {
  /// The time at which the request was passed to the engine.
  public var startDate: Date
  /// From the start until a connection was available, including the time to make one.
  public var connectionWait: Duration {
    get { Duration(times.connectionWait) }
    set { times.connectionWait = TimeAmount(newValue) }
  }
  /// The time to send head and body.
  public var requestDuration: Duration {
    get { Duration(times.requestDuration) }
    set { times.requestDuration = TimeAmount(newValue) }
  }
  /// From the end of the request to the first byte of the response.
  public var timeToFirstByte: Duration {
    get { Duration(times.timeToFirstByte) }
    set { times.timeToFirstByte = TimeAmount(newValue) }
  }
  /// From the first to the last byte of the response.
  public var transferDuration: Duration {
    get { Duration(times.transferDuration) }
    set { times.transferDuration = TimeAmount(newValue) }
  }
  /// From the start to the last byte.
  public var totalDuration: Duration {
    get { Duration(times.totalDuration) }
    set { times.totalDuration = TimeAmount(newValue) }
  }
  /// Whether the connection had served an exchange before.
  public var isConnectionReused: Bool
  /// Bytes of head and body sent, before TLS, with the framing of HTTP/1.1 but not that of HTTP/2.
  public var bytesSent: Int64
  /// Bytes of heads and body received, after TLS, with the framing of HTTP/1.1 but not that of HTTP/2.
  public var bytesReceived: Int64
  /// Bytes of the response's body received, before content decoding, also those that are discarded.
  public var bodyBytesReceived: Int64 = 0
  /// The connection; `nil` when no network was involved.
  public var connection: ConnectionInfo?

  private var times: Times

  /// The durations, each in eight bytes: metrics are copied with every response.
  package struct Times: Sendable {
    fileprivate var connectionWait, requestDuration, timeToFirstByte, transferDuration,
      totalDuration: TimeAmount

    package init(
      connectionWait: TimeAmount = .zero, requestDuration: TimeAmount = .zero,
      timeToFirstByte: TimeAmount = .zero, transferDuration: TimeAmount = .zero,
      totalDuration: TimeAmount = .zero
    ) {
      self.connectionWait = connectionWait
      self.requestDuration = requestDuration
      self.timeToFirstByte = timeToFirstByte
      self.transferDuration = transferDuration
      self.totalDuration = totalDuration
    }
  }

  /// Metrics of an exchange that begins now and takes no time.
  public init() {
    self.init(
      startDate: Date(), Times(), isConnectionReused: false, bytesSent: 0, bytesReceived: 0,
      connection: nil)
  }

  /// Metrics from their parts. The default of every number is zero.
  public init(
    startDate: Date = Date(), connectionWait: Duration = .zero, requestDuration: Duration = .zero,
    timeToFirstByte: Duration = .zero, transferDuration: Duration = .zero,
    totalDuration: Duration = .zero,
    isConnectionReused: Bool = false, bytesSent: Int64 = 0, bytesReceived: Int64 = 0,
    connection: ConnectionInfo? = nil
  ) {
    self.init(
      startDate: startDate,
      Times(
        connectionWait: TimeAmount(connectionWait), requestDuration: TimeAmount(requestDuration),
        timeToFirstByte: TimeAmount(timeToFirstByte),
        transferDuration: TimeAmount(transferDuration), totalDuration: TimeAmount(totalDuration)),
      isConnectionReused: isConnectionReused, bytesSent: bytesSent, bytesReceived: bytesReceived,
      connection: connection)
  }

  /// Metrics from their parts.
  package init(
    startDate: Date, _ times: Times, isConnectionReused: Bool, bytesSent: Int64,
    bytesReceived: Int64, connection: ConnectionInfo?
  ) {
    self.startDate = startDate
    self.times = times
    self.isConnectionReused = isConnectionReused
    self.bytesSent = bytesSent
    self.bytesReceived = bytesReceived
    self.connection = connection
  }
}

/// Information about a connection, shared by all exchanges that use it.
public final class ConnectionInfo: Sendable {
  /// The identifier of the connection, unique in this process.
  public let id: UInt64
  /// The protocol: `http/1.1`, `h2`, or `h2c` for HTTP/2 without TLS.
  public let protocolName: String
  /// The client's address, as `address:port`.
  public let localAddress: String?
  /// The address of the server, or of the proxy if there is one, as `address:port`, or the path of a socket.
  public let remoteAddress: String?
  /// The proxy of the connection, such as `http://proxy.example.com:3128`, without user and password; `nil` when there
  /// is none.
  public let proxy: String?
  /// The time to look up the addresses of the host or the proxy; `nil` when there was no look-up.
  public let resolveDuration: Duration?
  /// The time to connect after the look-up, including addresses that did not answer and the proxy's handshake.
  public let connectDuration: Duration
  /// The time for the TLS handshake; `nil` for a connection without TLS.
  public let tlsDuration: Duration?
  /// The negotiated TLS version, such as `TLSv1.3`; `nil` for a connection without TLS.
  public let tlsVersion: String?

  /// Whether the connection carries several exchanges at once.
  package let isMultiplexed: Bool

  /// The host and the port of `remoteAddress`; `nil` for a socket.
  package let peer: (host: String, port: Int)?

  /// A connection from its parts.
  public init(
    protocolName: String, localAddress: String?, remoteAddress: String?, resolveDuration: Duration?,
    connectDuration: Duration, tlsDuration: Duration?, tlsVersion: String?, proxy: String? = nil
  ) {
    id = Self.lastID.add(1, ordering: .relaxed).newValue
    self.protocolName = protocolName
    isMultiplexed = protocolName.hasPrefix("h2")
    self.localAddress = localAddress
    self.remoteAddress = remoteAddress
    peer = remoteAddress.flatMap { Self.peer(of: $0) }
    self.resolveDuration = resolveDuration
    self.connectDuration = connectDuration
    self.tlsDuration = tlsDuration
    self.tlsVersion = tlsVersion
    self.proxy = proxy
  }

  private static let lastID = Atomic<UInt64>(0)

  /// The host and the port of an address such as `[::1]:80`; `nil` for the path of a socket.
  package static func peer(of address: String) -> (host: String, port: Int)? {
    guard let colon = address.lastIndex(of: ":"),
      let port = Int(address[address.index(after: colon)...])
    else { return nil }
    return (address[..<colon].filter { $0 != "[" && $0 != "]" }, port)
  }
}
