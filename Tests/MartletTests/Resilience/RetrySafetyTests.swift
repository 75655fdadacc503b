import EssentialFoundation
import Foundation
import HTTPTypes
import MartletTesting
import NIOCore
import TestTiming
import Testing

@testable import Martlet
@testable import MartletEssentials

/// What must never happen: a request that takes effect twice, and bytes of something else.
@Suite(.timeLimit(.minutes(5)))
struct RetrySafetyTests {
  private let lines = Locked<[String]>([])

  private func session(
    _ configure: (inout SessionConfiguration) throws -> Void,
    _ answer: @escaping InProcessTransport.Handler
  ) throws -> URLSessionManager {
    var configuration = SessionConfiguration()
    configuration.transport = InProcessTransport { [lines] request in
      lines.withLock {
        $0.append("\(request.method) \(request.url.host ?? "")\(request.url.path)")
      }
      return try await answer(request)
    }
    configuration.resilience.retry = .standard
    configuration.resilience.clock = ResilienceClock(VirtualClock())
    try configure(&configuration)
    return URLSessionManager(configuration: configuration)
  }

  private static func refused() -> MartletError {
    var error = MartletError(.connectionFailed, "Refused.", phase: .connect)
    error.isSafeToRetry = true
    return error
  }

  private func fallback(_ configuration: inout SessionConfiguration) throws {
    let primary = try #require(URL(string: "http://h/"))
    let secondary = try #require(URL(string: "http://second/"))
    configuration.resilience.fallback = Fallback(replacing: primary, with: secondary)
  }

  // MARK: Requests that are not idempotent

  @Test(arguments: [0, 425, 429])
  func `a POST that was processed and redirected is not sent again, nor elsewhere`(status: Int)
    async throws
  {
    let session = try session {
      try fallback(&$0)
    } _: { request in
      if request.method == .post {
        return .text("", to: request, status: .seeOther, headers: [.location: "/done"])
      }
      guard status > 0 else { throw Self.refused() }
      return .text("", to: request, status: HTTPResponse.Status(code: status))
    }
    let error = try? await session.send(Request(.post, "http://h/orders"))
    #expect(error?.status != .ok)
    #expect(lines.current.filter { $0.hasPrefix("POST") } == ["POST h/orders"])
  }

  @Test func `an error is not safe to retry if an earlier attempt may have been processed`()
    async throws
  {
    let count = Locked(0)
    let session = try session {
      $0.resilience.retry.addsIdempotencyKey = true
    } _: { _ in
      let isFirst = count.withLock { count in
        count += 1
        return count == 1
      }
      throw isFirst ? MartletError(.connectionLost, "Lost.", phase: .wait) : Self.refused()
    }
    let error = await failure { try await session.send(Request(.post, "http://h/orders")) }
    #expect(error?.code == .connectionFailed)
    #expect(error?.isSafeToRetry == false)
  }

  @Test func `a POST with a key is not sent to another server, which does not know the key`()
    async throws
  {
    let session = try session {
      try fallback(&$0)
    } _: { _ in
      throw MartletError(.connectionLost, "Lost.", phase: .wait)
    }
    let request = try Request(.post, "http://h/orders", headers: [.idempotencyKey: "7"])
    _ = await failure { try await session.send(request) }
    #expect(Set(lines.current) == ["POST h/orders"])
  }

  @Test func `a POST that was not processed goes to the other server, without its credentials`()
    async throws
  {
    let credentials = Locked<[String?]>([])
    let session = try session {
      try fallback(&$0)
    } _: { request in
      credentials.withLock { $0.append(request.headers[.authorization]) }
      guard request.url.host == "second" else { throw Self.refused() }
      return .text("", to: request)
    }
    let request = try Request(.post, "http://h/orders", headers: [.authorization: "secret"])
    #expect(try await session.send(request).status == .ok)
    #expect(credentials.current == ["secret", "secret", "secret", nil])
  }

