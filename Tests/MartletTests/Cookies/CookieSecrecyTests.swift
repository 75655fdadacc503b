import EssentialFoundation
import Foundation
import HTTPTypes
import MartletTesting
import NIOCore
import Testing

@testable import Martlet
@testable import MartletEssentials

/// Values of cookies stay out of everything that people and logs see.
@Suite(.timeLimit(.minutes(5)))
struct CookieSecrecyTests {
  private static let canary = "canary-4711"

  /// Every way in which a value becomes text.
  private func texts(of value: Any) -> [String] {
    var dumped = ""
    dump(value, to: &dumped)
    return [String(describing: value), String(reflecting: value), dumped, "\([value])"]
  }

  private func expectSecrecy(of value: Any) {
    for text in texts(of: value) { #expect(!text.contains(Self.canary)) }
  }

  @Test func `a cookie describes itself without its value`() throws {
    let cookie = Cookie(
      name: "id", value: Self.canary, domain: "a.example", isHostOnly: false, path: "/x",
      expires: Date(timeIntervalSince1970: 1_782_864_000), isSecure: true, isHTTPOnly: true,
      sameSite: .lax)
    #expect(
      "\(cookie)"
        == "<Cookie: id=*** for a.example and below, path /x, secure, HTTP only, SameSite Lax, until 2026-07-01T00:00:00Z>"
    )
    #expect(
      "\(Cookie(name: "", value: Self.canary, domain: "h"))" == "<Cookie: *** for h, path />")
    for seconds in [-.infinity, .infinity, .nan, 1e300] {
      let cookie = Cookie(
        name: "a", value: "b", domain: "h", expires: Date(timeIntervalSince1970: seconds))
      #expect("\(cookie)" == "<Cookie: a=*** for h, path /, until a date out of range>")
    }
    expectSecrecy(of: cookie)
    expectSecrecy(of: [cookie])
    let jar = CookieJar { CookieCase.now }
    try jar.set(cookie)
    #expect("\(jar)" == "<CookieJar: 1 cookie>")
    expectSecrecy(of: jar)
    expectSecrecy(of: CookieInterceptor(jar))
    expectSecrecy(of: CookieFile(URL(fileURLWithPath: "/tmp/x")))
    var configuration = SessionConfiguration()
    configuration.cookieJar = jar
    expectSecrecy(of: configuration)
  }

  @Test func `neither events nor errors show the value of a cookie`() async throws {
    let server = try await ScriptedServer.start(
      .keepAlive([
        .reply(
          CannedResponse(
            302, ["Location": "/next", "Set-Cookie": "id=\(Self.canary)", "X": "y"])),
        .reply(
          CannedResponse(
            200,
            ["Cache-Control": "max-age=60", "Vary": "Cookie", "Set-Cookie": "b=\(Self.canary)"],
            "ok")),
        .reply(CannedResponse(404, ["Set-Cookie": "c=\(Self.canary)"])),
      ]))
    let kept = Locked<[CachedResponse]>([])
    let api = HTTPSessionManager(baseURL: server.url("/")) { $0.cache = MemoryResponseCache() }
    api.session.onWillCacheResponse = { _, response in
      kept.withLock { $0.append(response) }
      return response
    }
    let heard = Locked<[String]>([])
    let call = Call()
    call.observe { event in
      var dumped = ""
      dump(event, to: &dumped)
      heard.withLock { $0 += ["\(event)", dumped] }
    }
    var request = try api.request(.get, "first")
    request.call = call
    let response = try await api.send(request)
    #expect(server.receivedRequests.last?.header("Cookie") == "id=\(Self.canary)")
    #expect(heard.current.contains { $0.contains("Cookie: ***") })
    for text in heard.current { #expect(!text.contains(Self.canary)) }
    expectSecrecy(of: response)
    for kept in kept.current { expectSecrecy(of: kept) }
    #expect(kept.current.count == 1)
    #expect(
      "\(kept.current[0])".hasPrefix("<CachedResponse: 200 OK [Cache-Control: max-age=60, "))
    let error = await failure { try await api.get("missing", as: String.self) }
    #expect(error?.response?.headers.contains(.setCookie) == true)
    expectSecrecy(of: error as Any)
    expectSecrecy(of: api.session)
    expectSecrecy(of: api.session.configuration)
  }
}
