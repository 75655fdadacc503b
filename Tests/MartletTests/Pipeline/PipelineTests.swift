import EssentialFoundation
import Foundation
import Martlet
import MartletTesting
import NIOCore
import Testing

/// Redirects and decompression on the way up.
@Suite(.timeLimit(.minutes(5)))
struct HttpbinPipelineTests {
  private let server: Httpbin
  private let api: HTTPSessionManager

  init() async throws {
    server = try await Httpbin()
    api = HTTPSessionManager(baseURL: server.base)
  }

  @Test(arguments: ["redirect/3", "absolute-redirect/3", "relative-redirect/3"])
  func `redirects are followed to the last`(path: String) async throws {
    let call = Call()
    let redirects = Locked(0)
    call.observe { event in
      if case .redirecting = event.kind { redirects.withLock { $0 += 1 } }
    }
    var request = try api.request(.get, path)
    request.call = call
    let response = try await api.send(request)
    #expect(response.status == .ok)
    #expect(response.url == server.url("get"))
    #expect(redirects.current == 3)
    if let server = server.loopback { #expect(server.connectionCount == 1) }
  }

  @Test func `a redirect's own body never reaches the file`() async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("body")
    var request = try api.request(.get, "redirect/2")
    request.delivery = .file(at: file)
    let response = try await api.send(request)
    #expect(response.body.file == file)
    let echo = try JSONDecoder().decode(Echo.self, from: Data(contentsOf: file))
    #expect(echo.url == server.url("get").absoluteString)
  }

  @Test func `without redirects the redirect is the response`() async throws {
    let api = HTTPSessionManager(baseURL: server.base) { $0.redirectPolicy = .disabled }
    let response = try await api.response(.get, "redirect/1")
    #expect(response.status == .found)
    #expect(response.headers.contains(.location))
  }

  @Test(arguments: ["gzip", "deflate"])
  func `a compressed body comes out plain, in memory, as a stream and in a file`(path: String)
    async throws
  {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("body")
    let flag = path == "gzip" ? "gzipped" : "deflated"
    for delivery in [Delivery.buffered, .stream, .file(at: file)] {
      var request = try api.request(.get, path)
      request.delivery = delivery
      let response = try await api.send(request)
      let body = try JSON(parsing: Data(try await response.body.collect().readableBytesView))
      #expect(body[flag]?.boolValue == true)
      #expect(response.headers[.contentEncoding] == path)
    }
    let saved = try JSON(parsing: Data(contentsOf: file))
    #expect(saved[flag]?.boolValue == true)
  }

  @Test func `the response to a request for an encoding is not decoded`() async throws {
    let response = try await api.get("gzip", headers: [.acceptEncoding: "gzip"])
    let bytes = try #require(response.body.bytes)
    #expect(Array(bytes.readableBytesView.prefix(2)) == [0x1F, 0x8B])
  }

  @Test func `the application's interceptors come first, in order`() async throws {
    struct Stamp: Interceptor {
      let text: String
      func send(_ request: Request, next: Next) async throws -> Response {
        var request = request
        try request.headers.append(name: "X-Stamp", value: text)
        return try await next.send(request)
      }
    }
    let api = HTTPSessionManager(baseURL: server.base) {
      $0.interceptors.perCall = [Stamp(text: "first"), Stamp(text: "second")]
    }
    let echo: Echo = try await api.get("get")
    #expect(echo.headers["X-Stamp"] == "first,second")
  }
}

/// The two places for an application's interceptors, and what they know there.
@Suite(.timeLimit(.minutes(5)))
struct InterceptorPlaceTests {
  private let notes = Locked<[String]>([])

  private func session(_ server: ScriptedServer, cache: Bool = false) -> URLSessionManager {
    var configuration = SessionConfiguration()
    if cache { configuration.cache = MemoryResponseCache() }
    configuration.interceptors.perCall = [Noting(place: "call", notes: notes)]
    configuration.interceptors.perExchange = [Noting(place: "exchange", notes: notes)]
    return URLSessionManager(configuration: configuration)
  }

  @Test func `a call is seen once, and each of its requests with the cookies it goes out with`()
    async throws
  {
    let server = try await ScriptedServer.start(
      .status(302, ["Location": "/end", "Set-Cookie": "a=1", "Connection": "close"]), .text("ok"))
    #expect(try await session(server).send(Request(url: server.url("/start"))).status == .ok)
    #expect(
      notes.current == [
        "call /start 0 nil", "exchange /start 0 nil", "exchange gets 302",
        "exchange /end 1 a=1", "exchange gets 200", "call gets 200",
      ])
    await server.stop()
  }

  @Test func `what the cache has is seen above it only`() async throws {
    let server = try await ScriptedServer.start(
      .reply(CannedResponse(200, ["Cache-Control": "max-age=60"], "kept")))
    let session = session(server, cache: true)
    for _ in 0..<2 { _ = try await session.send(Request(url: server.url("/"))) }
    #expect(notes.current.filter { $0.hasPrefix("exchange") }.count == 2)
    #expect(notes.current.filter { $0.hasPrefix("call") }.count == 4)
    await server.stop()
  }

  @Test func `an interceptor knows the task of its session, and none without`() async throws {
    struct Tagging: Interceptor {
      func prepare(_ request: inout Request, context: CallContext) -> RequestPreparation {
        request.headers[.from] = context.task.map { "\($0.originalRequest.url.path)" } ?? "nobody"
        return .passThrough
      }
    }
    let transport = InProcessTransport { request in
      Response(
        head: ResponseHead(status: .ok, headers: [.from: request.headers[.from] ?? ""]),
        url: request.url)
    }
    var configuration = SessionConfiguration()
    configuration.transport = transport
    configuration.interceptors.perExchange = [Tagging()]
    let request = try Request(.get, "http://example.com/a")
    let session = URLSessionManager(configuration: configuration)
    #expect(try await session.send(request).headers[.from] == "/a")
    let alone = Pipeline([Tagging()], transport: transport)
    #expect(try await alone.send(request).headers[.from] == "nobody")
  }
}

/// Notes what passes it.
private struct Noting: Interceptor {
  let place: String
  let notes: Locked<[String]>

  private func note(_ text: String) { notes.withLock { $0.append("\(place) \(text)") } }

  func prepare(_ request: inout Request, context: CallContext) -> RequestPreparation {
    note("\(request.target) \(context.attemptCount) \(request.headers[.cookie] ?? "nil")")
    return .inspectResponse
  }

  func inspect(_ response: Response, to request: Request, context: CallContext)
    -> ResponseInspection
  {
    note("gets \(response.status.code)")
    return .passThrough
  }
}

/// A folder that is removed with the last reference to it.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// Everything in it, hidden files included.
  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
  }
}
