import NIOCore

/// All that has arrived at a scripted server.
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

  /// Makes room for the connection with this number, and for those before it, which may be late.
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

  /// TLS has been agreed on.
  mutating func secure(_ number: Int) {
    connections[number].isSecure = true
  }

  mutating func close(_ number: Int) {
    connections[number].isClosed = true
  }
}
