import EssentialFoundation
import Foundation
import HTTPTypes
import MartletCore
import MartletTesting
import NIOCore
import Testing

@testable import Martlet
@testable import MartletEssentials

/// What interceptors of an application's own may do with responses whose bodies have no place yet.
@Suite(.timeLimit(.minutes(5)))
struct InterceptorsAndBodiesTests {
  /// An interceptor that is a closure.
  private struct Doing: Interceptor {
    let work: @Sendable (Request, Next) async throws -> Response

    func send(_ request: Request, next: Next) async throws -> Response {
      try await work(request, next)
    }
  }

  private func session(
    perOrigin: Int = 64, _ work: @escaping @Sendable (Request, Next) async throws -> Response
  ) -> URLSessionManager {
    var configuration = SessionConfiguration()
    configuration.connections.maximumPerOrigin = perOrigin
    configuration.interceptors.perExchange = [Doing(work: work)]
    return URLSessionManager(configuration: configuration)
  }

  @Test(arguments: [true, false])
  func `an interceptor may hold one success while it asks for another`(hasHook: Bool) async throws {
    let server = try await LoopbackServer.start()
    let session = session(perOrigin: 1) { request, next in
      let first = try await next.send(request)
      let second = try await next.send(request)
      return withExtendedLifetime(first) { second }
    }
    if hasHook { session.onResponse = { _, _ in .allow } }
    let response = try await session.send(Request(url: server.url("/bytes/10")))
    #expect(response.body.bytes?.readableBytes == 10)
    await server.stop()
  }

  @Test func `a hook for challenges may ask the same server over the one connection`() async throws
  {
    let server = try await ScriptedServer.start(
      Script([
        .readRequest,
        .send(
          "HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=\"x\"\r\nContent-Length: 4\r\n\r\n"),
        .wait(.milliseconds(30)), .send("who?"), .readRequest,
        .reply(CannedResponse(200, [:], "secret")), .readRequest,
        .reply(CannedResponse(200, [:], "ok")),
      ]))
    var configuration = SessionConfiguration()
    configuration.connections.maximumPerOrigin = 1
    let session = URLSessionManager(configuration: configuration)
    session.onAuthenticationChallenge = { [weak session] _, challenge in
      guard challenge.previousFailureCount == 0 else { return .rejectProtectionSpace }
      _ = try? await session?.send(Request(url: server.url("/secret")))
      return .useCredential(.password(user: "u", password: "p"))
    }
    #expect(try await session.send(Request(url: server.url())).status == .ok)
    await server.stop()
  }

