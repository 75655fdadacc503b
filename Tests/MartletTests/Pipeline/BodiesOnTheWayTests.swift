import EssentialFoundation
import Foundation
import HTTPTypes
import MartletCore
import MartletTesting
import NIOCore
import TestTiming
import Testing

@testable import Martlet
@testable import MartletEssentials

/// Bodies of responses that do not reach the caller, and the reports about those that do.
@Suite(.timeLimit(.minutes(5)))
struct BodiesOnTheWayTests {
  private let session = URLSessionManager()

  @Test(arguments: [302, 401])
  func `a body on the way is not decoded`(status: Int) async throws {
    let server = try await ScriptedServer.start(
      .reply(
        CannedResponse(
          status,
          [
            "Location": "/end", "WWW-Authenticate": "Basic realm=\"x\"",
            "Content-Encoding": "gzip", "Connection": "close",
          ], "not gzip")), .text("end"))
    session.onAuthenticationChallenge = { _, _ in
      .useCredential(.password(user: "u", password: "p"))
    }
    #expect(try await session.send(Request(url: server.url("/start"))).status == .ok)
    await server.stop()
  }

  @Test func `a limit of decompression holds when the head decides about the delivery`()
    async throws
  {
    let gzip = try Deflate.compressed(ByteBuffer(repeating: 0, count: 5 << 20), as: .gzip)
    let server = try await ScriptedServer.start(
      .reply(CannedResponse(200, ["Content-Encoding": "gzip"], bytes: gzip)))
    var configuration = SessionConfiguration()
    configuration.decompressionLimits?.size = 1 << 20
    let session = URLSessionManager(configuration: configuration)
    var request = Request(url: server.url())
    request.delivery = Delivery { _ in .buffer(limit: 100 << 20) }
    let error = await failure { try await session.send(request) }
    #expect(error?.code == .decompressionLimitExceeded)
    await server.stop()
  }

  @Test func `a limit of decompression holds when a hook receives the data`() async throws {
    let gzip = try Deflate.compressed(ByteBuffer(repeating: 0, count: 5 << 20), as: .gzip)
    let server = try await ScriptedServer.start(
      .reply(CannedResponse(200, ["Content-Encoding": "gzip"], bytes: gzip)))
    var configuration = SessionConfiguration()
    configuration.decompressionLimits?.size = 1 << 20
    configuration.cache = MemoryResponseCache()
    let session = URLSessionManager(configuration: configuration)
    session.onData = { _, _ in }
    let error = await failure { try await session.send(Request(url: server.url())) }
    #expect(error?.code == .decompressionLimitExceeded)
    await server.stop()
  }

  @Test func `a task becomes a download once, though an interceptor tries again`() async throws {
    let server = try await ScriptedServer.start(
      .respond("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"), .text("whole"))
    struct Again: Interceptor {
      func send(_ request: Request, next: Next) async throws -> Response {
        do { return try await next.send(request) } catch { return try await next.send(request) }
      }
    }
    var configuration = SessionConfiguration()
    configuration.interceptors.perCall = [Again()]
    let session = URLSessionManager(configuration: configuration)
    let told = session.makeDownloads()
    let file = try #require(try await session.send(Request(url: server.url())).body.file)
    #expect(try String(contentsOf: file, encoding: .utf8) == "whole")
    try FileManager.default.removeItem(at: file)
    try await eventually { told.current.last == "over" }
    #expect(told.current == ["asked", "became", "over"])
    await server.stop()
  }

  @Test func `decompression takes the place of a file's own decoding`() async throws {
    struct Never: ContentDecoder {
      mutating func decode(_ input: inout ByteBuffer, upTo limit: Int) throws -> ByteBuffer? { nil }
      mutating func finish() throws { throw MartletError.bodyNotReplayable }
    }
    let gzip = try Deflate.compressed(ByteBuffer(string: "tern"), as: .gzip)
    let server = try await ScriptedServer.start(
      .reply(CannedResponse(200, ["Content-Encoding": "gzip"], bytes: gzip)))
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("body")
    var request = Request(url: server.url())
    let decoding = ContentDecoderFactory { Never() }
    request.delivery = Delivery(.file(FileDestination(url: file, decoderFactory: decoding)))
    _ = try await session.send(request)
    #expect(try String(contentsOf: file, encoding: .utf8) == "tern")
    await server.stop()
  }