  @Test(
    arguments: [
      ("http://h/", "http://h/x?q=1", "http://second/x?q=1"),
      ("http://h", "http://h?q=1", "http://second?q=1"),
      ("http://h", "http://H:80/x", "http://second/x"),
      ("http://h/api", "http://h/api/x", "http://second/x"),
      ("http://h/api/", "http://h/api?q=1", "http://second?q=1"),
      ("http://h", "http://host/x", nil),
      ("http://h/api", "http://h/apix", nil), ("http://h", "https://h/x", nil),
    ] as [(String, String, String?)])
  func `a base URL is replaced as a whole`(primary: String, url: String, other: String?) throws {
    let second = try #require(URL(string: "http://second"))
    let fallback = Fallback(replacing: try #require(URL(string: primary)), with: second)
    let replacements = fallback.replacements(
      for: try Request(url), isUnprocessed: false, isDownload: false)
    // A URL with a slash for its empty path is the same.
    let found = replacements.first?.request.url.absoluteString
    #expect(found?.replacing("second/?", with: "second?") == other)
  }

  // MARK: Bodies of requests and writers

  @Test func `a body that the session cannot provide again is not sent again`() async throws {
    let session = try session { _ in
    } _: { request in
      .text("", to: request, status: .serviceUnavailable)
    }
    session.onNeedNewBody = { _ in nil }
    var request = try Request(.put, "http://h/file")
    request.body = .producer(length: nil, isReplayable: false) {
      try await $0(ByteBuffer(string: "x"))
    }
    #expect(try await session.send(request).status == .serviceUnavailable)
    #expect(lines.current == ["PUT h/file"])
  }

  private final class Writer: ResponseBodyWriter {
    let url = URL(fileURLWithPath: "/nowhere")
    let log = Locked<[String]>([])
    func write(_ chunks: [ByteBuffer]) throws { log.withLock { $0.append("write") } }
    func complete() throws { log.withLock { $0.append("complete") } }
    func abandon() { log.withLock { $0.append("abandon") } }
    func close() { log.withLock { $0.append("close") } }
  }

  @Test func `a writer does not receive a second body`() async throws {
    let server = try await ScriptedServer.start(
      .respond("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabcd"), .text("whole"))
    var configuration = SessionConfiguration()
    configuration.resilience.retry = .standard
    let session = URLSessionManager(configuration: configuration)
    let writer = Writer()
    var request = Request(url: server.url())
    request.delivery = Delivery(.writer(writer))
    let error = await failure { [request] in try await session.send(request) }
    #expect(error?.code == .bodyTruncated)
    // An error waits for its writer, but not longer than a second.
    try await eventually { writer.log.current.last == "close" }
    #expect(!writer.log.current.contains("complete"))
    #expect(server.receivedRequests.count == 1)
    await server.stop()
  }

  // MARK: Responses

  @Test func `a stored failure is not requested again`() async throws {
    let session = try session {
      $0.cache = MemoryResponseCache()
    } _: { request in
      .text("", to: request, status: .serviceUnavailable, headers: [.cacheControl: "max-age=60"])
    }
    for _ in 1...2 {
      #expect(try await session.send(Request("http://h/")).status == .serviceUnavailable)
    }
    #expect(lines.current.count == 1)
  }

  private func stream(_ scripts: Script...) async throws -> (Result<String, any Error>, Int) {
    let server = try await ScriptedServer.start()
    for script in scripts { server.enqueue(script) }
    var configuration = SessionConfiguration()
    configuration.resilience.retry = .standard
    configuration.resilience.clock = ResilienceClock(VirtualClock())
    let session = URLSessionManager(configuration: configuration)
    var request = Request(url: server.url("/file"))
    request.delivery = .stream
    let response = try await session.send(request)
    do {
      let text = String(buffer: try await response.body.collect())
      return (.success(text), server.receivedRequests.count)
    } catch {
      return (.failure(error), server.receivedRequests.count)
    }
  }

  private static let begin = "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 10\r\n\r\nabcd"

  @Test func `a part with more bytes than it announces is refused`() async throws {
    let (text, _) = try await stream(
      .respond(Self.begin),
      .respond(
        "HTTP/1.1 206 P\r\nETag: \"a\"\r\nContent-Range: bytes 4-9/10\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nefghijklm\r\n0\r\n\r\n"
      ))
    #expect(failure { try text.get() }?.code == .bodyLengthMismatch)
  }

  @Test func `parts that are shorter than they announce are failures, and end`() async throws {
    let empty = Script.respond(
      "HTTP/1.1 206 P\r\nConnection: close\r\nETag: \"a\"\r\nContent-Range: bytes 4-9/10\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    )
    let (text, count) = try await stream(.respond(Self.begin), empty, empty, empty, empty)
    let error = failure { try text.get() }
    #expect(error?.code == .bodyTruncated)
    #expect(error?.message.components(separatedBy: "Earlier attempts").count == 2)
    #expect(count == 3)
  }

  @Test func `parts that are shorter than requested are no failures`() async throws {
    let parts = (4...9).map { index in
      let letter = Array("abcdefghij")[index]
      return Script.respond(
        "HTTP/1.1 206 P\r\nConnection: close\r\nETag: \"a\"\r\nContent-Range: bytes \(index)-\(index)/10\r\nContent-Length: 1\r\n\r\n\(letter)"
      )
    }
    let (text, count) = try await stream(
      .respond(Self.begin), parts[0], parts[1], parts[2], parts[3], parts[4], parts[5])
    #expect(try text.get() == "abcdefghij")
    #expect(count == 7)
  }

  @Test func `a server that sends all again in chunks is read from the missing byte on`()
    async throws
  {
    let (text, _) = try await stream(
      .respond(Self.begin),
      .respond(
        "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nTransfer-Encoding: chunked\r\n\r\na\r\nabcdefghij\r\n0\r\n\r\n"
      ))
    #expect(try text.get() == "abcdefghij")
  }

  @Test func `a stream is not continued from another URL, even with the same tag`() async throws {
    let elsewhere = Script.respond(
      "HTTP/1.1 206 P\r\nConnection: close\r\nETag: \"a\"\r\nContent-Range: bytes 4-9/10\r\nContent-Length: 6\r\n\r\nEFGHIJ"
    )
    let (text, _) = try await stream(
      .respond(Self.begin), .redirect(to: "/other"), elsewhere)
    #expect(failure { try text.get() }?.code == .bodyTruncated)
  }
}
