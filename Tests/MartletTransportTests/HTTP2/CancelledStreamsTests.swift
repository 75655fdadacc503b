import HTTPTypes
import MartletCore
import MartletTesting
import MartletTransport
import Testing

/// Cancelling never costs a stream's place, and leaves no request waiting.
@Suite(.timeLimit(.minutes(5)))
struct CancelledStreamsTests {
  @Test(.timeLimit(.minutes(2)))
  func `a thousand requests of which many are cancelled leave nothing behind`() async throws {
    let (server, engine) = try await Wire.h2c.start { $0.connections.maximumPerOrigin = 1 }
    // A connection that was being made for one request alone ends with it.
    _ = try await engine.send(Request(url: server.url("/get")))
    var completed = 0
    for _ in 0..<6 { completed += try await batch(of: 200, to: server, over: engine) }
    #expect(completed > 400)

    // All of the hundred places are still there, on the one connection.
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<100 {
        group.addTask { _ = try await engine.send(Request(url: server.url("/delay/0.1"))) }
      }
      try await group.waitForAll()
    }
    #expect(server.connectionCount == 1)
    engine.shutDown()
    try await server.waitForOpenConnections(0)
    await server.stop()
  }

  /// Sends requests and cancels about half of them at some time; how many were completed.
  private func batch(of count: Int, to server: LoopbackServer, over engine: HTTPTransport)
    async throws -> Int
  {
    let paths = ["/get", "/bytes/20000", "/stream-bytes/10000", "/status/500", "/redirect/1"]
    let tasks = (0..<count).map { number in
      var request = Request(url: server.url(paths[number % paths.count]))
      if number % 7 == 0 { request.delivery = .discard }
      return engine.begin(request)
    }
    for task in tasks where Bool.random() {
      for _ in 0..<Int.random(in: 0..<40) { await Task.yield() }
      task.cancel()
    }
    var completed = 0
    for task in tasks {
      switch await task.result {
      case .success: completed += 1
      case .failure(let error): #expect((error as? MartletError)?.code == .cancelled)
      }
    }
    return completed
  }
}
