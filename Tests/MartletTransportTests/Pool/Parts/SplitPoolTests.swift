import EssentialFoundation
import HTTPTypes
import MartletCore
import MartletTesting
import NIOCore
import TestTiming
import Testing

@testable import MartletTransport

/// The connections of one origin on several event loops.
@Suite(.timeLimit(.minutes(5)))
struct SplitPoolTests {
  @Test func `connections of HTTP/1.1 are spread over the loops, within the limit`() async throws {
    let server = try await LoopbackServer.start()
    var configuration = HTTPTransportConfiguration.loops(4)
    configuration.connections.maximumPerOrigin = 8
    let engine = HTTPTransport(configuration)
    let request = Request(url: server.url("/delay/0.02"))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<64 {
        group.addTask {
          let response = try await engine.send(request)
          #expect(response.status == .ok)
        }
      }
      try await group.waitForAll()
    }
    let counts = try await engine.connectionCounts(request)
    #expect(counts.filter { $0 > 0 }.count > 1)
    #expect(server.connectionCount <= 8)
    await server.stop()
  }

  @Test func `one request after another uses one connection, however many loops there are`()
    async throws
  {
    let server = try await LoopbackServer.start()
    let engine = HTTPTransport(.loops(4))
    for _ in 0..<50 { _ = try await engine.send(Request(url: server.url("/get"))) }
    #expect(server.connectionCount == 1)
    await server.stop()
  }

  @Test func `code on a loop is served by connections of that loop`() async throws {
    let server = try await LoopbackServer.start()
    let engine = HTTPTransport(.loops(4))
    let request = Request(url: server.url("/get"))
    for loop in [2, 0, 3, 2] { _ = try await engine.send(request, on: loop) }
    // An idle connection of another loop may serve a request before its own connection is there.
    try await eventually {
      try await engine.connectionCounts(request) == [1, 0, 1, 1] && server.connectionCount == 3
    }
    var used: [Int: Set<String>] = [:]
    for loop in [2, 0, 3, 3, 0, 2] {
      let connection = try #require(await engine.send(request, on: loop).metrics.connection)
      used[loop, default: []].insert("\(connection.id)")
    }
    #expect(used.values.allSatisfy { $0.count == 1 })
    #expect(Set(used.values.joined()).count == 3)
    #expect(server.connectionCount == 3)
    await server.stop()
  }

  @Test func `code that asks for a loop stays on it, and other code gets another one`() async throws
  {
    let engine = HTTPTransport(.loops(4))
    let first = await engine.runOnEventLoop { engine.directory.ownLoop }
    let (outer, inner) = await engine.runOnEventLoop {
      let outer = engine.directory.ownLoop
      return (outer, await engine.runOnEventLoop { engine.directory.ownLoop })
    }
    #expect(first != nil && outer != nil)
    #expect(outer != first)
    #expect(inner == outer)
    #expect(engine.directory.ownLoop == nil)
  }

  @Test func `requests of all loops share the only connection that is allowed`() async throws {
    let server = try await LoopbackServer.start()
    var configuration = HTTPTransportConfiguration.loops(4)
    configuration.connections.maximumPerOrigin = 1
    let engine = HTTPTransport(configuration)
    let request = Request(url: server.url("/get"))
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for loop in 0..<4 {
        group.addTask {
          for _ in 0..<100 { try await engine.expectOK(request, on: loop) }
          return 100
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(counts == 400)
    #expect(server.connectionCount == 1)
    await server.stop()
  }

  @Test func `a request of higher priority goes first, whichever loop it comes from`() async throws
  {
    let order = Locked<[String]>([])
    let isOpen = AwaitableValue(false)
    let router = ServerRouter([
      .hold(until: isOpen),
      .get("/low") { _ in
        order.withLock { $0.append("low") }
        return .text("low")
      },
      .get("/high") { _ in
        order.withLock { $0.append("high") }
        return .text("high")
      },
    ])
    let server = try await LoopbackServer.start(router: router)
    var configuration = HTTPTransportConfiguration.loops(4)
    configuration.connections.maximumPerOrigin = 1
    let engine = HTTPTransport(configuration)
    let hold = Task { try await engine.send(Request(url: server.url("/hold")), on: 0) }
    try await eventually { server.openConnectionCount == 1 }
    let low = begin(server.url("/low"), .low, times: 4, loop: 0, engine)
    try await waitForWaiting(4, engine)
    let high = begin(server.url("/high"), .high, times: 4, loop: 2, engine)
    try await waitForWaiting(8, engine)
    isOpen.update { $0 = true }
    for task in [hold] + low + high { _ = try await task.value }
    #expect(order.current == Array(repeating: "high", count: 4) + Array(repeating: "low", count: 4))
    await server.stop()
  }

  @Test(arguments: [1, 2, 4], [false, true])
  func `a request that waits for a connection of others is reported as queued, once`(
    loops: Int, isTotalLimited: Bool
  ) async throws {
    let isOpen = AwaitableValue(false)
    let server = try await LoopbackServer.start(router: ServerRouter([.hold(until: isOpen)]))
    var configuration = HTTPTransportConfiguration.loops(loops)
    configuration.connections.maximumPerOrigin = isTotalLimited ? 64 : 2
    configuration.connections.maximumTotal = isTotalLimited ? 2 : 64
    let engine = HTTPTransport(configuration)
    let queued = Locked<[Int: Int]>([:])
    var tasks: [Task<Response, any Error>] = []
    for number in 1...8 {
      var request = Request(url: server.url("/hold"))
      request.call = Call()
      request.call?.observe { event in
        if case .queued = event.kind { queued.withLock { $0[number, default: 0] += 1 } }
      }
      tasks.append(engine.begin(request))
      try await eventually { server.openConnectionCount == min(number, 2) }
    }
    try await waitForWaiting(6, engine)
    isOpen.update { $0 = true }
    for task in tasks { #expect(try await task.value.status == .ok) }
    // One of the first two may have waited, too, for a loop that was busy.
    #expect(Set(queued.current.keys).isSuperset(of: 3...8))
    #expect(queued.current.values.allSatisfy { $0 == 1 })
    await server.stop()
  }

  private func begin(
    _ url: URL, _ priority: Request.Priority, times: Int, loop: Int, _ engine: HTTPTransport
  ) -> [Task<Response, any Error>] {
    (0..<times).map { _ in
      var request = Request(url: url)
      request.call = Call(priority: priority)
      return Task { [request] in try await engine.send(request, on: loop) }
    }
  }

  private func waitForWaiting(_ count: Int, _ engine: HTTPTransport) async throws {
    while await engine.snapshot().servers.reduce(0, { $0 + $1.waitingCount }) != count {
      try await Task.sleep(for: .milliseconds(1))
    }
  }

  @Test func `a batch spreads over the loops, and its outcomes are in order`() async throws {
    let server = try await LoopbackServer.start()
    let engine = HTTPTransport(.loops(4))
    // Long enough for each loop's thread to get a processor.
    let requests = (0..<400).map { _ in Request(url: server.url("/delay/0.05")) }
    var index = 0
    for await outcome in engine.send(requests, maximumConcurrent: 32).inOrder {
      #expect(outcome.index == index)
      #expect(try outcome.response.status == .ok)
      index += 1
    }
    #expect(index == 400)
    let counts = try await engine.connectionCounts(requests[0])
    #expect(counts.allSatisfy { $0 > 0 })
    await server.stop()
  }

  @Test func `a small batch stays on one loop`() async throws {
    let server = try await LoopbackServer.start()
    let engine = HTTPTransport(.loops(4))
    let requests = (0..<40).map { _ in Request(url: server.url("/get")) }
    for await outcome in engine.send(requests, maximumConcurrent: 8) {
      #expect(try outcome.response.status == .ok)
    }
    let counts = try await engine.connectionCounts(requests[0])
    #expect(counts.filter { $0 > 0 }.count == 1)
    await server.stop()
  }

  // MARK: What reaches every part

  @Test func `a snapshot has the connections of all parts as those of one server`() async throws {
    let server = try await LoopbackServer.start()
    let engine = HTTPTransport(.loops(4))
    let request = Request(url: server.url("/get"))
    for loop in 0..<4 { _ = try await engine.send(request, on: loop) }
    try await eventually { try await engine.connectionCounts(request) == [1, 1, 1, 1] }
    let snapshot = await engine.snapshot()
    #expect(snapshot.servers.count == 1)
    let ages = try #require(snapshot.servers.first).connections.map(\.age)
    #expect(ages.count == 4)
    #expect(ages == ages.sorted(by: >))
    await server.stop()
  }

  @Test func `the observer of connections counts those of all parts`() async throws {
    let server = try await LoopbackServer.start()
    let counts = Locked((active: 0, idle: 0))
    var configuration = HTTPTransportConfiguration.loops(4)
    configuration.connectionObserver = { _ in
      { change in
        counts.withLock { $0 = ($0.active + change.active, $0.idle + change.idle) }
      }
    }
    let engine = HTTPTransport(configuration)
    for loop in 0..<4 { _ = try await engine.send(Request(url: server.url("/get")), on: loop) }
    try await eventually { counts.current == (0, 4) }
    engine.shutDown()
    try await eventually { counts.current == (0, 0) }
    await server.stop()
  }

  @Test func `a shutdown ends the requests of all parts`() async throws {
    let server = try await LoopbackServer.start()
    let engine = HTTPTransport(.loops(4))
    let tasks = (0..<4).map { loop in
      Task { try await engine.send(Request(url: server.url("/delay/60")), on: loop) }
    }
    try await eventually { server.openConnectionCount == 4 }
    engine.shutDown()
    for task in tasks {
      let error = await #expect(throws: MartletError.self) { try await task.value }
      #expect(error?.code == .shutDown)
    }
    try await server.waitForOpenConnections(0)
    await server.stop()
  }

  @Test func `after a change of trust no part uses its old connections`() async throws {
    let authority = try TemporaryAuthority()
    let server = try await LoopbackServer.start(tls: ServerTLS(try authority.leaf()))
    var configuration = HTTPTransportConfiguration.loops(4)
    configuration.tls.roots = .certificates([authority.root])
    configuration.versions = .http1
    let engine = HTTPTransport(configuration)
    let request = Request(url: server.url("/get"))
    for loop in 0..<4 { _ = try await engine.send(request, on: loop) }
    // An idle connection of another part may serve a request before its own connection is there.
    try await eventually { server.connectionCount == 4 }
    engine.setTrustEvaluator(nil)
    for loop in 0..<4 { _ = try await engine.send(request, on: loop) }
    try await eventually { server.connectionCount == 8 }
    try await server.waitForOpenConnections(4)
    await server.stop()
  }
}
