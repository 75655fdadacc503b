import Foundation
import HTTPTypes
import MartletTesting
import NIOCore
import Testing

/// The routes that answer with something else than an echo, asked without a network.
@Suite(.timeLimit(.minutes(5)))
struct ServerRouteTests {
  private let router = ServerRouter.httpbin()

  private func get(_ target: String, _ headers: HTTPFields = [:]) async -> ServerResponse {
    await router.response(to: ServerRequest(method: .get, target: target, headers: headers))
  }

  @Test(arguments: [200, 204, 302, 304, 401, 404, 418, 500, 599, 999])
  func `a status is the one asked for`(code: Int) async {
    let response = await get("/status/\(code)")
    #expect(response.status.code == code)
    #expect(response.headers[.contentType] == "text/html; charset=utf-8")
  }

  @Test(arguments: [
    "/status/100", "/status/1000", "/status/x", "/status/200:x", "/status/", "/status/,",
  ])
  func `a status that cannot be is refused`(target: String) async {
    #expect(await get(target).status == .badRequest)
  }

  @Test func `of several statuses one is drawn by weight`() async {
    #expect(await get("/status/500:0,200:1").status == .ok)
  }

  @Test func `redirects count down to get`() async {
    #expect(await get("/redirect/3").headers[.location] == "/relative-redirect/2")
    #expect(await get("/relative-redirect/2").headers[.location] == "/relative-redirect/1")
    #expect(await get("/redirect/1").headers[.location] == "/get")
    #expect(await get("/redirect/0").status == .badRequest)
  }

  @Test func `absolute redirects name the host`() async throws {
    let host = HTTPFields([HTTPField(name: try #require(.init("Host")), value: "a:1")])
    #expect(
      await get("/absolute-redirect/2", host).headers[.location] == "http://a:1/absolute-redirect/1"
    )
    #expect(await get("/redirect/1?absolute=true", host).headers[.location] == "http://a:1/get")
  }

  @Test func `a redirect has the location and the status that its query names`() async {
    let response = await get("/redirect-to?url=http%3A%2F%2Fx%2F%3Fa&status_code=307")
    #expect(response.status == .temporaryRedirect)
    #expect(response.headers[.location] == "http://x/?a")
    #expect(await get("/redirect-to?url=a%0D%0Ab").status == .badRequest)
    #expect(await get("/redirect-to?url=a&status_code=200").status == .badRequest)
  }

  @Test func `cookies are set, shown and deleted`() async {
    let set = await get("/cookies/set?a=1&b=2")
    #expect(set.headers[values: .setCookie] == ["a=1; Path=/", "b=2; Path=/"])
    #expect(set.headers[.location] == "/cookies")
    #expect(await get("/cookies/set/c/3").headers[.setCookie] == "c=3; Path=/")
    #expect(await get("/cookies/delete?a").headers[.setCookie]?.contains("Max-Age=0") == true)
    #expect(await get("/cookies/set?a=%0A").status == .badRequest)
    let shown = await get("/cookies", [.cookie: "a=1; b=\"x=y\""])
    #expect(shown.text.contains(#""b" : "\"x=y\"""#))
  }

  @Test func `a tag answers conditions`() async {
    #expect(await get("/etag/abc").headers[.eTag] == "\"abc\"")
    #expect(await get("/etag/abc", [.ifNoneMatch: "\"x\", W/\"abc\""]).status == .notModified)
    #expect(await get("/etag/abc", [.ifNoneMatch: "\"x\""]).status == .ok)
    #expect(await get("/etag/abc", [.ifMatch: "\"x\""]).status == .preconditionFailed)
    #expect(await get("/etag/abc", [.ifMatch: "*"]).status == .ok)
  }

  @Test func `the cache route has validators and honours them`() async {
    let response = await get("/cache")
    #expect(response.headers[.lastModified] != nil && response.headers[.eTag] != nil)
    #expect(await get("/cache", [.ifNoneMatch: "x"]).status == .notModified)
    #expect(await get("/cache/60").headers[.cacheControl] == "public, max-age=60")
  }

  @Test func `headers are made from the query`() async {
    let response = await get("/response-headers?X-A=1&X-A=2&Content-Type=text/plain")
    #expect(response.headers[values: .init("X-A") ?? .from] == ["1", "2"])
    #expect(response.headers[values: .contentType] == ["text/plain"])
    #expect(await get("/response-headers?X%20A=1").status == .badRequest)
    #expect(await get("/response-headers?X-A=%0D%0AX-B:1").status == .badRequest)
  }

  @Test func `an image comes in the format that is accepted`() async {
    #expect(await get("/image").headers[.contentType] == "image/png")
    #expect(await get("/image", [.accept: "image/jpeg"]).headers[.contentType] == "image/jpeg")
    #expect(await get("/image", [.accept: "text/html,*/*"]).headers[.contentType] == "image/png")
    #expect(await get("/image", [.accept: "text/html"]).status == .notAcceptable)
    #expect(await get("/image/tiff").status == .notFound)
  }

  @Test func `an image can be as big as needed`() async throws {
    let body = await get("/image/jpeg/5000000").body
    guard case .producer(let length, let produce) = body else {
      Issue.record("not a producer")
      return
    }
    #expect(length == 5_000_000)
    let count = AwaitableValue(0)
    try await produce { chunk in count.update { $0 += chunk.readableBytes } }
    #expect(count.current == 5_000_000)
  }

  @Test(arguments: [
    "/", "/html", "/xml", "/json", "/robots.txt", "/deny", "/encoding/utf8", "/uuid", "/links/3/0",
  ])
  func `a page is there`(target: String) async {
    let response = await get(target)
    #expect(response.status == .ok)
    #expect(!response.text.isEmpty)
  }

  @Test func `base64 is decoded`() async {
    #expect(await get("/base64/dGVybnM=").text == "terns")
    #expect(await get("/base64/***").status == .badRequest)
  }

  @Test func `routes of one's own are possible`() async {
    let router = ServerRouter([
      .get("/hello/:name") { .text("Hello, \($0.parameters["name"] ?? "")!") }
    ])
    let answer = await router.response(to: ServerRequest(method: .head, target: "/hello/A%20B?x"))
    #expect(answer.text == "Hello, A B!")
  }

  @Test func `a target with an authority has a path and a query, even without a slash`() {
    for (target, path, url) in [
      ("http://a?x=/1", "/", "http://localhost/?x=/1"),
      ("http://a/b?x=/1", "/b", "http://localhost/b?x=/1"),
    ] {
      let request = ServerRequest(method: .get, target: target)
      #expect(request.path == path)
      #expect(request.query("x") == "/1")
      #expect(request.url == url)
    }
    #expect(ServerRequest(method: .get, target: "http://a").url == "http://localhost/")
  }

  @Test func `a handler that throws is a server error`() async {
    let router = ServerRouter([.any("/") { _ in throw CancellationError() }])
    let answer = await router.response(to: ServerRequest(method: .get, target: "/"))
    #expect(answer.status == .internalServerError)
  }
}

extension ServerResponse {
  fileprivate var text: String {
    if case .bytes(let bytes) = body { String(buffer: bytes) } else { "" }
  }
}