  @Test func `a success that an interceptor drops costs no connection, and is no failure`()
    async throws
  {
    let server = try await LoopbackServer.start()
    let session = session(perOrigin: 1) { request, next in
      do { _ = try await next.send(request) }
      return try await next.send(request)
    }
    let names = Locked<[String]>([])
    let call = Call()
    call.observe { event in
      let name = "\(event)".prefix { $0 != "(" }
      names.withLock { $0.append(String(name)) }
    }
    let folder = try TemporaryFolder()
    var request = Request(url: server.url("/bytes/10"))
    request.call = call
    request.delivery = .file(at: folder.url.appendingPathComponent("body"))
    #expect(try await session.send(request).body.kind == .file)
    #expect(server.connectionCount == 1)
    #expect(
      names.current.filter { $0 == "attemptFinished" || $0 == "attemptFailed" } == [
        "attemptFinished", "attemptFinished",
      ])
    await server.stop()
  }

  @Test(.timeLimit(.minutes(1)))
  func `an error that is dropped leaves the handle to the request that follows`() async throws {
    let server = try await ScriptedServer.start(
      Script([.readRequest, .send("HTTP/1.1 503 No\r\nContent-Length: 4\r\n\r\n"), .stall]),
      .silent)
    let session = session { request, next in
      do { _ = try await next.send(request) }
      return try await next.send(request)
    }
    let call = Call()
    var request = Request(url: server.url())
    request.call = call
    let sending = Task { [request] in try await session.send(request) }
    try await server.waitForRequests(2)
    // The first is given up with its connection.
    try await server.waitForConnectionsClosed(1)
    call.cancel()
    let error = await #expect(throws: MartletError.self) { try await sending.value }
    #expect(error?.code == .cancelled)
    await server.stop()
  }

  @Test func `what an interceptor has collected goes where the caller wants it`() async throws {
    let server = try await ScriptedServer.start(.text("hello"))
    let session = session { request, next in
      var inMemory = request
      inMemory.delivery = .buffered
      return try await next.send(request).delivered(for: inMemory)
    }
    let folder = try TemporaryFolder()
    var request = Request(url: server.url())
    request.delivery = .file(at: folder.url.appendingPathComponent("body"))
    let file = try #require(try await session.send(request).body.file)
    #expect(try String(contentsOf: file, encoding: .utf8) == "hello")
    await server.stop()
  }

  @Test func `a body that was put elsewhere is no empty one`() async throws {
    let server = try await ScriptedServer.start(.text("hello"))
    let session = session { request, next in
      let response = try await next.send(request)
      _ = try await response.delivered(for: request)
      return response
    }
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("body")
    var request = Request(url: server.url())
    request.delivery = .file(at: file)
    let error = await failure { try await session.send(request) }
    #expect(error?.code == .bodyNotReadable)
    #expect(try String(contentsOf: file, encoding: .utf8) == "hello")
    await server.stop()
  }

  @Test(.timeLimit(.minutes(1)))
  func `a body that did not fit cannot be asked for once more`() async throws {
    let server = try await ScriptedServer.start(
      Script([
        .readRequest, .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
        .wait(.milliseconds(30)), .send("5\r\nhello\r\n0\r\n\r\n"), .stall,
      ]))
    let session = session { request, next in
      var small = request
      small.delivery = .buffered(limit: 2)
      let response = try await next.send(request)
      do { return try await response.delivered(for: small) } catch { return response }
    }
    session.onResponse = { _, _ in .allow }
    let request = Request(url: server.url())
    let error = await failure { try await session.send(request) }
    #expect(error?.code == .bodyNotReadable)
    await server.stop()
  }

  @Test func `half of a compressed body is read by an interceptor, and the rest goes to a file`()
    async throws
  {
    let plain = ByteBuffer(bytes: (0..<400_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) })
    let gzip = try Deflate.compressed(plain, as: .gzip)
    let server = try await ScriptedServer.start(
      .reply(CannedResponse(200, ["Content-Encoding": "gzip"], bytes: gzip)))
    let read = Locked(0)
    let reader = Doing { request, next in
      let response = try await next.send(request)
      var chunks = response.body.makeAsyncIterator()
      let count = try await chunks.next()?.readableBytes ?? 0
      read.withLock { $0 = count }
      return response
    }
    let transport = HTTPTransport()
    let pipeline = Pipeline([reader, DecompressionInterceptor()], transport: transport)
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("body")
    var request = Request(url: server.url())
    request.delivery = .file(at: file)
    _ = try await pipeline.send(request)
    #expect(try Data(contentsOf: file).count + read.current == 400_000)
    await transport.close()
    await server.stop()
  }

  @Test func `a request that a hook has seen can be sent again`() async throws {
    let server = try await ScriptedServer.start(
      .redirect(to: "/end"), .text("end"), .reply(CannedResponse(404, [:], "gone")))
    let session = URLSessionManager()
    let seen = Locked<SessionTask?>(nil)
    session.onRedirect = { task, _, proposed in
      seen.withLock { $0 = task }
      return proposed
    }
    let folder = try TemporaryFolder()
    var request = Request(url: server.url("/start"))
    request.delivery = .file(at: folder.url.appendingPathComponent("body"))
    _ = try await session.send(request)
    let again = try #require(seen.withLock { $0.take() }?.currentRequest)
    #expect(try await session.send(again).body.kind == .file)
    await server.stop()
  }
}
