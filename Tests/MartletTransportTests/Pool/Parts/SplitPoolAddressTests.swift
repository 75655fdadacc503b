import EssentialFoundation
import MartletCore
import MartletTesting
import NIOCore
import TestTiming
import Testing

@testable import MartletTransport

/// Parts of an origin's pool that look up different addresses, or reach a server that refuses further connections.
@Suite(.timeLimit(.minutes(5)))
struct SplitPoolAddressTests {
  private let url = URL(string: "http://api.example/get")

  /// An engine on two event loops whose look-ups return these ports of this machine, one for each look-up, and the last
  /// one for all others.
  private func engine(_ ports: Int..., set: (inout HTTPTransportConfiguration) -> Void = { _ in })
    -> HTTPTransport
  {
    let rest = Locked(ports)
    var configuration = HTTPTransportConfiguration.loops(2)
    configuration.proxies = .none
    configuration.resolver.lookUp = { _, _ in
      let port = rest.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
      return [try SocketAddress(ipAddress: "127.0.0.1", port: port)]
    }
    set(&configuration)
    return HTTPTransport(configuration)
  }

  @Test func `parts that look up different addresses serve together, and outlive the old address`()
    async throws
  {
    let servers = [try await LoopbackServer.start(), try await LoopbackServer.start()]
    let engine = engine(servers[0].port, servers[1].port)
    let request = Request(url: try #require(url))
    for loop in [0, 1, 0, 1] { try await engine.expectOK(request, on: loop) }
    // The idle connection of the other part may serve a request before its own connection is there.
    try await eventually { servers.map(\.connectionCount) == [1, 1] }
    await servers[0].stop()
    for loop in [0, 1, 0, 1] { try await engine.expectOK(request, on: loop) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 { group.addTask { try await engine.expectOK(request) } }
      try await group.waitForAll()
    }
    await engine.close()
    await servers[1].stop()
  }

  @Test func `a request whose part cannot connect uses the free connection of another part`()
    async throws
  {
    try await expectFreeConnection(besides: try ReservedPort.refusing())
  }

  @Test func `a request whose part does not finish connecting uses the free connection of another`()
    async throws
  {
    try await expectFreeConnection(besides: try ReservedPort.hanging())
  }

  /// Expects that requests of loop 0, whose look-ups return a port where no connection is made, use that of loop 1.
  private func expectFreeConnection(besides port: ReservedPort) async throws {
    let server = try await LoopbackServer.start()
    let engine = engine(server.port, port.port) { $0.timeouts.connect = .seconds(60) }
    let request = Request(url: try #require(url))
    try await engine.expectOK(request, on: 1)
    for _ in 0..<10 { try await engine.expectOK(request, on: 0) }
    #expect(server.connectionCount == 1)
    await engine.close()
    await server.stop()
  }

  @Test func `while another part is busy too, a request whose part cannot connect fails`()
    async throws
  {
    let server = try await ScriptedServer.start(.silent)
    let refusing = try ReservedPort.refusing()
    let engine = engine(server.port, refusing.port)
    let request = Request(url: try #require(url))
    let busy = Task { try await engine.send(request, on: 1) }
    try await server.waitForRequests(1)
    for loop in [0, 1, nil] {
      let error = await #expect(throws: MartletError.self) {
        _ =
          if let loop { try await engine.send(request, on: loop) } else {
            try await engine.send(request)
          }
      }
      #expect(error?.code == .connectionFailed)
      #expect(
        error?.message
          == "Could not connect to http://api.example (tried 127.0.0.1:\(refusing.port)): nothing listens there."
      )
    }
    busy.cancel()
    _ = await busy.result
    await server.stop()
  }

  @Test(arguments: [1, 4])
  func
    `a server that closes all connections but one gives the same errors with any number of loops`(
      loops: Int
    ) async throws
  {
    let server = try await ScriptedServer.start(.silent)
    let engine = HTTPTransport(.loops(loops))
    let request = Request(url: server.url("/get"))
    let first = Task { try await engine.send(request) }
    try await server.waitForRequests(1)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          let error = await #expect(throws: MartletError.self) { try await engine.send(request) }
          #expect(error?.code == .connectionLost)
          #expect(
            error?.message
              == "http://127.0.0.1:\(server.port) closed the connection before it had answered: try again."
          )
        }
      }
      try await group.waitForAll()
    }
    server.enqueue(.text("ok"))
    try await engine.expectOK(request)
    first.cancel()
    _ = await first.result
    try await server.waitForConnectionsClosed(server.connectionCount)
    await server.stop()
  }

  @Test func `one allowed connection serves the callers of all loops`() async throws {
    let server = try await LoopbackServer.start()
    var configuration = HTTPTransportConfiguration.loops(4)
    configuration.connections.maximumPerOrigin = 1
    let engine = HTTPTransport(configuration)
    let request = Request(url: server.url("/get"))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<100 { group.addTask { try await engine.expectOK(request, on: number % 4) } }
      try await group.waitForAll()
    }
    #expect(server.connectionCount == 1)
    await engine.close()
    await server.stop()
  }
}
