import HTTPTypes
import MartletCore
import MartletTesting
import NIOCore
import TestTiming
import Testing

@testable import MartletTransport

/// How long a pool stays in memory.
@Suite(.timeLimit(.minutes(5)))
struct PoolLifetimeTests {
  @Test(.timeLimit(.minutes(1)), arguments: [Wire.http1, .h2c])
  func `a pool goes with its engine, however long idle connections are kept`(_ wire: Wire)
    async throws
  {
    weak var pool: ConnectionPool?
    let server: LoopbackServer
    do {
      let (started, engine) = try await wire.start {
        $0.connections.keepAliveDuration = .seconds(3600)
      }
      server = started
      let request = Request(url: server.url("/get"))
      #expect(try await engine.send(request).status == .ok)
      pool = try engine.directory.onlyPool(for: request.origin)
      #expect(pool != nil)
    }
    try await eventually { pool == nil }
    await server.stop()
  }

  @Test(.timeLimit(.minutes(1)))
  func `a pool whose last connection is gone goes, too`() async throws {
    var configuration = HTTPTransportConfiguration.oneLoop
    configuration.connections.keepAliveDuration = .seconds(3600)
    let engine = HTTPTransport(configuration)
    let server = try await ScriptedServer.start(.keepAlive([.text("ok"), .text("over")]))
    let request = Request(url: server.url())
    weak var pool: ConnectionPool?
    #expect(try await engine.send(request).status == .ok)
    pool = try engine.directory.onlyPool(for: request.origin)
    // It was idle, and is closed after the second answer.
    #expect(try await engine.send(request).status == .ok)
    try await eventually { pool == nil }
    await server.stop()
  }
}
