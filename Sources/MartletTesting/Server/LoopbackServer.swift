public import EssentialFoundation
import MartletCore

/// An HTTP server on this machine, for tests and experiments.
///
///     let server = try await LoopbackServer.start()
///     let response = try await client.get(server.url("/get?q=terns"))
///     await server.stop()
///
/// By default its routes are those of httpbin, which `ServerRouter.httpbin()` returns. It speaks HTTP/1.1, and HTTP/2
/// when configured to. The server stops when `stop()` is called or when it is released.
public final class LoopbackServer: Sendable {
  /// The TCP port it listens on.
  public let port: Int

  private let listeners: [Listener]
  private let address: ServerAddress
  private let connections: ConnectionRegistry
  private let served: AwaitableValue<Int>

  private init(
    listeners: [Listener], address: ServerAddress, connections: ConnectionRegistry,
    served: AwaitableValue<Int>
  ) {
    self.listeners = listeners
    self.address = address
    self.connections = connections
    self.served = served
    port = address.port
  }

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - host: The address to listen on. The default is `127.0.0.1`.
  ///   - port: The TCP port. The default, 0, selects any free port.
  ///   - tls: Certificate and key for https. The default is plain http.
  ///   - priorKnowledge: Whether connections without TLS speak HTTP/2 from their first byte (RFC 9113 §3.3) instead of
  ///     HTTP/1.1. Over TLS, `ServerTLS.protocols` lists the protocols offered. The default is false.
  ///   - unixSocket: The path of a Unix-domain socket to listen on as well. The default is none.
  ///   - bodyLimit: The maximum size of a request's body, in bytes; a larger one is answered with 413. The default is
  ///     64 MiB.
  ///   - router: The routes that answer requests. The default is httpbin's routes.
  /// - Returns: A server that listens.
  /// - Throws: The system's error when it cannot listen on the address, or NIOSSL's when it cannot use the certificate.
  public static func start(
    host: String = "127.0.0.1", port: Int = 0, tls: ServerTLS? = nil,
    priorKnowledge: Bool = false, unixSocket: String? = nil, bodyLimit: Int = 64 << 20,
    router: ServerRouter = .httpbin()
  ) async throws -> LoopbackServer {
    let connections = ConnectionRegistry()
    let served = AwaitableValue(0)
    let protocolSelection = tls.map(\.protocolSelection) ?? (priorKnowledge ? .http2 : .http1)
    let service = HTTPService(
      router: router, bodyLimit: bodyLimit, isSecure: tls != nil,
      protocolSelection: protocolSelection, served: served)
    let context = try tls?.context()
    let setUp: Listener.SetUp = { channel, _ in try service.install(in: channel) }
    let main = try await Listener.bind(
      to: .address(host: host, port: port), connections: connections, tls: context, setUp: setUp)
    var listeners = [main]
    if let unixSocket {
      let address = Listener.BindAddress.unixSocket(path: unixSocket)
      listeners.append(
        try await .bind(to: address, connections: connections, tls: context, setUp: setUp))
    }
    let address = try ServerAddress(
      isSecure: tls != nil, host: host, port: main.port, unixSocket: unixSocket)
    return LoopbackServer(
      listeners: listeners, address: address, connections: connections, served: served)
  }

  /// The URL of a path on this server.
  ///
  /// - Parameters:
  ///   - path: Path and query, percent-encoded, such as `/get?q=a%20b`.
  ///   - host: The host to write into the URL. The default is the address that the server listens on.
  /// - Returns: An absolute URL.
  public func url(_ path: String, host: String? = nil) -> URL {
    address.url(path, host: host)
  }

  /// The URL of a path on this server's Unix-domain socket, or `nil` when it has none.
  public func socketURL(_ path: String) -> URL? {
    address.socketURL(path)
  }

  /// How many connections have been accepted so far.
  public var connectionCount: Int { connections.state.current.accepted }
  /// How many connections are open now.
  public var openConnectionCount: Int { connections.state.current.open.count }
  /// How many requests the routes have answered completely. A request rejected because of its size is not counted.
  public var requestCount: Int { served.current }

  /// Returns when exactly `count` connections are open.
  ///
  /// - Parameters:
  ///   - count: The number of connections.
  ///   - limit: The longest wait. The default is 30 s.
  /// - Throws: `MartletError` with code `.timedOut`, or `CancellationError`.
  public func waitForOpenConnections(_ count: Int, within limit: Duration = .seconds(30))
    async throws
  {
    try await connections.state.wait(within: limit) { state in
      "The server has \(state.open.count) open connections, not \(count), after \(limit.text)."
    } until: {
      $0.open.count == count
    }
  }

  /// Stops listening, closes all connections, and returns when they are gone.
  public func stop() async {
    for listener in listeners { await listener.stop() }
  }

  /// Returns when the server has been stopped.
  public func waitUntilStopped() async {
    for listener in listeners { await listener.closed() }
  }
}
