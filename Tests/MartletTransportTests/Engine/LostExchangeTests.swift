import Foundation
import HTTPTypes
import MartletCore
import MartletTesting
import NIOCore
import Testing

@testable import MartletTransport

/// How an exchange ends that the engine has lost. Only these tests can bring about that fault.
@Suite(.timeLimit(.minutes(5)))
struct LostExchangeTests {
  /// Sends a request whose answer the server holds back, and does something to its pool meanwhile.
  private func outcome(
    _ wire: Wire, of path: String = "/delay/30", perOrigin: Int = 64,
    after lose: @escaping @Sendable (ConnectionPool) -> Void
  ) async throws -> MartletError? {
    let (server, engine) = try await wire.start { $0.connections.maximumPerOrigin = perOrigin }
    let sending = AwaitableValue(false)
    let call = Call()
    call.observe { event in
      switch event.kind {
      case .sending where perOrigin > 1, .queued: sending.update { $0 = true }
      default: break
      }
    }
    let first = perOrigin == 1 ? engine.begin(Request(url: server.url("/delay/30"))) : nil
    if first != nil { try await server.waitForOpenConnections(1) }
    var request = Request(url: server.url(path))
    request.call = call
    let task = engine.begin(request)
    try await sending.wait { $0 }
    let pool = try engine.directory.onlyPool(for: request.origin)
    try await pool.loop.submit { lose(pool) }.get()
    let error = await #expect(throws: MartletError.self) { try await task.value }
    first?.cancel()
    engine.shutDown()
    await server.stop()
    return error
  }

  private func expectLost(_ error: MartletError?) {
    #expect(error?.code == .requestLost)
    #expect(error?.isSafeToRetry == false)
    #expect(error?.message.hasPrefix("The engine has lost the request to http") == true)
    #expect(error?.message.hasSuffix(", which is a fault of Martlet: report it.") == true)
  }

  @Test(.timeLimit(.minutes(1)), arguments: [Wire.http1, .h2c])
  func `an exchange that its connection has forgotten fails`(_ wire: Wire) async throws {
    expectLost(
      try await outcome(wire) { pool in
        for connection in pool.connections.values {
          (connection as? HTTP1Connection)?.exchange = nil
          (connection as? HTTP2Connection)?.streams = [:]
        }
      })
  }

  @Test(.timeLimit(.minutes(1)))
  func `an exchange that its pool has forgotten fails`() async throws {
    expectLost(try await outcome(.http1, perOrigin: 1) { $0.waiting = [:] })
  }

  @Test(.timeLimit(.minutes(1)))
  func `an exchange for a connection that is not there fails`() async throws {
    let (server, engine) = try await Wire.http1.start()
    let request = Request(url: server.url("/get"))
    _ = try await engine.send(request)
    let pool = try engine.directory.onlyPool(for: request.origin)
    let connections = try await pool.loop.submit { () -> [any PooledConnection] in
      defer { pool.connections = NumberedTable() }
      return Array(pool.connections.values)
    }.get()
    expectLost(await #expect(throws: MartletError.self) { try await engine.send(request) })
    try await pool.loop.submit { connections.forEach { $0.close() } }.get()
    await server.stop()
  }

  @Test(.timeLimit(.minutes(1)))
  func `an answer that is complete without a head fails`() async throws {
    let hasHead = AwaitableValue(false)
    let server = try await ScriptedServer.start(
      Script([
        .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\na"), .readBytes(1 << 20),
      ]))
    let engine = HTTPTransport(.oneLoop)
    var request = Request(url: server.url())
    request.delivery = Delivery { _ in
      hasHead.update { $0 = true }
      return .buffer(limit: 10)
    }
    let task = engine.begin(request)
    try await hasHead.wait { $0 }
    let pool = try engine.directory.onlyPool(for: request.origin)
    try await pool.loop.submit {
      let connection = pool.connections.values.first as? HTTP1Connection
      connection?.exchange?.receiving.head = nil
      connection?.receive(ByteBuffer(string: "b"))
    }.get()
    expectLost(await #expect(throws: MartletError.self) { try await task.value })
    engine.shutDown()
    await server.stop()
  }

  @Test(.timeLimit(.minutes(1)))
  func `an exchange that goes away answers its caller`() async throws {
    let hanging = try ReservedPort.hanging()
    let engine = HTTPTransport(.oneLoop)
    let request = try Request(.get, "http://127.0.0.1:\(hanging.port)/")
    let pools = try engine.directory.pools(for: request.origin)
    let pool = pools[0]
    let error = await #expect(throws: MartletError.self) {
      try await withUnsafeThrowingContinuation { (caller: Exchange.Caller) in
        pool.loop.execute {
          let exchange = Exchange(
            request, origin: pools.origin, timeouts: Timeouts(), pools: pools)
          exchange.begin(caller)
          pool.waiting = [:]
          pool.ticker.remove(exchange)
        }
      }
    }
    expectLost(error)
    engine.shutDown()
  }
}