  @Test(arguments: [401, 302])
  func `a refusal or a redirect that is the caller's is progress`(status: Int) async throws {
    let server = try await ScriptedServer.start(.reply(CannedResponse(status, [:], "why not?")))
    let call = Call()
    var request = Request(url: server.url())
    request.call = call
    _ = try await session.send(request)
    #expect(call.downloadTransfer.completed == 8)
    await server.stop()
  }

  @Test func `the body of a redirect is no progress of a stream`() async throws {
    let server = try await ScriptedServer.start(
      .reply(CannedResponse(302, ["Location": "/end", "Connection": "close"], "elsewhere")),
      .text("end"))
    let counts = Locked<[Int]>([])
    let call = Call()
    call.observe { event in
      if case .bodyReceived(let bytes, _) = event.kind { counts.withLock { $0.append(bytes) } }
    }
    var request = Request(url: server.url())
    request.call = call
    request.delivery = .stream
    #expect(try await session.send(request).body.collect().readableBytes == 3)
    #expect(counts.current == [3])
    await server.stop()
  }

  @Test(arguments: [0, 30])
  func `a redirect is stored, however its body comes`(pause: Int) async throws {
    let head =
      "HTTP/1.1 301 Moved\r\nLocation: /end\r\nCache-Control: max-age=100\r\nContent-Length: 4\r\n\r\n"
    let redirect: [Script.Step] =
      pause == 0
      ? [.readRequest, .send(head + "gone")]
      : [.readRequest, .send(head), .wait(.milliseconds(pause)), .send("gone")]
    let end: [Script.Step] = [.readRequest, .reply(CannedResponse(200, [:], "end"))]
    // After a second, such a body is given up, and the redirect is not stored.
    let targets = try await inTime(.seconds(1)) {
      let server = try await ScriptedServer.start(
        Script(redirect + end + end + [.stall]), .text("end"), repeatsLast: true)
      var configuration = SessionConfiguration()
      configuration.cache = MemoryResponseCache()
      let session = URLSessionManager(configuration: configuration)
      for _ in 0..<2 { _ = try await session.send(Request(url: server.url("/start"))) }
      let targets = server.receivedRequests.map(\.target)
      await server.stop()
      return targets
    }
    #expect(targets == ["/start", "/end", "/end"])
  }

  /// Answers with bodies that wait until they are abandoned.
  private struct Waiting: Transport {
    private final class Source: ResponseBodySource {
      private typealias Reader = CheckedContinuation<ByteBuffer?, any Error>

      private let state = Locked<(reader: Reader?, isAbandoned: Bool)>((nil, false))

      func next() async throws -> ByteBuffer? {
        try await withCheckedThrowingContinuation { (reader: Reader) in
          let isOver = state.withLock { state in
            if !state.isAbandoned { state.reader = reader }
            return state.isAbandoned
          }
          if isOver { reader.resume(returning: nil) }
        }
      }

      func abandon() {
        let reader = state.withLock { state in
          defer { state = (nil, true) }
          return state.reader
        }
        reader?.resume(returning: nil)
      }

      var completion: ResponseBody.Completion? { nil }
    }

    func send(_ request: Request) async throws -> Response {
      let isStart = request.target == "/start"
      let head = ResponseHead(
        status: isStart ? .found : .ok, headers: isStart ? [.location: "/end"] : [:])
      let isEnd = request.target == "/end"
      return Response(
        head: head, url: request.url,
        body: isEnd ? .empty : ResponseBody(stream: Source()))
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `a redirect whose body never comes is followed`() async throws {
    let session = URLSessionManager(transport: Waiting())
    let request = try Request(.get, "http://example.com/start")
    #expect(try await session.send(request).status == .ok)
  }

  @Test(.timeLimit(.minutes(1)))
  func `a cancellation ends the wait for a transport's body`() async throws {
    let session = URLSessionManager(transport: Waiting())
    let request = try Request(.get, "http://example.com/wait")
    let waiting = Task { try await session.send(request) }
    try await eventually { session.tasks.count == 1 }
    session.tasks.first?.cancel()
    let error = await #expect(throws: MartletError.self) { try await waiting.value }
    #expect(error?.code == .cancelled)
  }
}

extension URLSessionManager {
  /// Makes a download of every task, by a hook.
  ///
  /// - Returns: The hooks that have been called, in order.
  func makeDownloads() -> Locked<[String]> {
    let told = Locked<[String]>([])
    self.onResponse = { _, _ in
      told.withLock { $0.append("asked") }
      return .becomeDownload
    }
    self.onBecomeDownload = { _ in told.withLock { $0.append("became") } }
    self.onTaskCompletion = { _, _ in told.withLock { $0.append("over") } }
    return told
  }
}
