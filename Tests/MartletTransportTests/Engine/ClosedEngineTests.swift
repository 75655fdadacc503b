import EssentialFoundation
import HTTPTypes
import MartletCore
import MartletTesting
import NIOCore
import NIOPosix
import TestTiming
import Testing

@testable import MartletTransport

/// Event loops of the program can be shut down when its engine is closed, because work on other threads has ended.
///
/// The tests run in SwiftNIO's strict mode, in which the process ends when something is scheduled on a loop that was shut down.
@Suite(.timeLimit(.minutes(5)))
struct ClosedEngineTests {
  private let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
  private let code = SlowCode()

  private func engine(_ change: (inout HTTPTransportConfiguration) -> Void = { _ in })
    -> HTTPTransport
  {
    var configuration = HTTPTransportConfiguration.loops(2, of: group)
    configuration.proxies = .none
    change(&configuration)
    return HTTPTransport(configuration)
  }

  /// Closes the engine while code of the program runs, and shuts the loops down.
  private func expectClosingWaits(_ engine: HTTPTransport) async throws {
    try await code.begun.wait { $0 }
    let isClosed = Locked(false)
    let closing = Task {
      await engine.close()
      isClosed.withLock { $0 = true }
    }
    try await eventually { engine.isShutDown }
    for _ in 0..<20 {
      for loop in engine.directory.engineLoops { try await loop.loop.submit {}.get() }
    }
    #expect(!isClosed.current)
    code.release()
    await closing.value
    #expect(code.hasEnded.current)
    try await group.shutdownGracefully()
  }

  @Test func `closing waits for the producer of a body whose response has arrived`() async throws {
    let server = try await ScriptedServer.start(
      Script([.readHead, .send("HTTP/1.1 413 \r\nContent-Length: 0\r\n\r\n"), .stall]))
    let body = RequestBody.producer(length: nil) { [code] _ in await code.run() }
    let engine = engine()
    let response = try await engine.send(Request(.post, url: server.url(), body: body))
    #expect(response.status == .contentTooLarge)
    try await expectClosingWaits(engine)
    await server.stop()
  }

  @Test func `closing waits for the evaluation of a certificate for which nothing waits`()
    async throws
  {
    let server = try await LoopbackServer.start(tls: ServerTLS(try TemporaryAuthority().leaf()))
    let engine = engine { [code] in $0.tls.evaluator = SlowEvaluator(code: code) }
    let task = Task { try await engine.send(Request(url: server.url("/get"))) }
    try await code.begun.wait { $0 }
    task.cancel()
    _ = await task.result
    try await expectClosingWaits(engine)
    await server.stop()
  }

