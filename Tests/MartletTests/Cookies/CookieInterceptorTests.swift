import EssentialFoundation
import Foundation
import HTTPTypes
import MartletTesting
import NIOCore
import Testing

@testable import Martlet
@testable import MartletEssentials

/// Cookies of a session, on their way down and up.
@Suite(.timeLimit(.minutes(5)))
struct CookieInterceptorTests {
  private let server: LoopbackServer
  private let api: HTTPSessionManager

  init() async throws {
    server = try await LoopbackServer.start(router: Self.router)
    api = HTTPSessionManager(baseURL: server.url("/"))
  }

  /// Says in how many `Cookie` fields what came, and sets what the query says: `/say?set=a%3D1&status=401`.
  private static let router = ServerRouter([
    .any("/*") { request in
      let fields = request.headers[values: .cookie]
      var response = ServerResponse.text(fields.map { "[\($0)]" }.joined())
      for item in request.query {
        switch item.name {
        case "set": response.headers.append(HTTPField(name: .setCookie, value: item.value))
        case "status": response.status = HTTPResponse.Status(code: Int(item.value) ?? 500)
        case "to": response.headers[.location] = item.value
        case "age": response.headers[.cacheControl] = "max-age=\(item.value)"
        case "vary": response.headers[.vary] = item.value
        default: break
        }
      }
      return response
    }
  ])

  private func say(_ target: String, _ headers: HTTPFields = [:], handles: Bool? = nil)
    async throws -> String
  {
    try await say(target, headers, handles: handles, by: api)
  }

  private func say(
    _ target: String, _ headers: HTTPFields = [:], handles: Bool? = nil,
    by api: HTTPSessionManager
  ) async throws -> String {
    var request = Request(url: server.url(target), headers: headers)
    request.options.shouldHandleCookies = handles
    return String(buffer: try await api.send(request).body.collect())
  }

  private var jar: CookieJar? { api.session.configuration.cookieJar }

  @Test func `what a server sets it gets again`() async throws {
    #expect(try await say("/say?set=a%3D1&set=b%3D2") == "")
    #expect(try await say("/say") == "[a=1; b=2]")
    #expect(try await say("/say?set=a%3D%3Bmax-age%3D0") == "[a=1; b=2]")
    #expect(try await say("/say") == "[b=2]")
  }

