import HTTPTypes
import MartletCore
import MartletTesting
import MartletTransport
import TestTiming
import Testing

/// Cancelling never costs a connection or a slot, and leaves no request waiting.
@Suite(.timeLimit(.minutes(20)))
struct CancellationTests {
  @Test(arguments: [1, 4])
  func `10 000 requests of which many are cancelled leave nothing behind`(_ loops: Int)
    async throws
  {
    let server = try await LoopbackServer.start()
    var configuration = HTTPTransportConfiguration.loops(loops)
    configuration.connections.maximumPerOrigin = 8
    let engine = HTTPTransport(configuration)
    let paths = ["/get", "/bytes/70000", "/stream-bytes/30000", "/status/500", "/redirect/1"]
    var generator = SystemRandomNumberGenerator()

    var completed = 0
    var cancelled = 0
    for _ in 0..<100 {
      let batch = (0..<100).map { number in
        let request = Request(url: server.url(paths[number % paths.count]))
        let isDoomed = Bool.random(using: &generator)
        let turns = Int.random(in: 0..<40, using: &generator)
        return (Task { try await engine.send(request) }, isDoomed: isDoomed, turns: turns)
      }
      for (task, isDoomed, turns) in batch where isDoomed {
        for _ in 0..<turns { await Task.yield() }
        task.cancel()
      }
      for (task, _, _) in batch {
        switch await task.result {
        case .success: completed += 1
        case .failure(let error):
          #expect((error as? MartletError)?.code == .cancelled)
          cancelled += 1
        }
      }
    }
    #expect(completed + cancelled == 10_000)
    #expect(completed > 4_000)

    // All eight slots are still there: eight requests run at once, each on a connection of its own.
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask { _ = try await engine.send(Request(url: server.url("/delay/0.05"))) }
      }
      try await group.waitForAll()
    }
    // The server notices later than the engine that one was closed.
    try await eventually { server.openConnectionCount <= 8 }
    engine.shutDown()
    try await server.waitForOpenConnections(0)
    await server.stop()
  }

  @Test func `a task that is cancelled before it begins sends nothing`() async throws {
    let server = try await LoopbackServer.start()
    let engine = HTTPTransport()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await engine.send(Request(url: server.url("/get")))
    }
    await #expect {
      try await task.value
    } throws: { ($0 as? MartletError)?.message == "The request was cancelled." }
    #expect(server.requestCount == 0)
    await server.stop()
  }

  @Test func `cancelling a reader closes the connection`() async throws {
    let server = try await LoopbackServer.start()
    let engine = HTTPTransport()
    let task = Task {
      var request = Request(url: server.url("/drip?numbytes=6000&duration=60"))
      request.delivery = .stream
      let response = try await engine.send(request)
      for try await _ in response.body { withUnsafeCurrentTask { $0?.cancel() } }
    }
    await #expect {
      try await task.value
    } throws: { ($0 as? MartletError)?.code == .cancelled }
    try await server.waitForOpenConnections(0)
    await server.stop()
  }

  @Test func `requests to a transport that has been shut down fail`() async throws {
    let server = try await LoopbackServer.start()
    let engine = HTTPTransport()
    let pending = Task { try await engine.send(Request(url: server.url("/delay/10"))) }
    try await server.waitForOpenConnections(1)
    engine.shutDown()
    await #expect {
      try await pending.value
    } throws: {
      ($0 as? MartletError)?.message == "The transport has been shut down: make a new one."
    }
    await #expect {
      try await engine.send(Request(url: server.url("/get")))
    } throws: { ($0 as? MartletError)?.code == .shutDown }
    await server.stop()
  }
}