  @Test func `closing waits for the writer of a body that was given up`() async throws {
    let server = try await ScriptedServer.start(
      Script([.readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n123"), .stall]))
    let writer = SlowWriter(code: code)
    let engine = engine()
    var request = Request(url: server.url())
    request.delivery = Delivery { _ in .writer(writer) }
    let task = Task { [request] in try await engine.send(request) }
    try await code.begun.wait { $0 }
    task.cancel()
    let error = await #expect(throws: MartletError.self) { try await task.value }
    #expect(error?.code == .cancelled)
    try await expectClosingWaits(engine)
    await server.stop()
  }

  @Test func `a second call of close waits for the first`() async throws {
    let server = try await LoopbackServer.start()
    let engine = engine()
    _ = try await engine.send(Request(url: server.url("/get")))
    // The first call waits for a loop, which stands still.
    for engineLoop in engine.directory.engineLoops { engineLoop.loop.execute { code.block() } }
    try await code.begun.wait { $0 }
    let first = Task { await engine.close() }
    try await eventually { engine.isShutDown }
    let isClosed = Locked(false)
    let second = Task {
      await engine.close()
      isClosed.withLock { $0 = true }
    }
    for _ in 0..<1000 { await Task.yield() }
    #expect(!isClosed.current)
    for _ in engine.directory.engineLoops { code.release() }
    await first.value
    await second.value
    try await group.shutdownGracefully()
    await server.stop()
  }

  @Test func `an attempt to connect counts as work until it is over`() async throws {
    let server = try await ScriptedServer.start(.silent)
    let engine = engine()
    let request = try Request("https://127.0.0.1:\(server.port)/")
    let task = Task { try await engine.send(request) }
    try await server.waitForConnections(1)
    let isIdle = Locked(false)
    let wait = Task {
      await engine.directory.engineLoops[0].executor.outsideWork.waitUntilIdle()
      isIdle.withLock { $0 = true }
    }
    for engineLoop in engine.directory.engineLoops { try await engineLoop.loop.submit {}.get() }
    #expect(!isIdle.current)
    task.cancel()
    await wait.value
    await engine.close()
    try await group.shutdownGracefully()
    await server.stop()
  }

  @Test func `a body that was not read fails, though its loop was shut down`() async throws {
    let server = try await ScriptedServer.start(
      Script([.readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n123"), .stall]))
    let engine = engine()
    var request = Request(url: server.url())
    request.delivery = .undecided
    let body = try await engine.send(request).body
    await engine.close()
    try await group.shutdownGracefully()
    let error = await #expect(throws: MartletError.self) { for try await _ in body {} }
    #expect(error?.code == .shutDown)
    await server.stop()
  }

  @Test func `closing ends what an engine has begun that was replaced, and is not kept`()
    async throws
  {
    let server = try await ScriptedServer.start(
      Script([.readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n123"), .stall]))
    let configuration = engine().configuration
    let engines = EngineGroup()
    let body: ResponseBody
    do {
      let replaced = HTTPTransport(configuration, in: engines)
      var request = Request(url: server.url())
      request.delivery = .undecided
      body = try await replaced.send(request).body
      engines.addReplaced(replaced)
    }
    await engines.close(HTTPTransport(configuration, in: engines))
    try await group.shutdownGracefully()
    let error = await #expect(throws: MartletError.self) { for try await _ in body {} }
    #expect(error?.code == .shutDown)
    await server.stop()
  }

  @Test func `closing waits for a request, which gets an error, and for a snapshot`() async throws {
    let server = try await ScriptedServer.start(
      Script([.readRequest, .reply(CannedResponse(200, [:], "ok")), .readRequest, .stall]))
    let engine = engine()
    let work = engine.directory.engineLoops[0].executor.outsideWork
    _ = try await engine.send(Request(url: server.url()))
    try await eventually { work.isIdle }
    for engineLoop in engine.directory.engineLoops { engineLoop.loop.execute { code.block() } }
    let snapshot = Task { await engine.snapshot() }
    try await eventually { !work.isIdle }
    for _ in engine.directory.engineLoops { code.release() }
    #expect(await snapshot.value.servers.count == 1)
    #expect(work.isIdle)
    let task = engine.begin(Request(url: server.url()))
    try await eventually { server.receivedRequests.count == 2 }
    #expect(!work.isIdle)
    await engine.close()
    #expect(work.isIdle)
    let error = await #expect(throws: MartletError.self) { try await task.value }
    #expect(error?.code == .shutDown)
    try await group.shutdownGracefully()
    await server.stop()
  }

  @Test func `a whole body can be read after its connection and its loop have ended`()
    async throws
  {
    let server = try await ScriptedServer.start(
      Script([.readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n123"), .close]))
    let engine = engine()
    var request = Request(url: server.url())
    request.delivery = .undecided
    let body = try await engine.send(request).body
    try await server.waitForConnectionsClosed(1)
    try await eventually { await engine.snapshot().servers.isEmpty }
    await engine.close()
    try await group.shutdownGracefully()
    #expect(String(buffer: try await body.collect()) == "123")
    await server.stop()
  }

  @Test func `work of the program that began on a loop continues when that was shut down`()
    async throws
  {
    let engine = engine()
    let work = Task { [code] in await engine.runOnEventLoop { await code.run() } }
    try await code.begun.wait { $0 }
    await engine.close()
    try await group.shutdownGracefully()
    code.release()
    await work.value
    #expect(code.hasEnded.current)
  }

  @Test
  func
    `what is scheduled on a loop is done before the engine is closed, and later work is done at once`()
    async throws
  {
    let engine = engine()
    let executor = try #require(engine.directory.engineLoops.first).executor
    let (delayed, later) = (Locked(false), Locked(0))
    executor.after(.milliseconds(100)) { delayed.withLock { $0 = true } }
    await engine.close()
    #expect(delayed.current)
    try await group.shutdownGracefully()
    executor.after(.hours(1)) { later.withLock { $0 += 1 } }
    executor.afterTurn { later.withLock { $0 += 1 } }
    #expect(later.current == 2)
  }

  @Test func `a batch whose loops were shut down has an outcome for each of its requests`()
    async throws
  {
    let server = try await LoopbackServer.start()
    let engine = engine()
    let request = Request(url: server.url("/get"))
    let outcomes = engine.send(Array(repeating: request, count: 100), maximumConcurrent: 16)
      .makeAsyncIterator()
    let first = try #require(await outcomes.next())
    #expect(try first.response.status == .ok)
    // The batch waits for its reader.
    try await eventually { server.requestCount >= 16 }
    await engine.close()
    try await group.shutdownGracefully()
    var results: [Result<Response, MartletError>] = []
    while let outcome = await outcomes.next() { results.append(outcome.result) }
    #expect(results.count == 99)
    let error = #expect(throws: MartletError.self) { try results.last?.get() }
    #expect(error?.code == .shutDown)
    await server.stop()
  }
}

extension HTTPTransport {
  fileprivate var isShutDown: Bool {
    (try? directory.pools(for: Request("http://127.0.0.1/").origin)) == nil
  }
}

/// Code of a program that ends when it may, and not when it is cancelled.
private struct SlowCode: Sendable {
  let begun = AwaitableValue(false)
  let hasEnded = Locked(false)
  private let mayEnd = AwaitableValue(false)
  private let mayUnblock = DispatchSemaphore(value: 0)

  func run() async {
    begun.update { $0 = true }
    await Task.detached { try? await mayEnd.wait { $0 } }.value
    hasEnded.withLock { $0 = true }
  }

  func block() {
    begun.update { $0 = true }
    mayUnblock.wait()
    hasEnded.withLock { $0 = true }
  }

  func release() {
    mayEnd.update { $0 = true }
    mayUnblock.signal()
  }
}

private struct SlowEvaluator: TrustEvaluating {
  let code: SlowCode

  func evaluate(_ trust: ServerTrust) async throws { await code.run() }
}

/// Blocks its thread in the first `write(_:)`.
private final class SlowWriter: ResponseBodyWriter {
  let url = URL(fileURLWithPath: "/slow")
  private let code: SlowCode

  init(code: SlowCode) {
    self.code = code
  }

  func write(_ chunks: [ByteBuffer]) throws {
    if !code.begun.current { code.block() }
  }

  func complete() throws {}
  func abandon() {}
  func close() {}
}
