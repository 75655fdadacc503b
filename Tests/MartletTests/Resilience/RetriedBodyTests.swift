import EssentialFoundation
import Foundation
import HTTPTypes
import MartletTesting
import NIOCore
import TestTiming
import Testing

@testable import Martlet
@testable import MartletEssentials

/// Bodies of requests that are sent again, and of responses that break off.
@Suite(.timeLimit(.minutes(5)))
struct RetriedBodyTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func manager(_ server: ScriptedServer) -> HTTPSessionManager {
    HTTPSessionManager(baseURL: server.url("/")) {
      $0.resilience.retry = .standard
      $0.resilience.clock = ResilienceClock(VirtualClock())
    }
  }

  private static func begin(_ fields: String = "ETag: \"a\"\r\n") -> Script {
    .respond("HTTP/1.1 200 OK\r\n\(fields)Content-Length: 10\r\n\r\nabcd")
  }

  private static func rest(_ body: String = "efghij", at range: String = "4-9/10") -> Script {
    .respond(
      "HTTP/1.1 206 P\r\nConnection: close\r\nETag: \"a\"\r\nContent-Range: bytes \(range)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    )
  }

  // MARK: Requests

  @Test func `a body in memory is sent again, and a stream is not`() async throws {
    let server = try await ScriptedServer.start(
      .status(503), .text("ok"), .status(503), .text("ok"))
    let api = manager(server)
    let response = try await api.response(.put, "file", body: .text("content"))
    #expect(response.status == .ok)
    #expect(server.receivedRequests.map { String(buffer: $0.body) } == ["content", "content"])
    var request = try api.request(.put, "file")
    request.body = .producer(length: 7, isReplayable: false) {
      try await $0(ByteBuffer(string: "content"))
    }
    #expect(try await api.send(request).status == .serviceUnavailable)
    #expect(server.receivedRequests.count == 3)
    await server.stop()
  }

  @Test func `the session can provide a stream once more`() async throws {
    let server = try await ScriptedServer.start(.status(503), .text("ok"))
    let api = manager(server)
    api.session.onNeedNewBody = { _ in .text("second") }
    var request = try api.request(.put, "file")
    request.body = .producer(length: 5, isReplayable: false) {
      try await $0(ByteBuffer(string: "first"))
    }
    #expect(try await api.send(request).status == .ok)
    #expect(server.receivedRequests.map { String(buffer: $0.body) } == ["first", "second"])
    await server.stop()
  }

  @Test func `an upload with a completion is sent again`() async throws {
    let server = try await ScriptedServer.start(.status(503), .text("ok"))
    let session = manager(server).session
    let request = Request(.put, url: server.url("/file"), body: .text("content"))
    #expect(try await session.send(request).status == .ok)
    #expect(server.receivedRequests.count == 2)
    await server.stop()
  }

  // MARK: Responses in memory and in files

  @Test func `a body that ends too early is requested again`() async throws {
    let server = try await ScriptedServer.start(Self.begin(""), .text("whole"))
    let response = try await manager(server).response(.get, "file")
    #expect(try await response.text() == "whole")
    #expect(server.receivedRequests[1].header("Range") == nil)
    await server.stop()
  }

  @Test func `the page of a failure is not written to the file`() async throws {
    let server = try await ScriptedServer.start(
      .text("unavailable", status: 503), Self.begin(""), .text("whole"))
    var request = try manager(server).request(.get, "file")
    let file = folder.url.appendingPathComponent("file")
    request.delivery = Delivery(.file(FileDestination(url: file, replacesExisting: false)))
    let response = try await manager(server).send(request)
    #expect(response.body.file == file)
    #expect(try String(contentsOf: file, encoding: .utf8) == "whole")
    try await eventually { try folder.names == ["file"] }
    await server.stop()
  }

  // MARK: Downloads

  @Test func `a download continues its file until it is whole`() async throws {
    let server = try await ScriptedServer.start(
      .status(503), Self.begin(), Self.rest("ef", at: "4-5/10"), Self.rest("ghij", at: "6-9/10"))
    let file = try await manager(server).download("file", to: folder.url)
    #expect(try String(contentsOf: file.url, encoding: .utf8) == "abcdefghij")
    #expect(
      server.receivedRequests.map { $0.header("Range") } == [nil, nil, "bytes=4-", "bytes=6-"])
    #expect(try folder.names == ["file"])
    await server.stop()
  }

  @Test func `a download whose last attempt fails can still be resumed`() async throws {
    let server = try await ScriptedServer.start(Self.begin(), .status(503), .status(503))
    let api = manager(server)
    let error = await failure { try await api.download("file", to: folder.url) }
    #expect(error?.resumeData?.received == 4)
    #expect(error?.failedAttempts.map { "\($0.reason)" } == ["bodyTruncated", "503"])
    await server.stop()
  }

  @Test func `a download that is redirected elsewhere begins anew, even with the same tag`()
    async throws
  {
    let server = try await ScriptedServer.start(
      .redirect(to: "/one"), Self.begin(), .redirect(to: "/two"), Self.rest("EFGHIJ"),
      .redirect(to: "/two"), .text("ABCDEFGHIJ"))
    let file = try await manager(server).download("file", to: folder.url)
    #expect(try String(contentsOf: file.url, encoding: .utf8) == "ABCDEFGHIJ")
    await server.stop()
  }

  // MARK: Streams

  private func stream(_ scripts: Script...) async throws -> (
    Result<String, any Error>, ScriptedServer
  ) {
    let server = try await ScriptedServer.start()
    for script in scripts { server.enqueue(script) }
    let api = manager(server)
    var request = try api.request(.get, "file")
    request.delivery = .stream
    let response = try await api.send(request)
    do {
      return (.success(String(buffer: try await response.body.collect())), server)
    } catch {
      return (.failure(error), server)
    }
  }

  @Test func `a stream that breaks off continues, unseen by its reader`() async throws {
    let (text, server) = try await stream(Self.begin(), Self.rest())
    #expect(try text.get() == "abcdefghij")
    let request = server.receivedRequests[1]
    #expect(request.header("Range") == "bytes=4-")
    #expect(request.header("If-Range") == "\"a\"")
    #expect(request.header("Accept-Encoding") == "identity")
    await server.stop()
  }

  @Test func `a stream continues after a server that is not there for a while`() async throws {
    let (text, server) = try await stream(
      Self.begin(), .status(503, ["Retry-After": "5"]), Self.rest())
    #expect(try text.get() == "abcdefghij")
    await server.stop()
  }

  @Test func `a stream continues where the server sends less than the rest`() async throws {
    let (text, server) = try await stream(
      Self.begin(), Self.rest("ef", at: "4-5/10"), Self.rest("ghij", at: "6-9/10"))
    #expect(try text.get() == "abcdefghij")
    await server.stop()
  }

  @Test func `where the length is not known, the server is asked until there is no more`()
    async throws
  {
    let begin = "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n"
    let (text, server) = try await stream(
      .respond(begin), Self.rest("efghij", at: "4-9/*"),
      .status(416, ["Content-Range": "bytes */10", "ETag": "\"a\""]))
    #expect(try text.get() == "abcdefghij")
    #expect(server.receivedRequests.map { $0.header("Range") } == [nil, "bytes=4-", "bytes=10-"])
    await server.stop()
  }

  @Test func `a server that sends all of the same body again is read from there on`() async throws {
    let whole = "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 10\r\n\r\nabcdefghij"
    let (text, server) = try await stream(Self.begin(), .respond(whole))
    #expect(try text.get() == "abcdefghij")
    await server.stop()
  }

  @Test(arguments: [
    "HTTP/1.1 200 OK\r\nETag: \"b\"\r\nContent-Length: 10\r\n\r\nABCDEFGHIJ",
    "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nABCDEFGHIJ",
    "HTTP/1.1 206 P\r\nETag: \"b\"\r\nContent-Range: bytes 4-9/10\r\nContent-Length: 6\r\n\r\nEFGHIJ",
    "HTTP/1.1 206 P\r\nETag: \"a\"\r\nContent-Range: bytes 3-9/10\r\nContent-Length: 7\r\n\r\nDEFGHIJ",
    "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n",
  ])
  func `bytes of another body never reach the reader`(answer: String) async throws {
    let (text, server) = try await stream(Self.begin(), .respond(answer))
    let error = failure { try text.get() }
    #expect(error?.code == .bodyTruncated)
    #expect(error?.failedAttempts.count == 1)
    await server.stop()
  }

  @Test(arguments: ["", "ETag: W/\"a\"\r\n", "ETag: \"a\"\r\nAccept-Ranges: none\r\n"])
  func `a stream without a strong validator breaks off`(fields: String) async throws {
    let (text, server) = try await stream(Self.begin(fields), Self.rest())
    #expect(failure { try text.get() }?.code == .bodyTruncated)
    #expect(server.receivedRequests.count == 1)
    await server.stop()
  }

  @Test func `a stream with much progress has more attempts than the policy allows in a row`()
    async throws
  {
    let piece = String(repeating: "x", count: 100_000)
    let server = try await ScriptedServer.start()
    for index in 0..<20 {
      let (start, end) = (index * 100_000, 1_999_999)
      let head =
        index == 0
        ? "HTTP/1.1 200 OK\r\nContent-Length: 2000000\r\n"
        : "HTTP/1.1 206 P\r\nContent-Range: bytes \(start)-\(end)/2000000\r\nContent-Length: \(2_000_000 - start)\r\n"
      server.enqueue(.respond("\(head)ETag: \"a\"\r\nConnection: close\r\n\r\n\(piece)"))
    }
    let api = manager(server)
    var request = try api.request(.get, "file")
    request.delivery = .stream
    let response = try await api.send(request)
    #expect(try await response.body.collect().readableBytes == 2_000_000)
    #expect(server.receivedRequests.count == 20)
    #expect(server.receivedRequests.last?.header("Range") == "bytes=1900000-")
    await server.stop()
  }

  @Test(arguments: [true, false])
  func `a reader that gives up, or a call that is cancelled, during a pause ends the stream`(
    isReader: Bool
  ) async throws {
    let server = try await ScriptedServer.start(Self.begin())
    let api = HTTPSessionManager(baseURL: server.url("/")) {
      $0.resilience.retry = .standard
      $0.resilience.retry.backoff = Backoff(
        initialDelay: .seconds(100), maximumDelay: .seconds(100))
      $0.resilience.clock = ResilienceClock(random: { 1 })
    }
    let call = Call()
    var request = try api.request(.get, "file")
    (request.call, request.delivery) = (call, .stream)
    let response = try await api.send(request)
    // The listener refers to the body, and the body to the call: the cycle ends with the observation.
    let observation = call.observe { event in
      guard case .retryDecided = event.kind else { return }
      if isReader { response.body.cancel() } else { call.cancel() }
    }
    #expect(await failure { try await response.body.collect() }?.code == .cancelled)
    observation.cancel()
    await server.stop()
  }
}
