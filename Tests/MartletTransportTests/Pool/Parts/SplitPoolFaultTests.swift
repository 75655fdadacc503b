import EssentialFoundation
import HTTPTypes
import MartletCore
import MartletTesting
import NIOCore
import NIOPosix
import Synchronization
import TestTiming
import Testing

@testable import MartletTransport

/// Faults of single parts of an origin's pool, which the others do not notice.
@Suite(.timeLimit(.minutes(5)))
struct SplitPoolFaultTests {
  @Test func `while one loop is blocked the others go on`() async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 4)
    let server = try await LoopbackServer.start()
    let engine = HTTPTransport(.loops(4, of: group))
    let request = Request(url: server.url("/get"))
    for loop in 0..<4 { _ = try await engine.send(request, on: loop) }
    let release = engine.block(0)
    for loop in 1..<4 {
      for _ in 0..<50 { try await engine.expectOK(request, on: loop) }
    }
    // Of those from elsewhere, few wait for the blocked loop.
    let answered = AwaitableValue(0)
    let tasks = (0..<40).map { _ in
      Task {
        try await engine.expectOK(request)
        answered.update { $0 += 1 }
      }
    }
    try await answered.wait(within: .seconds(30)) {
      "\($0) requests were answered."
    } until: {
      $0 >= 25
    }
    release()
    for task in tasks { try await task.value }
    await engine.close()
    try await group.shutdownGracefully()
    await server.stop()
  }

  @Test func `requests that wait in a blocked part are not lost, and the others go on`()
    async throws
  {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
    let isOpen = AwaitableValue(false)
    let server = try await LoopbackServer.start(router: Self.holding(until: isOpen))
    var configuration = HTTPTransportConfiguration.loops(2, of: group)
    configuration.connections.maximumPerOrigin = 2
    let engine = HTTPTransport(configuration)
    let request = Request(url: server.url("/get"))
    let pools = try engine.directory.pools(for: request.origin)
    let held = (0..<2).map { loop in
      Task { try await engine.send(Request(url: server.url("/hold")), on: loop) }
    }
    try await eventually {
      pools.parts.parts.allSatisfy { $0.places.load(ordering: .relaxed) == 1 }
    }
    let release = engine.block(1)
    let answered = Locked(0)
    let tasks = (0..<8).map { _ in
      Task {
        try await engine.expectOK(request)
        answered.withLock { $0 += 1 }
      }
    }
    try await eventually {
      pools.parts.load(of: 0).exchanges + pools.parts.load(of: 1).exchanges == 10
    }
    let waitingCount = pools.parts.load(of: 1).exchanges - 1
    #expect(waitingCount > 0)
    isOpen.update { $0 = true }
    try await eventually { answered.current == 8 - waitingCount }
    release()
    for task in tasks { try await task.value }
    for task in held { try await expectOK(task) }
    #expect(server.connectionCount == 2)
    await engine.close()
    try await group.shutdownGracefully()
    await server.stop()
  }

  @Test func `a cancelled request on its way to another part ends at once and leaves nothing`()
    async throws
  {
    try await moveWhileBlocked { call, task in
      call.cancel()
      return {
        let error = await #expect(throws: MartletError.self) { try await task.value }
        #expect(error?.code == .cancelled)
      }
    }
  }

  @Test func `a request that is suspended on its way to another part waits until it is resumed`()
    async throws
  {
    try await moveWhileBlocked { call, task in
      call.suspend()
      return {
        try await Task.sleep(for: .milliseconds(20))
        call.resume()
        try await self.expectOK(task)
      }
    }
  }

  @Test func `a request that is suspended and resumed on its way to another part is sent once`()
    async throws
  {
    try await moveWhileBlocked { call, task in
      call.suspend()
      call.resume()
      return { try await self.expectOK(task) }
    }
  }

  private func expectOK(_ task: Task<Response, any Error>) async throws {
    let response = try await task.value
    #expect(response.status == .ok)
  }

  /// The route `/get`, which responds at once, and `/hold`, which responds once `isOpen` is true.
  private static func holding(until isOpen: AwaitableValue<Bool>) -> ServerRouter {
    ServerRouter([.hold(until: isOpen), .get("/get") { _ in .text("ok") }])
  }

  @Test func `connections of one part that stall do not hold up the other parts`() async throws {
    let isOpen = AwaitableValue(false)
    let server = try await LoopbackServer.start(router: Self.holding(until: isOpen))
    var configuration = HTTPTransportConfiguration.loops(4)
    configuration.connections.maximumPerOrigin = 9
    let engine = HTTPTransport(configuration)
    let ended = Locked(0)
    let stalled = (0..<8).map { _ in
      Task {
        defer { ended.withLock { $0 += 1 } }
        return try await engine.send(Request(url: server.url("/hold")), on: 0)
      }
    }
    try await eventually { server.openConnectionCount == 8 }
    for loop in 0..<4 {
      for _ in 0..<20 { try await engine.expectOK(Request(url: server.url("/get")), on: loop) }
    }
    #expect(ended.current == 0)
    isOpen.update { $0 = true }
    for task in stalled { #expect(try await task.value.status == .ok) }
    await server.stop()
  }

  @Test func `stalled connections of one part time out`() async throws {
    let isOpen = AwaitableValue(false)
    let server = try await LoopbackServer.start(router: Self.holding(until: isOpen))
    let engine = HTTPTransport(.loops(4))
    var stalling = Request(url: server.url("/hold"))
    stalling.options.timeouts = Timeouts(connect: .seconds(30), firstByte: .milliseconds(300))
    for task in (0..<8).map({ _ in Task { [stalling] in try await engine.send(stalling, on: 0) } })
    {
      let error = await #expect(throws: MartletError.self) { try await task.value }
      #expect(error?.code == .timedOut)
      #expect(error?.phase == .wait)
    }
    isOpen.update { $0 = true }
    await server.stop()
  }

  /// Moves a request from part 0 to part 1 while the loop of part 1 is blocked, and acts on it meanwhile.
  ///
  /// - Parameter act: Acts on the call, and returns what is checked when the loop runs again.
  /// - Throws: What the server and the requests throw.
  private func moveWhileBlocked(
    _ act: (Call, Task<Response, any Error>) async throws -> () async throws -> Void
  ) async throws {
    let isOpen = AwaitableValue(false)
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
    let server = try await LoopbackServer.start(router: Self.holding(until: isOpen))
    var configuration = HTTPTransportConfiguration.loops(2, of: group)
    configuration.connections.maximumPerOrigin = 1
    let engine = HTTPTransport(configuration)
    let pools = try engine.directory.pools(for: Request(url: server.url("/get")).origin)
    // The only connection is in part 1, and carries a request. Another one waits in part 0.
    let hold = Task { try await engine.send(Request(url: server.url("/hold")), on: 1) }
    try await eventually { server.openConnectionCount == 1 }
    let call = Call()
    var request = Request(url: server.url("/get"))
    request.call = call
    let waiting = Exchange(request, origin: pools.origin, timeouts: .none, pools: pools, ownPart: 0)
    // At the limit it would be sent to part 1 at once.
    waiting.leavePart()
    waiting.pool = pools[0]
    waiting.part.store(0, ordering: .releasing)
    waiting.enterPart()
    let task = Task {
      try await withUnsafeThrowingContinuation { (caller: Exchange.Caller) in
        pools[0].loop.execute { waiting.begin(caller) }
      }
    }
    try await eventually { pools.parts.waitingParts(besides: 1) == 1 }
    let release = engine.block(1)
    pools[0].loop.execute { pools[0].give(1, to: pools[1]) }
    try await eventually { waiting.part.load(ordering: .acquiring) == 1 }
    let check = try await act(call, task)
    release()
    isOpen.update { $0 = true }
    try await check()
    #expect(try await hold.value.status == .ok)
    try await eventually {
      pools.parts.parts.allSatisfy { $0.exchanges.load(ordering: .relaxed) == 0 }
    }
    await engine.close()
    try await group.shutdownGracefully()
    await server.stop()
  }

  @Test func `while all attempts of other parts hang, a request fails when its time is over`()
    async throws
  {
    let hanging = try ReservedPort.hanging()
    var configuration = HTTPTransportConfiguration.loops(2)
    configuration.connections.maximumPerOrigin = 1
    configuration.timeouts.connect = .milliseconds(300)
    let engine = HTTPTransport(configuration)
    let request = try Request(.get, "http://127.0.0.1:\(hanging.port)/")
    let first = Task { try await engine.send(request, on: 0) }
    let second = Task { try await engine.send(request, on: 1) }
    for task in [first, second] {
      let error = await #expect(throws: MartletError.self) { try await task.value }
      #expect(error?.code == .timedOut)
      #expect(error?.phase == .connect)
    }
    engine.shutDown()
  }

  @Test func `when a server closes after each answer, all parts get their turn`() async throws {
    let server = try await LoopbackServer.start()
    var configuration = HTTPTransportConfiguration.loops(4)
    configuration.connections.maximumPerOrigin = 2
    let engine = HTTPTransport(configuration)
    var request = Request(url: server.url("/get"))
    request.headers[.connection] = "close"
    try await withThrowingTaskGroup(of: Void.self) { [request] group in
      for loop in 0..<4 {
        group.addTask {
          for _ in 0..<25 { try await engine.expectOK(request, on: loop) }
        }
      }
      try await group.waitForAll()
    }
    #expect(server.connectionCount == 100)
    try await server.waitForOpenConnections(0)
    await server.stop()
  }

  @Test func `two origins share the connections that are allowed in all, on every loop`()
    async throws
  {
    let servers = [try await LoopbackServer.start(), try await LoopbackServer.start()]
    var configuration = HTTPTransportConfiguration.loops(4)
    configuration.connections.maximumTotal = 2
    let connections = ConnectionGauge()
    configuration.connectionObserver = { _ in connections.apply }
    let engine = HTTPTransport(configuration)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for loop in 0..<4 {
        for server in servers {
          group.addTask {
            let request = Request(url: server.url("/get"))
            for _ in 0..<25 { try await engine.expectOK(request, on: loop) }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(connections.most == 2)
    for server in servers { await server.stop() }
  }
}