  @Test func `a manager's cookies are its own, unless it shares them`() async throws {
    _ = try await say("/say?set=a%3D1")
    #expect(try await say("/say", by: HTTPSessionManager(baseURL: nil)) == "")
    let jar = jar
    let sharing = HTTPSessionManager(baseURL: nil) { $0.cookieJar = jar }
    #expect(try await say("/say", by: sharing) == "[a=1]")
    #expect(
      try await say("/say", by: HTTPSessionManager(baseURL: nil) { $0.cookieJar = .shared }) == "")
    let copy = api.session.copy()
    #expect(copy.configuration.cookieJar === jar)
  }

  @Test func `without a jar there are no cookies`() async throws {
    let api = HTTPSessionManager(baseURL: nil) { $0.cookieJar = nil }
    #expect(try await say("/say?set=a%3D1", by: api) == "")
    #expect(try await say("/say", by: api) == "")
    #expect(try await say("/say", [.cookie: "c=3; d=4"], by: api) == "[c=3; d=4]")
  }

  @Test func `a request can do without cookies, in both directions`() async throws {
    _ = try await say("/say?set=a%3D1")
    #expect(try await say("/say?set=b%3D2", handles: false) == "")
    #expect(try await say("/say", handles: true) == "[a=1]")
    #expect(try await say("/say", [.cookie: "c=3"], handles: false) == "[c=3]")
  }

  @Test func `what the caller says wins, and what is missing is added behind it`() async throws {
    _ = try await say("/say?set=a%3D1&set=b%3D2&set=c%3D3")
    #expect(try await say("/say", [.cookie: "b=mine"]) == "[b=mine; a=1; c=3]")
    #expect(try await say("/say", [.cookie: "x=1; b = mine"]) == "[x=1; b = mine; a=1; c=3]")
    #expect(
      try await say("/say", [.cookie: "a=; b=; c=; d=4"]) == "[a=; b=; c=; d=4]")
    #expect(try await say("/say", [.cookie: "nameless"]) == "[nameless; a=1; b=2; c=3]")
    #expect(jar?.cookies.map(\.pair) == ["a=1", "b=2", "c=3"])
  }

  @Test func `cookies of redirects count, on the way and at the end`() async throws {
    #expect(
      try await say("/a?status=302&set=a%3D1&to=/b%3Fstatus%3D302%26set%3Db%253D2%26to%3D/c")
        == "[a=1; b=2]")
    #expect(jar?.cookies.map(\.pair) == ["a=1", "b=2"])
  }

  @Test func `a redirect to another host gets that host's cookies alone`() async throws {
    let other = try await LoopbackServer.start(router: Self.router)
    let elsewhere = try #require(URL(string: "http://localhost:\(other.port)/"))
    try jar?.set(Cookie(name: "there", value: "1", domain: "localhost"))
    try jar?.set(Cookie(name: "here", value: "2", domain: "127.0.0.1"))
    let target = "/a?status=302&to=\(elsewhere.absoluteString)"
    #expect(try await say(target, [.cookie: "mine=3"]) == "[there=1]")
    #expect(try await say("/b?status=302&to=/c", [.cookie: "mine=3"]) == "[mine=3; here=2]")
  }

  @Test(arguments: [401, 403, 404, 407, 500]) func `cookies of failures count`(status: Int)
    async throws
  {
    _ = try await say("/say?status=\(status)&set=a%3D1")
    #expect(jar?.cookies.map(\.pair) == ["a=1"])
  }

  @Test func `cookies count even if the body fails or is not read yet`() async throws {
    let server = try await ScriptedServer.start(
      .respond("HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nContent-Length: 10\r\n\r\nabc"),
      .respond("HTTP/1.1 200 OK\r\nSet-Cookie: b=2\r\nContent-Length: 3\r\n\r\nabc"))
    let error = await failure { try await api.send(Request(url: server.url())) }
    #expect(error?.code == .bodyTruncated)
    #expect(jar?.cookies.map(\.pair) == ["a=1"])
    var request = Request(url: server.url())
    request.delivery = .stream
    let response = try await api.send(request)
    #expect(jar?.cookies.map(\.pair) == ["a=1", "b=2"])
    _ = try await response.body.collect()
  }

  @Test func `interim responses set nothing`() async throws {
    let server = try await ScriptedServer.start(
      .respond(
        "HTTP/1.1 103 Early Hints\r\nSet-Cookie: a=1\r\n\r\nHTTP/1.1 200 OK\r\nSet-Cookie: b=2\r\nContent-Length: 0\r\n\r\n"
      ))
    _ = try await api.send(Request(url: server.url()))
    #expect(jar?.cookies.map(\.pair) == ["b=2"])
  }

  @Test func `what a cache has kept sets no cookie again`() async throws {
    let api = HTTPSessionManager(baseURL: nil) { $0.cache = MemoryResponseCache() }
    let jar = api.session.configuration.cookieJar
    _ = try await say("/say?age=60&set=a%3D1", by: api)
    #expect(jar?.cookies.map(\.pair) == ["a=1"])
    // With another cookie, it would be another question.
    jar?.removeAll()
    let again = try await api.send(Request(url: server.url("/say?age=60&set=a%3D1")))
    #expect(again.headers[.setCookie] == "a=1")
    #expect(server.requestCount == 1)
    #expect(jar?.isEmpty == true)
  }

  @Test func `a response that depends on cookies is for those it came for`() async throws {
    let api = HTTPSessionManager(baseURL: nil) { $0.cache = MemoryResponseCache() }
    let jar = try #require(api.session.configuration.cookieJar)
    try jar.set(Cookie(name: "user", value: "ada", domain: "127.0.0.1"))
    let target = "/say?age=60&vary=Cookie"
    #expect(try await say(target, by: api) == "[user=ada]")
    try jar.set(Cookie(name: "user", value: "bob", domain: "127.0.0.1"))
    #expect(try await say(target, by: api) == "[user=bob]")
    #expect(try await say(target, by: api) == "[user=bob]")
    #expect(server.requestCount == 2)
  }

  @Test func `no intermediary puts a jar's cookies into a table`() async throws {
    let jar = CookieJar()
    try jar.set(
      Cookie(name: "id", value: String(repeating: "x", count: 40), domain: "a.example"))
    let sent = Locked<[HTTPField]>([])
    let transport = InProcessTransport { request in
      sent.withLock { $0 = request.headers[fields: .cookie] }
      return Response(head: ResponseHead(status: .ok), url: request.url)
    }
    let request = try Request(.get, "http://a.example/")
    _ = try await Pipeline([CookieInterceptor(jar)], transport: transport).send(request)
    #expect(sent.current.map(\.indexingStrategy) == [.disallow])
    #expect(request.headers.isEmpty)
  }

  @Test func `over HTTP·2 cookies come and go alike`() async throws {
    let server = try await LoopbackServer.start(priorKnowledge: true, router: Self.router)
    let api = HTTPSessionManager(baseURL: server.url("/")) { $0.versions = .http2 }
    _ = try await api.get("say", parameters: ["set": "a=1"])
    let response = try await api.get("say")
    #expect(String(buffer: try await response.body.collect()) == "[a=1]")
  }

  @Test func `a bomb of as many cookies as a head may have leaves fifty`() async throws {
    let bomb = (0..<4000).map { "Set-Cookie: c\($0)=\r\n" }.joined()
    let server = try await ScriptedServer.start(
      .respond("HTTP/1.1 200 OK\r\n\(bomb)Content-Length: 0\r\n\r\n"), .text("ok"))
    _ = try await api.send(Request(url: server.url()))
    _ = try await api.send(Request(url: server.url()))
    #expect(jar?.cookies.count == 50)
    #expect(server.receivedRequests[1].header("Cookie")?.hasPrefix("c3950=; c3951=") == true)
  }

  @Test func `a huge cookie is refused, and the response is none the worse`() async throws {
    let server = try await ScriptedServer.start(
      .reply(
        CannedResponse(
          200, ["Set-Cookie": "a=\(String(repeating: "x", count: 200_000))", "X": "y"], "ok")))
    let response = try await api.send(Request(url: server.url()))
    #expect(response.status == .ok)
    #expect(jar?.isEmpty == true)
  }
}

/// httpbin's routes.
@Suite(.timeLimit(.minutes(5)))
struct HttpbinCookieTests {
  private struct Answer: Decodable {
    let cookies: [String: String]
  }

  @Test func `cookies are set by redirects, shown and deleted`() async throws {
    let server = try await Httpbin()
    let api = HTTPSessionManager(baseURL: server.base)
    let set: Answer = try await api.get("cookies/set", parameters: ["a": "1", "b": "2"])
    #expect(set.cookies == ["a": "1", "b": "2"])
    let more: Answer = try await api.get("cookies/set/c/3")
    #expect(more.cookies == ["a": "1", "b": "2", "c": "3"])
    let fewer: Answer = try await api.get("cookies/delete", parameters: ["a": "", "c": ""])
    #expect(fewer.cookies == ["b": "2"])
    let shown: Answer = try await api.get("cookies")
    #expect(shown.cookies == ["b": "2"])
    let mine: Answer = try await api.get("cookies", headers: [.cookie: "b=mine; d=4"])
    #expect(mine.cookies == ["b": "mine", "d": "4"])
  }
}
