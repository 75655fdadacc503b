// Compiled as an application would be: `import Martlet`, and no feature flag.

import Foundation
import Martlet
import MartletTesting
import Testing

/// What a response offers: its request, its values, its lines.
@Suite(.timeLimit(.minutes(5)))
struct ResponseSampleTests {
  private let server: LoopbackServer
  private let api: HTTPSessionManager

  init() async throws {
    server = try await LoopbackServer.start()
    api = HTTPSessionManager(baseURL: server.url("/"))
  }

  @Test(arguments: [false, true])
  func `a body is data, text, JSON or a value of your type`(isStream: Bool) async throws {
    func get(_ path: String) async throws -> Response {
      try await api.get(path) { if isStream { $0.delivery = .stream } }
    }
    #expect(try await get("bytes/1000").data().count == 1000)
    #expect(try await get("robots.txt").text().hasPrefix("User-agent"))
    #expect(try await get("response-headers?name=Ada").json()?["name"] == "Ada")
    #expect(try await get("response-headers?name=Ada").decode(User.self) == User(name: "Ada"))
    let user: User = try await get("response-headers?name=Ada").decode()
    #expect(user.name == "Ada")
  }

  @Test(arguments: [false, true])
  func `a limit holds for bodies in memory and for streams`(isStream: Bool) async throws {
    let error = await failure {
      try await api.get("bytes/1000") { if isStream { $0.delivery = .stream } }.data(upTo: 999)
    }
    #expect(error?.code == .bodyTooLarge)
  }

  @Test func `the text has the charset of its content type`() async throws {
    let api = manager {
      .data(Data([0xC4]), to: $0, contentType: "text/plain; charset=iso-8859-1")
    }
    #expect(try await api.get("").text() == "Ä")
    #expect(await failure { try await api.get("").decode(User.self) }?.code == .decodingFailed)
  }

  @Test func `a failed status can be read as a value, too`() async throws {
    let api = manager { try .json(User(name: "Ada"), to: $0, status: .conflict) }
    let response = try await api.response(.get, "")
    #expect(try await response.decode(User.self).name == "Ada")
    #expect(try await response.text() == #"{"name":"Ada"}"#)
    let error = await failure { try await api.get("") }
    #expect(try error?.decode(User.self).name == "Ada")
    #expect(await failure { try error?.decode([Int].self) }?.code == .decodingFailed)
  }

  @Test func `a response knows the request that was answered`() async throws {
    let response = try await api.get("redirect/1", headers: ["X-A": "1"])
    #expect(response.request?.url == server.url("/get"))
    #expect(response.request?.headers.contains { $0.name.rawName == "X-A" } == true)
    #expect(response.request?.call == nil)
    let own = manager { .status(.noContent, to: $0) }
    #expect(try await own.get("x").request?.url.absoluteString == "http://in.process/x")
  }

  // MARK: Errors as JSON

  @Test func `types with the suffix +json are JSON`() async throws {
    let api = manager {
      .text(#"{"name":"Ada"}"#, to: $0, contentType: "application/vnd.birds.v2+json")
    }
    #expect(try await api.get("", as: User.self).name == "Ada")
    let other = manager { .text(#"{"name":"Ada"}"#, to: $0, contentType: "application/x+jso") }
    #expect(
      await failure { try await other.get("", as: User.self) }?.code == .unacceptableContentType)
  }

  @Test func `problem details are a value of the error (RFC 9457)`() async throws {
    let text = """
      {"type": "https://example.com/out-of-credit", "title": "Not enough credit", "status": 403,
       "detail": "Your balance is 30.", "instance": 7, "balance": 30}
      """
    let api = manager {
      .text(text, to: $0, contentType: "application/problem+json", status: .forbidden)
    }
    for error in await [
      failure { try await api.post("buy") }, failure { try await api.post("buy", as: User.self) },
    ] {
      let problem = try #require(error?.problemDetails)
      #expect(problem.type == "https://example.com/out-of-credit")
      #expect(problem.title == "Not enough credit")
      #expect(problem.status == 403)
      #expect(problem.detail == "Your balance is 30.")
      #expect(problem.instance == nil)
      #expect(problem.extensions == ["balance": 30])
    }
    let plain = manager { .text("{}", to: $0, status: .forbidden) }
    #expect(await failure { try await plain.get("") }?.problemDetails == nil)
  }

  // MARK: Lines

  @Test(arguments: [
    ("a\nb\r\n\nc", ["a", "b", "", "c"]), ("", []), ("\n", [""]), ("a\n", ["a"]),
    ("a\rb\n", ["a\rb"]), ("\r\n\r", ["", "\r"]), ("ä\nö", ["ä", "ö"]),
  ])
  func `a body has lines`(text: String, lines: [String]) async throws {
    for size in [1, 2, 3, 100] {
      let chunks = Array(text.utf8).chunks(of: size)
      let api = manager { request in
        var response = Response.status(.ok, to: request)
        response.body = ResponseBody(stream: Chunks(chunks))
        return response
      }
      var found: [String] = []
      let response = try await api.get("") { $0.delivery = .stream }
      for try await line in response.lines() { found.append(line) }
      #expect(found == lines)
    }
  }

  @Test func `a line that is too long is an error`() async throws {
    let api = manager { .text("ab\nabcd\nabc", to: $0) }
    var found: [String] = []
    let response = try await api.get("")
    do {
      for try await line in response.lines(upTo: 3) { found.append(line) }
    } catch let error as MartletError {
      #expect(error.code == .bodyTooLarge)
    }
    #expect(found == ["ab"])
  }

  @Test func `a stream can be cancelled by its handle`() async throws {
    let stream = try await api.get("drip?duration=10&numbytes=10") { $0.delivery = .stream }
    let lines = Task {
      for try await _ in stream.lines() {}
    }
    stream.body.cancel()
    let error = await failure { try await lines.value }
    #expect(error?.code == .cancelled)
  }

  private func manager(_ handler: @escaping InProcessTransport.Handler) -> HTTPSessionManager {
    HTTPSessionManager(baseURL: URL(string: "http://in.process/")) {
      $0.transport = InProcessTransport(handler)
    }
  }
}

extension [UInt8] {
  fileprivate func chunks(of size: Int) -> [ByteBuffer] {
    stride(from: 0, to: count, by: size).map {
      ByteBuffer(bytes: self[$0..<Swift.min($0 + size, count)])
    }
  }
}

/// A body in the given chunks.
private final class Chunks: ResponseBodySource, @unchecked Sendable {
  private let lock = NSLock()
  private var rest: ArraySlice<ByteBuffer>

  init(_ chunks: [ByteBuffer]) { rest = chunks[...] }

  func next() async throws -> ByteBuffer? { lock.withLock { rest.popFirst() } }
  func abandon() {}
  var completion: ResponseBody.Completion? { nil }
}
