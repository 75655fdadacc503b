import EssentialFoundation
import HTTPTypes
import Martlet
import MartletTesting
import NIOCore
import NIOPosix
import TestTiming
import Testing

/// The end of a session whose event loops belong to the program.
@Suite(.timeLimit(.minutes(5)))
struct OwnEventLoopsTests {
  @Test func `shutDown waits for the producer of a body whose session was reset since`()
    async throws
  {
    let server = try await ScriptedServer.start(
      Script([.readHead, .send("HTTP/1.1 413 \r\nContent-Length: 0\r\n\r\n"), .stall]))
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    var configuration = SessionConfiguration()
    configuration.eventLoopGroup = group
    let session = URLSessionManager(configuration: configuration)
    let (mayEnd, hasEnded) = (AwaitableValue(false), Locked(false))
    let body = RequestBody.producer(length: nil) { _ in
      await Task.detached { try? await mayEnd.wait { $0 } }.value
      hasEnded.withLock { $0 = true }
    }
    let response = try await session.send(Request(.post, url: server.url(), body: body))
    #expect(response.status == .contentTooLarge)
    session.invalidateSession(cancelingTasks: true, resettingSession: true)
    let isShutDown = Locked(false)
    let end = Task {
      await session.shutDown()
      isShutDown.withLock { $0 = true }
    }
    try await eventually { session.isInvalidated }
    for _ in 0..<20 { try await group.next().submit {}.get() }
    #expect(!isShutDown.current)
    mayEnd.update { $0 = true }
    await end.value
    #expect(hasEnded.current)
    try await group.shutdownGracefully()
    await server.stop()
  }

  @Test func `work that begins while shutDown waits, or later, needs none of the loops`()
    async throws
  {
    let server = try await ScriptedServer.start(.silent)
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
    var configuration = SessionConfiguration()
    configuration.eventLoopGroup = group
    let session = URLSessionManager(configuration: configuration)
    let request = Request(url: server.url())
    let task = Task { try await session.send(request) }
    try await server.waitForConnections(1)
    let end = Task { await session.shutDown() }
    try await eventually { session.isInvalidated }
    let (hasBegun, mayEnd) = (AwaitableValue(false), AwaitableValue(false))
    let work = Task {
      try await session.runOnEventLoop {
        hasBegun.update { $0 = true }
        try await mayEnd.wait { $0 }
      }
    }
    try await hasBegun.wait { $0 }
    task.cancel()
    _ = await task.result
    await end.value
    try await group.shutdownGracefully()
    mayEnd.update { $0 = true }
    try await work.value
    #expect(
      await session.runOnEventLoop {
        await Task.yield(); return true
      })
    var errors: [MartletError.Code?] = []
    for await outcome in session.send(Array(repeating: request, count: 3)) {
      errors.append(#expect(throws: MartletError.self) { try outcome.response }?.code)
    }
    #expect(errors == [.shutDown, .shutDown, .shutDown])
    await server.stop()
  }

  @Test
  func
    `a batch that began before the session was reset has an outcome for each request after shutDown`()
    async throws
  {
    let server = try await LoopbackServer.start()
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
    var configuration = SessionConfiguration()
    configuration.eventLoopGroup = group
    let session = URLSessionManager(configuration: configuration)
    let request = Request(url: server.url("/get"))
    let outcomes = session.send(Array(repeating: request, count: 100), maximumConcurrent: 16)
      .makeAsyncIterator()
    let first = try #require(await outcomes.next())
    #expect(try first.response.status == .ok)
    // The batch waits for its reader.
    try await eventually { server.requestCount >= 16 }
    session.invalidateSession(cancelingTasks: false, resettingSession: true)
    await session.shutDown()
    try await group.shutdownGracefully()
    var results: [Result<Response, MartletError>] = []
    while let outcome = await outcomes.next() { results.append(outcome.result) }
    #expect(results.count == 99)
    let error = #expect(throws: MartletError.self) { try results.last?.get() }
    #expect(error?.code == .shutDown)
    await server.stop()
  }

  @Test func `a session that is invalidated again after shutDown needs none of the loops`()
    async throws
  {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    var configuration = SessionConfiguration()
    configuration.eventLoopGroup = group
    let session = URLSessionManager(configuration: configuration)
    await session.shutDown()
    try await group.shutdownGracefully()
    session.invalidateSession(cancelingTasks: true)
    #expect(await session.runOnEventLoop { true })
    let request = try Request("http://127.0.0.1/")
    for await outcome in session.send([request]) {
      let error = #expect(throws: MartletError.self) { try outcome.response }
      #expect(error?.code == .shutDown)
    }
    await session.shutDown()
  }

  @Test func `shutDown may be called on an event loop of the session`() async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    var configuration = SessionConfiguration()
    configuration.eventLoopGroup = group
    let session = URLSessionManager(configuration: configuration)
    await session.runOnEventLoop { await session.shutDown() }
    try await group.shutdownGracefully()
  }
}
