import MartletCore
public import NIOCore

/// The recorded requests, connections and bytes, and waiting for them.
extension ScriptedServer {
  /// The requests that have arrived completely, in the order of their completion.
  public var receivedRequests: [ReceivedRequest] { log.current.received }

  /// How many connections have been accepted so far.
  public var connectionCount: Int { log.current.connections.count }

  /// How many connections have been closed.
  public var closedConnectionCount: Int { log.current.closedCount }

  /// All bytes that have arrived on the connection with this number, counted from 0.
  public func bytes(onConnection number: Int = 0) -> ByteBuffer {
    let connections = log.current.connections
    return connections.indices.contains(number) ? connections[number].bytes : ByteBuffer()
  }

  /// Returns when at least `count` requests have arrived completely.
  ///
  /// - Parameters:
  ///   - count: The number of requests, on all connections together.
  ///   - limit: The longest wait. The default is 30 s.
  /// - Throws: `MartletError` with code `.timedOut`, or `CancellationError`.
  public func waitForRequests(_ count: Int, within limit: Duration = .seconds(30)) async throws {
    try await log.wait(within: limit) {
      "\($0.received.count) of \(count) requests arrived within \(limit.text)."
    } until: {
      $0.received.count >= count
    }
  }

  /// Returns when at least `count` connections have been accepted.
  ///
  /// - Parameters:
  ///   - count: The number of connections.
  ///   - limit: The longest wait. The default is 30 s.
  /// - Throws: `MartletError` with code `.timedOut`, or `CancellationError`.
  public func waitForConnections(_ count: Int, within limit: Duration = .seconds(30)) async throws {
    try await log.wait(within: limit) {
      "\($0.connections.count) of \(count) connections were made within \(limit.text)."
    } until: {
      $0.connections.count >= count
    }
  }

  /// Returns when at least `count` connections have been closed.
  ///
  /// - Parameters:
  ///   - count: The number of connections. The default is 1.
  ///   - limit: The longest wait. The default is 30 s.
  /// - Throws: `MartletError` with code `.timedOut`, or `CancellationError`.
  public func waitForConnectionsClosed(_ count: Int = 1, within limit: Duration = .seconds(30))
    async throws
  {
    try await log.wait(within: limit) {
      "\($0.closedCount) of \(count) connections were closed within \(limit.text)."
    } until: {
      $0.closedCount >= count
    }
  }

  /// Returns when at least `count` bytes have arrived on a connection.
  ///
  /// - Parameters:
  ///   - count: The number of bytes.
  ///   - number: The number of the connection. The default is 0, the first.
  ///   - limit: The longest wait. The default is 30 s.
  /// - Throws: `MartletError` with code `.timedOut`, or `CancellationError`.
  public func waitForBytes(
    _ count: Int, onConnection number: Int = 0, within limit: Duration = .seconds(30)
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

/// The connections, bytes and requests that a scripted server has received.
struct ScriptLog: Sendable {
  struct Connection: Sendable {
    var bytes = ByteBuffer()
    var reader: RequestReader
    var isSecure = false
    var isClosed = false
  }

  private(set) var connections: [Connection] = []
  private(set) var received: [ReceivedRequest] = []

  var closedCount: Int { connections.count { $0.isClosed } }

  /// Adds the record of the connection with this number, and of those before it, which may be opened later.
  mutating func open(_ number: Int) {
    while connections.count <= number {
      connections.append(Connection(reader: RequestReader(connection: connections.count)))
    }
  }

  mutating func receive(_ bytes: ByteBuffer, on number: Int) {
    connections[number].bytes.writeImmutableBuffer(bytes)
    let before = connections[number].reader.complete.count
    connections[number].reader.receive(bytes)
    received += connections[number].reader.complete[before...]
  }

  /// Records that the TLS handshake is complete.
  mutating func secure(_ number: Int) {
    connections[number].isSecure = true
  }

  mutating func close(_ number: Int) {
    connections[number].isClosed = true
  }
}
