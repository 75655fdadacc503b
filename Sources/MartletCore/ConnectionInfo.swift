import Synchronization

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
  public let resolve: Duration?
  /// Connecting to the address that answered first, and being let through by the proxy.
  public let connect: Duration
  /// The TLS handshake; `nil` for a plain connection.
  public let tls: Duration?
  /// The TLS version agreed on, such as `TLSv1.3`; `nil` for a plain connection.
  public let tlsVersion: String?

  /// Whether the connection carries several exchanges at once.
  package var isMultiplexed: Bool { protocolName.hasPrefix("h2") }

  /// A connection from its parts.
  public init(
    protocolName: String, localAddress: String?, remoteAddress: String?, resolve: Duration?,
    connect: Duration, tls: Duration?, tlsVersion: String?, proxy: String? = nil
  ) {
    id = Self.lastID.add(1, ordering: .relaxed).newValue
    self.protocolName = protocolName
    self.localAddress = localAddress
    self.remoteAddress = remoteAddress
    self.resolve = resolve
    self.connect = connect
    self.tls = tls
    self.tlsVersion = tlsVersion
    self.proxy = proxy
  }

  private static let lastID = Atomic<UInt64>(0)
}
