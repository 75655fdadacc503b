import EssentialFoundation
import Foundation
import HTTPTypes
import Martlet
import MartletTesting
import NIOCore
import TestTiming
import Testing

/// What must not come from a cache, and what must not go into one.
@Suite(.timeLimit(.minutes(5)))
struct CacheSafetyTests {
  private let session: URLSessionManager
  private let cache = MemoryResponseCache()
  private let sent = Locked(0)

  /// Every answer is a number that grows, and fresh for a minute; `/moved` leads to `/`.
  init() {
    let sent = sent
    var configuration = SessionConfiguration()
    configuration.cache = cache
    configuration.transport = InProcessTransport { request in
      let number = sent.withLock { sent in
        sent += 1
        return sent
      }
      var head = ResponseHead(status: .ok, headers: [.cacheControl: "max-age=60"])
      if request.url.path == "/moved" {
        head.status = .movedPermanently
        head.headers[.location] = "/"
      }
      return Response(
        head: head, url: request.url, body: ResponseBody(bytes: ByteBuffer(string: "\(number)")))
    }
    session = URLSessionManager(configuration: configuration)
    session.completionQueue = .global()
  }

  private func request(
    _ path: String = "/", _ method: HTTPRequest.Method = .get, headers: HTTPFields = [:],
    body: RequestBody = .empty, delivery: Delivery = .buffered
  ) throws -> Request {
    var request = try Request(method, "http://h\(path)", headers: headers, body: body)
    request.delivery = delivery
    return request
  }

  private func fetch(_ request: Request) async throws -> String {
    String(buffer: try await session.send(request).body.collect())
  }

  @Test func `two sockets have different keys`() throws {
    let keys = try ["http+unix://%2Fa%2Fb/c", "http+unix://%2Fa/b/c"].map {
      CacheKey(try Request($0))
    }
    #expect(keys[0] != keys[1])
    #expect(keys[1].url == "http+unix://%2Fa/b/c")
  }

  // MARK: What is kept

  @Test func `a body that was thrown away is not kept as one without bytes`() async throws {
    _ = try await session.send(request(delivery: .discard))
    #expect(try await fetch(request()) == "1")
    #expect(try await fetch(request()) == "1")
  }

  @Test func `a redirect that was followed is stored with its body`() async throws {
    #expect(try await fetch(request("/moved")) == "2")
    #expect(try await fetch(request("/moved")) == "2")
    session.onRedirect = { _, _, _ in nil }
    #expect(try await fetch(request("/moved")) == "1")
  }

  @Test func `so is one of a request with a key of its own`() async throws {
    for _ in 0..<2 {
      var request = try request("/moved")
      request.cacheKey = "key"
      #expect(try await fetch(request) == "2")
    }
  }

  // MARK: Credentials

  @Test(arguments: [
    HTTPField(name: .cookie, value: "who=ada"),
    HTTPField(name: .proxyAuthorization, value: "Basic YWRh"),
    .secret("X-Key", "ada"),
    HTTPField(name: HTTPField.Name("X-Api-Key") ?? .cookie, value: "ada"),
  ])
  func `credentials of every kind keep responses apart`(field: HTTPField) async throws {
    var other = field
    other.value += "2"
    #expect(try await fetch(request()) == "1")
    #expect(try await fetch(request(headers: HTTPFields([field]))) == "2")
    #expect(try await fetch(request(headers: HTTPFields([other]))) == "3")
    #expect(try await fetch(request(headers: HTTPFields([field]))) == "2")
  }

  /// A nonce is answered anew each time, so that nothing of it would ever be found again.
  @Test(arguments: ["Digest", "digest"])
  func `what was had by Digest is not kept`(scheme: String) async throws {
    let headers: HTTPFields = [.authorization: "\(scheme) username=\"ada\", nc=00000001"]
    #expect(try await fetch(request(headers: headers)) == "1")
    #expect(try await fetch(request(headers: headers)) == "2")
    #expect(cache.size == 0)
  }

