import EssentialFoundation
import HTTPTypes
import MartletCore
import MartletTesting
import MartletTransport
import NIOCore
import TestTiming
import Testing

/// How the protocol of a connection is negotiated, and how many connections that takes (RFC 7301).
@Suite(.timeLimit(.minutes(5)))
struct AgreementTests {
  @Test func `twenty first requests at once share the one connection that speaks HTTP/2`()
    async throws
  {
    // A busy machine needs long for so many handshakes.
    let (server, engine) = try await Wire.h2.start { $0.timeouts.tls = .seconds(120) }
    try await send(20, to: server, over: engine)
    #expect(server.connectionCount == 1)
    await server.stop()
  }

  @Test func `twenty first requests at once get connections of their own where it is not spoken`()
    async throws
  {
    let (server, engine) = try await Wire.http1TLS.start { $0.timeouts.tls = .seconds(120) }
    try await send(20, to: server, over: engine)
    #expect((2...20).contains(server.connectionCount))
    await server.stop()
  }

  @Test func `requiring HTTP/2 is an error where it is not spoken`() async throws {
    let (server, engine) = try await Wire.http1TLS.start { $0.versions = .http2 }
    for _ in 0..<2 {
      let error = await #expect(throws: MartletError.self) {
        try await engine.send(Request(url: server.url("/get")))
      }
      #expect(
        error?.message
          == "\(try Request(url: server.url("/")).origin) does not speak HTTP/2: set `versions` to `.automatic` to allow HTTP/1.1."
      )
      #expect(error?.code == .protocolNotSupported)
      #expect(error?.phase == .tls)
    }
    try await server.waitForOpenConnections(0)
    await server.stop()
  }

  @Test func `requiring HTTP/1.1 works with a server that prefers HTTP/2`() async throws {
    let (server, engine) = try await Wire.h2.start { $0.versions = .http1 }
    let response = try await engine.send(Request(url: server.url("/get")))
    #expect(response.metrics.connection?.protocolName == "http/1.1")
    await server.stop()
  }

  @Test(.timeLimit(.minutes(1)), arguments: [Wire.http1, .h2c])
  func `an origin that always has more to ask leaves others their turn`(_ wire: Wire) async throws {
    let (greedy, engine) = try await wire.start { $0.connections.maximumTotal = 2 }
    let modest = try await LoopbackServer.start(priorKnowledge: wire == .h2c)
    let isOver = Locked(false)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<6 {
        group.addTask {
          while !isOver.current { _ = try await engine.send(Request(url: greedy.url("/get"))) }
        }
      }
      try await eventually { greedy.requestCount >= 20 }
      for _ in 0..<3 {
        #expect(try await engine.send(Request(url: modest.url("/get"))).status == .ok)
      }
      isOver.withLock { $0 = true }
      try await group.waitForAll()
    }
    // A server notices the end of a connection a little later.
    try await eventually { greedy.openConnectionCount + modest.openConnectionCount <= 2 }
    await greedy.stop()
    await modest.stop()
  }

  @Test(arguments: [Wire.http1, .h2c])
  func `the limit in all holds across origins, and idle connections make room`(_ wire: Wire)
    async throws
  {
    let (first, engine) = try await wire.start { $0.connections.maximumTotal = 2 }
    let servers = [
      first, try await LoopbackServer.start(priorKnowledge: wire == .h2c),
      try await LoopbackServer.start(priorKnowledge: wire == .h2c),
    ]
    for _ in 0..<3 {
      for server in servers {
        #expect(try await engine.send(Request(url: server.url("/get"))).status == .ok)
      }
    }
    // The last connection that made room may still be closing.
    try await eventually { servers.map(\.openConnectionCount).reduce(0, +) <= 2 }
    for server in servers { await server.stop() }
  }

  private func send(_ count: Int, to server: LoopbackServer, over engine: HTTPTransport)
    async throws
  {
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<count {
        group.addTask {
          try await engine.send(Request(url: server.url("/delay/0.05"))).status.code
        }
      }
      for try await code in group { #expect(code == 200) }
    }
  }
}
