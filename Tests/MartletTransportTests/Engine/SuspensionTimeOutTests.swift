import Foundation
import HTTPTypes
import MartletCore
import MartletTesting
import MartletTransport
import NIOCore
import Testing

/// Silence while an exchange is suspended is nobody's fault; only the total goes on.
struct SuspensionTimeOutTests {
  private static let head = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"
  /// Longer than any time-out between bytes here.
  private static let rest = Duration.milliseconds(600)

  @Test func `in the middle of a body`() async throws {
    let server = try await ScriptedServer.start(
      Script([.readRequest, .send(Self.head + "ab"), .readBytes(.max)]))
    let exchange = Exchange()
    let task = send(Request(url: server.url()), exchange, Timeouts(.milliseconds(250)))
    try await eventually { exchange.downloadProgress.completed == 2 }
    try await expectPatience(of: task, while: exchange)
    // From then on silence counts again, and from the beginning.
    let start = ContinuousClock.now
    exchange.resume()
    let error = try await failure(of: task)
    #expect(error.code == .timedOut)
    #expect(error.phase == .receive)
    #expect(start.duration(to: .now) >= .milliseconds(249))
    await server.stop()
  }

  @Test func `before the first byte`() async throws {
    let server = try await ScriptedServer.start(.silent)
    let exchange = Exchange()
    let timeouts = Timeouts(
      connect: nil, firstByte: .milliseconds(250), idle: .milliseconds(300))
    let task = send(Request(url: server.url()), exchange, timeouts)
    try await server.waitForRequests(1)
    try await expectPatience(of: task, while: exchange)
    let start = ContinuousClock.now
    exchange.resume()
    let error = try await failure(of: task)
    #expect(error.phase == .wait)
    #expect(start.duration(to: .now) >= .milliseconds(249))
    await server.stop()
  }

  @Test func `in the middle of an upload`() async throws {
    let server = try await ScriptedServer.start(.text("ok"))
    let exchange = Exchange()
    let chunk = ByteBuffer(repeating: 0x78, count: 1000)
    let (mayGoOn, allow) = AsyncStream<Void>.makeStream()
    let body = Body.producer(length: 2000) { write in
      try await write(chunk)
      for await _ in mayGoOn { break }
      try await write(chunk)
    }
    let request = Request(.post, url: server.url(), body: body)
    let task = send(request, exchange, Timeouts(.milliseconds(250)))
    try await eventually { exchange.uploadProgress.completed == 1000 }
    try await expectPatience(of: task, while: exchange)
    exchange.resume()
    allow.yield()
    #expect(try await task.value.status == .ok)
    #expect(exchange.uploadProgress.completed == 2000)
    await server.stop()
  }

  @Test func `before it has begun`() async throws {
    let server = try await ScriptedServer.start(.text("ok"))
    let exchange = Exchange()
    exchange.suspend()
    let task = send(Request(url: server.url()), exchange, Timeouts(.milliseconds(250)))
    try await expectPatience(of: task, while: exchange)
    exchange.resume()
    #expect(try await task.value.status == .ok)
    await server.stop()
  }

  @Test func `the total goes on all the same`() async throws {
    let server = try await ScriptedServer.start(.silent)
    let exchange = Exchange()
    let timeouts = Timeouts(connect: nil, total: .milliseconds(200))
    let task = send(Request(url: server.url()), exchange, timeouts)
    exchange.suspend()
    let error = try await failure(of: task)
    #expect(
      error.message
        == "The exchange with http://127.0.0.1:\(server.port) took longer than the 200 ms allowed in total: try again or raise the time-out."
    )
    await server.stop()
  }

  // MARK: Shorthands

  private func send(_ request: Request, _ exchange: Exchange, _ timeouts: Timeouts) -> Task<
    Response, any Error
  > {
    var request = request
    request.exchange = exchange
    request.options.timeouts = timeouts
    return Task { [request] in try await HTTPTransport().send(request) }
  }

  /// Suspends the exchange for longer than its time-outs allow.
  private func expectPatience(of task: Task<Response, any Error>, while exchange: Exchange)
    async throws
  {
    let failure = Locked<MartletError?>(nil)
    exchange.observe { event in
      if case .failed(let error) = event { failure.withLock { $0 = error } }
    }
    exchange.suspend()
    try await Task.sleep(for: Self.rest)
    #expect(failure.current == nil)
  }

  private func failure(of task: Task<Response, any Error>) async throws -> MartletError {
    let error = await #expect(throws: MartletError.self) { try await task.value }
    return try #require(error)
  }
}

/// Returns as soon as a condition holds.
private func eventually(_ isMet: () -> Bool) async throws {
  let deadline = ContinuousClock.now + .seconds(10)
  while !isMet() {
    try #require(ContinuousClock.now < deadline)
    await Task.yield()
  }
}