  @Test func `a change makes the stored responses of its URL invalid, whatever their credentials`()
    async throws
  {
    let (ada, bob): (HTTPFields, HTTPFields) = (
      [.authorization: "Bearer ada"], [.authorization: "Bearer bob"]
    )
    #expect(try await fetch(request()) == "1")
    #expect(try await fetch(request(headers: ada)) == "2")
    #expect(try await fetch(request("/other")) == "3")
    #expect(try await fetch(request("/", .post, headers: bob)) == "4")
    #expect(try await fetch(request()) == "5")
    #expect(try await fetch(request(headers: ada)) == "6")
    #expect(try await fetch(request("/other")) == "3")
  }

  // MARK: What is answered

  @Test func `a request with a body is sent, as its body may be the question`() async throws {
    #expect(try await fetch(request()) == "1")
    #expect(try await fetch(request(body: .text("which?"))) == "2")
    #expect(try await fetch(request()) == "1")
  }

  @Test(arguments: [HTTPRequest.Method.post, .head, .options], [true, false])
  func `what must not be loaded is not, whatever its method`(
    method: HTTPRequest.Method, byPolicy: Bool
  ) async throws {
    var request = try request("/", method)
    if byPolicy {
      request.options.cachePolicy = .returnCacheDataDontLoad
    } else {
      request.headers[.cacheControl] = "only-if-cached"
    }
    let error = await failure { try await session.send(request) }
    #expect(error?.code == .notCached)
    #expect(sent.current == 0)
  }

  @Test func `what is kept says how old it is (RFC 9111 §5·1)`() async throws {
    #expect(try await session.send(request()).headers[.age] == nil)
    let age = try await session.send(request()).headers[.age].flatMap { Int($0) }
    #expect(age.map { (0..<30).contains($0) } == true)
  }

  @Test func `for a stored response that becomes a download, each hook is called once`()
    async throws
  {
    #expect(try await fetch(request()) == "1")
    let told = session.makeDownloads()
    let file = try #require(try await session.send(request()).body.file)
    #expect(try String(contentsOf: file, encoding: .utf8) == "1")
    try FileManager.default.removeItem(at: file)
    try await eventually { told.current.last == "over" }
    #expect(told.current == ["asked", "became", "over"])
  }

  @Test(
    arguments: [
      HTTPField(name: .authorization, value: "Bearer ada"), HTTPField(name: .cookie, value: "a=1"),
      .secret("X-Key", "ada"),
    ], [HTTPRequest.Method.get, .post])
  func `what was sent with credentials that were added below the cache is not stored`(
    field: HTTPField, method: HTTPRequest.Method
  ) async throws {
    let rig = CacheRig(
      below: [FieldInterceptor(field: field)],
      answering: (200, [.cacheControl: "max-age=60", .contentLocation: "/"]))
    try await rig.send(method)
    #expect(rig.lastHeaders.contains(field))
    #expect(try await rig.get() == "2")
    #expect(rig.statistics().stored == 0)
  }

  @Test func `a stored response that cannot be decompressed sets no cookies`() async throws {
    let request = try request()
    let head = ResponseHead(
      status: .ok,
      headers: [.cacheControl: "max-age=60", .contentEncoding: "gzip", .setCookie: "a=1"])
    let record = CachedResponse.Record(
      head: head, url: request.url, requestTime: Date(), responseTime: Date())
    let body = ResponseBody(bytes: ByteBuffer(string: "no gzip"))
    try await cache.store(CachedResponse(record, body: body), for: CacheKey(request))
    let error = await failure { try await session.send(request) }
    #expect(error?.code == .contentDecodingFailed && error?.response?.status == .ok)
    #expect(session.configuration.cookieJar?.isEmpty == true)
    #expect(sent.current == 0)
  }
}

extension HTTPField {
  /// A field that its caller has marked as secret.
  fileprivate static func secret(_ name: String, _ value: String) -> HTTPField {
    var field = HTTPField(name: HTTPField.Name(name) ?? .from, value: value)
    field.indexingStrategy = .disallow
    return field
  }
}
