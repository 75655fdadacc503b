public import Foundation
import MartletCore
public import NIOCore

/// A server that sends exactly the bytes it was told to, and writes down every byte it gets.
///
///     let server = try await ScriptedServer.start(.redirect(to: "/done"), .text("ok"))
///     let response = try await client.send(Request(url: server.url("/start")))
///     #expect(server.received.map(\.line) == ["GET /start HTTP/1.1", "GET /done HTTP/1.1"])
///
/// Each connection takes the next script. One that comes when there are none left is closed at once.
public final class ScriptedServer: Sendable {
  /// The TCP port it listens on.
  public let port: Int

  private let listener: Listener
  private let address: ServerAddress
  private let scripts: Locked<[Script]>
  private let log: Observed<ScriptLog>

  private init(
    listener: Listener, address: ServerAddress, scripts: Locked<[Script]>,
    log: Observed<ScriptLog>
  ) {
    self.listener = listener
    self.address = address
    self.scripts = scripts
    self.log = log
    port = address.port
  }

  /// Starts a server on `127.0.0.1`.
  ///
  /// - Parameters:
  ///   - scripts: What to do with the first connection, the second, and so on.
  ///   - repeatsLast: Whether the last script serves all further connections, too. The default is
  ///     false.
  ///   - tls: Certificate and key for https; scripts and records are then about what is inside. The
  ///     default is plain http.
  /// - Returns: A server that listens.
  /// - Throws: What the system says when it cannot listen, or NIOSSL of the certificate.
  public static func start(
    _ scripts: Script..., repeatsLast: Bool = false, tls: ServerTLS? = nil
  ) async throws -> ScriptedServer {
    let queue = Locked(scripts)
    let log = Observed(ScriptLog())
    let listener = try await Listener.bind(
      to: .address(host: "127.0.0.1", port: 0), connections: ConnectionRegistry(),
      tls: try tls?.context()
    ) { channel, number in
      log.update { $0.open(number) }
      channel.closeFuture.whenComplete { _ in log.update { $0.close(number) } }
      let script = queue.withLock { scripts in
        scripts.indices.contains(number) ? scripts[number] : repeatsLast ? scripts.last : nil
      }
      let connection = ScriptedConnection(number: number, script: script ?? Script([]), log: log)
      try channel.pipeline.syncOperations.addHandler(connection)
    }
    let address = try ServerAddress(
      isSecure: tls != nil, host: "127.0.0.1", port: listener.port)
    return ScriptedServer(listener: listener, address: address, scripts: queue, log: log)
  }

  /// Adds scripts for further connections.
  public func enqueue(_ scripts: Script...) {
    self.scripts.withLock { $0 += scripts }
  }

  /// The URL of a path on this server.
  ///
  /// - Parameters:
  ///   - path: Path and query, percent-encoded. The default is `/`.
  ///   - host: The host to write into the URL. The default is `127.0.0.1`.
  /// - Returns: An absolute URL.
  public func url(_ path: String = "/", host: String? = nil) -> URL {
    address.url(path, host: host)
  }

  /// Stops listening, closes all connections, and returns when they are gone.
  public func stop() async {
    await listener.stop()
  }
}

extension ScriptedServer {
  /// The requests that have arrived completely, in that order.
  public var received: [ReceivedRequest] { log.current.received }

  /// How many connections have been accepted so far.
  public var connectionCount: Int { log.current.connections.count }

  /// How many of them have ended.
  public var closedConnectionCount: Int { log.current.closedCount }

  /// All bytes that have arrived on the connection with this number, counted from 0.
  public func bytes(onConnection number: Int = 0) -> ByteBuffer {
    let connections = log.current.connections
    return connections.indices.contains(number) ? connections[number].bytes : ByteBuffer()
  }

  /// Returns when so many requests have arrived completely.
  ///
  /// - Parameters:
  ///   - count: How many, on all connections together.
  ///   - limit: The longest wait. The default is 10 s.
  /// - Throws: `MartletError` with code `.timedOut`, or `CancellationError`.
  public func waitForRequests(_ count: Int, within limit: Duration = .seconds(10)) async throws {
    try await log.wait(within: limit) {
      "\($0.received.count) of \(count) requests arrived within \(limit.text)."
    } until: {
      $0.received.count >= count
    }
  }

  /// Returns when so many connections have been accepted.
  ///
  /// - Parameters:
  ///   - count: How many.
  ///   - limit: The longest wait. The default is 10 s.
  /// - Throws: `MartletError` with code `.timedOut`, or `CancellationError`.
  public func waitForConnections(_ count: Int, within limit: Duration = .seconds(10)) async throws {
    try await log.wait(within: limit) {
      "\($0.connections.count) of \(count) connections were made within \(limit.text)."
    } until: {
      $0.connections.count >= count
    }
  }

  /// Returns when so many connections have ended.
  ///
  /// - Parameters:
  ///   - count: How many. The default is 1.
  ///   - limit: The longest wait. The default is 10 s.
  /// - Throws: `MartletError` with code `.timedOut`, or `CancellationError`.
  public func waitForConnectionsClosed(_ count: Int = 1, within limit: Duration = .seconds(10))
    async throws
  {
    try await log.wait(within: limit) {
      "\($0.closedCount) of \(count) connections were closed within \(limit.text)."
    } until: {
      $0.closedCount >= count
    }
  }

  /// Returns when so many bytes have arrived on a connection.
  ///
  /// - Parameters:
  ///   - count: How many.
  ///   - number: The number of the connection. The default is 0, the first.
  ///   - limit: The longest wait. The default is 10 s.
  /// - Throws: `MartletError` with code `.timedOut`, or `CancellationError`.
  public func waitForBytes(
    _ count: Int, onConnection number: Int = 0, within limit: Duration = .seconds(10)
  ) async throws {
    try await log.wait(within: limit) { log in
      "\(log.byteCount(number)) of \(count) bytes arrived within \(limit.text)."
    } until: {
      $0.byteCount(number) >= count
    }
  }
}

extension ScriptLog {
  fileprivate func byteCount(_ number: Int) -> Int {
    connections.indices.contains(number) ? connections[number].bytes.readableBytes : 0
  }
}
