public import EssentialFoundation
import MartletCore
import NIOCore

/// A server that sends exactly the bytes of its scripts and records every byte that it receives.
///
///     let server = try await ScriptedServer.start(.redirect(to: "/done"), .text("ok"))
///     let response = try await client.send(Request(url: server.url("/start")))
///     #expect(server.receivedRequests.map(\.line) == ["GET /start HTTP/1.1", "GET /done HTTP/1.1"])
///
/// The first connection plays the first script, the second connection the second script, and so on. A connection for
/// which there is no script is closed at once, and does not count.
public final class ScriptedServer: Sendable {
  /// The TCP port it listens on.
  public let port: Int

  private let listener: Listener
  private let address: ServerAddress
  private let scripts: Locked<ScriptQueue>
  let log: AwaitableValue<ScriptLog>

  private init(
    listener: Listener, address: ServerAddress, scripts: Locked<ScriptQueue>,
    log: AwaitableValue<ScriptLog>
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
  ///   - scripts: The scripts for the first connection, the second, and so on.
  ///   - repeatsLast: Whether the last script serves all further connections, too. The default is
  ///     false.
  ///   - tls: Certificate and key for https; scripts and records then apply to the decrypted bytes. The default is
  ///     plain http.
  /// - Returns: A server that listens.
  /// - Throws: The system's error when it cannot listen, or NIOSSL's when it cannot use the certificate.
  public static func start(
    _ scripts: Script..., repeatsLast: Bool = false, tls: ServerTLS? = nil
  ) async throws -> ScriptedServer {
    let queue = Locked(ScriptQueue(scripts: scripts, repeatsLast: repeatsLast))
    let log = AwaitableValue(ScriptLog())
    let listener = try await Listener.bind(
      to: .address(host: "127.0.0.1", port: 0), connections: ConnectionRegistry(),
      tls: try tls?.context()
    ) { channel, number in
      log.update { $0.open(number) }
      channel.closeFuture.whenComplete { _ in log.update { $0.close(number) } }
      let script = queue.withLock { $0.script(for: number) }
      let connection = ScriptedConnection(number: number, script: script ?? Script([]), log: log)
      try channel.pipeline.syncOperations.addHandler(connection)
    }
    let address = try ServerAddress(
      isSecure: tls != nil, host: "127.0.0.1", port: listener.port)
    return ScriptedServer(listener: listener, address: address, scripts: queue, log: log)
  }

  /// Adds scripts for the connections that follow.
  public func enqueue(_ scripts: Script...) {
    self.scripts.withLock { $0.scripts += scripts }
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

/// The scripts of a server, in the order of the connections that play them.
private struct ScriptQueue: Sendable {
  var scripts: [Script]
  let repeatsLast: Bool
  /// The numbers of the connections that came when all scripts were taken. They do not count.
  private var surplus: [Int] = []

  init(scripts: [Script], repeatsLast: Bool) {
    self.scripts = scripts
    self.repeatsLast = repeatsLast
  }

  /// The script for the connection with this number.
  mutating func script(for number: Int) -> Script? {
    let index = number - surplus.count { $0 < number }
    if scripts.indices.contains(index) { return scripts[index] }
    surplus.append(number)
    return repeatsLast ? scripts.last : nil
  }
}
