import EssentialFoundation
import Foundation
import HTTPTypes
import Martlet
import MartletTesting
import NIOCore
import SpecificationCoverage
import Testing

/// Responses that are kept for later requests.
@Suite(.timeLimit(.minutes(5)))
struct CacheTests {
  private let server: LoopbackServer
  private let cache = MemoryResponseCache()
  private let session: URLSessionManager

  init() async throws {
    server = try await .start(router: Self.router)
    var configuration = SessionConfiguration()
    configuration.cache = cache
    session = URLSessionManager(configuration: configuration)
    session.completionQueue = .global()
  }

  /// Answers with a number that grows, and with the header fields that the query names.
  private static var router: ServerRouter {
    let count = Locked(0)
    return ServerRouter([
      .any("/count") { request in
        let number = count.withLock { count in
          count += 1
          return count
        }
        var response = ServerResponse.text("\(number)")
        let fields = URLComponents(string: request.target)?.queryItems ?? []
        for field in fields {
          guard let name = HTTPField.Name(field.name) else { continue }
          response.headers[name] = field.value
        }
        return response
      }
    ])
  }

  private func fetch(
    _ query: String = "Cache-Control=max-age%3D60", _ method: HTTPRequest.Method = .get,
    _ policy: Request.CachePolicy? = nil, headers: HTTPFields = [:]
  ) async throws -> String {
    var request = Request(method, url: server.url("/count?\(query)"), headers: headers)
    request.options.cachePolicy = policy
    return String(buffer: try await session.send(request).body.collect())
  }

  @Test(.covers("REQ-H10"))
  func `what is fresh is not asked for again`() async throws {
    #expect(try await fetch() == "1")
    #expect(try await fetch() == "1")
    #expect(server.requestCount == 1)
  }

  @Test func `what is not said to be fresh is`() async throws {
    #expect(try await fetch("") == "1")
    #expect(try await fetch("") == "2")
    #expect(try await fetch("Cache-Control=no-cache") == "3")
    #expect(try await fetch("Cache-Control=no-cache") == "4")
  }

  @Test(.covers("REQ-H10"))
  func `the policy of a request decides`() async throws {
    #expect(try await fetch("", .get, .returnCacheDataElseLoad) == "1")
    #expect(try await fetch("", .get, .returnCacheDataElseLoad) == "1")
    #expect(try await fetch("", .get, .returnCacheDataDontLoad) == "1")
    #expect(try await fetch("", .get, .useProtocolCachePolicy) == "2")
    #expect(try await fetch("", .get, .returnCacheDataDontLoad) == "2")
    #expect(try await fetch() == "3")
    #expect(
      try await fetch(.init("Cache-Control=max-age%3D60"), .get, .reloadIgnoringLocalCacheData)
        == "4")
    #expect(try await fetch() == "4")
  }

  @Test(arguments: [true, false])
  func `what is wanted from the cache only, and not there, is an error`(byPolicy: Bool) async throws
  {
    let error = await #expect(throws: MartletError.self) {
      _ = try await fetch(
        "x", .get, byPolicy ? .returnCacheDataDontLoad : nil,
        headers: byPolicy ? [:] : [.cacheControl: "only-if-cached"])
    }
    #expect(error?.code == .notCached)
    #expect(
      error?.message
        == "The cache has no response for \(server.url("/count?x").absoluteString), and the request allows only a cached one: use another cache policy to load it from the server."
    )
    #expect(server.requestCount == 0)
  }

  @Test(.covers("REQ-H10"), arguments: [HTTPRequest.Method.get, .head, .post])
  func `a session without a cache fails a request that wants a kept response only`(
    method: HTTPRequest.Method
  ) async throws {
    var request = Request(method, url: server.url("/count?x"))
    request.options.cachePolicy = .returnCacheDataDontLoad
    let error = await #expect(throws: MartletError.self) {
      try await URLSessionManager().send(request)
    }
    #expect(error?.code == .notCached)
    #expect(
      error?.message
        == "The session has no cache, and the request for \(server.url("/count?x").absoluteString) allows only a cached response: give the session a cache, or use another cache policy."
    )
    #expect(server.requestCount == 0)
  }

  @Test(.covers("REQ-H10"), arguments: Request.CachePolicy.allCases)
  func `without a cache, every other policy asks the server`(policy: Request.CachePolicy)
    async throws
  {
    guard policy != .returnCacheDataDontLoad else { return }
    var request = Request(url: server.url("/count"))
    request.options.cachePolicy = policy
    #expect(try await URLSessionManager().send(request).status == .ok)
    #expect(server.requestCount == 1)
  }

  @Test(arguments: [true, false])
  func `policies that want the origin server ask caches on the way not to answer`(hasCache: Bool)
    async throws
  {
    let sent = Locked<[String?]>([])
    var configuration = SessionConfiguration()
    configuration.cache = hasCache ? MemoryResponseCache() : nil
    configuration.transport = InProcessTransport { request in
      sent.withLock { $0.append(request.headers[.cacheControl]) }
      return Response(head: ResponseHead(status: .ok), url: request.url)
    }
    let session = URLSessionManager(configuration: configuration)
    for policy in [
      .useProtocolCachePolicy, .reloadIgnoringLocalCacheData,
      .reloadIgnoringLocalAndRemoteCacheData, .reloadRevalidatingCacheData,
    ] as [Request.CachePolicy] {
      var request = try Request(.get, "http://h/")
      request.options.cachePolicy = policy
      _ = try await session.send(request)
    }
    #expect(sent.current == [nil, nil, "no-cache", "no-cache"])
    var own = try Request(.get, "http://h/", headers: [.cacheControl: "max-age=5"])
    own.options.cachePolicy = .reloadRevalidatingCacheData
    _ = try await session.send(own)
    #expect(sent.current.last == "max-age=5")
  }

  @Test(
    arguments: [
      .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData,
      .reloadRevalidatingCacheData,
    ] as [Request.CachePolicy])
  func `a policy that reloads gets a new response, which is kept`(policy: Request.CachePolicy)
    async throws
  {
    let query = "Cache-Control=max-age%3D60"
    #expect(try await fetch(query) == "1")
    #expect(try await fetch(query, .get, policy) == "2")
    #expect(try await fetch(query) == "2")
  }

  @Test func `a response that depends on a field is for requests with the same one`() async throws {
    let query = "Cache-Control=max-age%3D60&Vary=Accept-Language"
    #expect(try await fetch(query, headers: [.acceptLanguage: "en"]) == "1")
    #expect(try await fetch(query, headers: [.acceptLanguage: "en"]) == "1")
    #expect(try await fetch(query, headers: [.acceptLanguage: "fi"]) == "2")
    #expect(try await fetch(query) == "3")
  }

  @Test func `a response to one credential is not used for another`() async throws {
    #expect(try await fetch(headers: [.authorization: "Bearer a"]) == "1")
    #expect(try await fetch(headers: [.authorization: "Bearer b"]) == "2")
    #expect(try await fetch(headers: [.authorization: "Bearer a"]) == "1")
    #expect(try await fetch() == "3")
  }

  @Test func `a change makes what is kept worthless`() async throws {
    #expect(try await fetch() == "1")
    #expect(try await fetch("Cache-Control=max-age%3D60", .head) == "")
    #expect(try await fetch() == "1")
    #expect(try await fetch("Cache-Control=max-age%3D60", .delete) == "2")
    #expect(try await fetch() == "3")
  }

  @Test func `a fragment makes no difference`() {
    let keys = ["", "#a", "#b"].compactMap { try? Request(.get, "http://h/x?y\($0)") }.map {
      CacheKey($0)
    }
    #expect(Set(keys).count == 1 && keys.count == 3)
    #expect("\(keys[0])" == "http://h/x?y")
  }

  @Test func `what is kept can be streamed and written to a file, and has the limit of its reader`()
    async throws
  {
    _ = try await fetch()
    let url = server.url("/count?Cache-Control=max-age%3D60")
    var request = Request(url: url)
    request.delivery = .stream
    #expect(String(buffer: try await session.send(request).body.collect()) == "1")
    request.delivery = .buffered(limit: 0)
    let error = await #expect(throws: MartletError.self) { try await session.send(request) }
    #expect(error?.code == .bodyTooLarge)
    let folder = try TemporaryFolder()
    request.delivery = .file(at: folder.url.appendingPathComponent("file"))
    let file = try #require(try await session.send(request).body.file)
    #expect(try String(contentsOf: file, encoding: .utf8) == "1")
  }

  @Test(.covers("SES-T11"))
  func `a hook decides what is kept, and sees it`() async throws {
    session.onWillCacheResponse = { task, proposed in
      #expect(task.originalRequest.method == .get)
      guard proposed.url.query?.contains("secret") != true else { return nil }
      var changed = proposed
      changed.body = ResponseBody(bytes: ByteBuffer(string: "changed"))
      return changed
    }
    #expect(try await fetch() == "1")
    #expect(try await fetch() == "changed")
    #expect(try await fetch("secret&Cache-Control=max-age%3D60") == "2")
    #expect(try await fetch("secret&Cache-Control=max-age%3D60") == "3")
  }

  @Test(.covers("SES-P2"))
  func `the hook for data receives a stored body like any other`() async throws {
    _ = try await fetch()
    let heard = Locked<[String]>([])
    session.onData = { _, data in
      let text = String(buffer: data)
      heard.withLock { $0.append(text) }
    }
    _ = await session.end(of: Request(url: server.url("/count?Cache-Control=max-age%3D60")))
    #expect(heard.current == ["1"])
    #expect(server.requestCount == 1)
  }

  @Test func `a task that is answered from the cache has progress and ends like any other`()
    async throws
  {
    _ = try await fetch()
    let task = session.dataTask(
      with: Request(url: server.url("/count?Cache-Control=max-age%3D60"))
    ) { _, _, _ in }
    task.resume()
    #expect(try await task.value.status == .ok)
    #expect(task.countOfBytesReceived == 1)
    #expect(task.state == .completed)
    #expect(server.requestCount == 1)
  }

  @Test func `compressed bodies are kept as they are read`() async throws {
    let server = try await LoopbackServer.start()
    for _ in 0..<2 {
      var request = Request(url: server.url("/gzip"))
      request.options.cachePolicy = .returnCacheDataElseLoad
      let text = String(buffer: try await session.send(request).body.collect())
      #expect(text.contains("\"gzipped\""))
    }
    #expect(server.requestCount == 1)
  }

  @Test func `a body that a hook has changed is stored with its length`() async throws {
    session.onWillCacheResponse = { _, proposed in
      #expect(proposed.head.headers[.contentLength] == "1")
      var changed = proposed
      changed.body = ResponseBody(bytes: ByteBuffer(string: "changed"))
      return changed
    }
    #expect(try await fetch() == "1")
    let url = server.url("/count?Cache-Control=max-age%3D60")
    #expect(try await session.send(Request(url: url)).headers[.contentLength] == "7")
    #expect(try await session.send(Request(.head, url: url)).headers[.contentLength] == "7")
    #expect(server.requestCount == 1)
  }
}

/// The cache in memory, alone.
@Suite(.timeLimit(.minutes(5)))
struct MemoryResponseCacheTests {
  private func keep(_ count: Int, of size: Int, in cache: MemoryResponseCache) async throws
    -> [CacheKey]
  {
    let transport = InProcessTransport { request in
      Response(
        head: ResponseHead(status: .ok), url: request.url,
        body: ResponseBody(bytes: ByteBuffer(repeating: 0x61, count: size)))
    }
    let step = CacheInterceptor(cache)
    var keys: [CacheKey] = []
    for number in 0..<count {
      let request = try Request(.get, "http://h/\(number)")
      _ = try await Pipeline([step], transport: transport).send(request)
      keys.append(CacheKey(request))
    }
    return keys
  }

  @Test func `it never keeps more than its capacity, and what was used last stays`() async throws {
    let cache = MemoryResponseCache(capacity: 100_000)
    let keys = try await keep(10, of: 4000, in: cache)
    #expect(keys.allSatisfy { !cache.responses(for: $0).isEmpty })
    _ = cache.responses(for: keys[0])
    let more = try await keep(40, of: 4000, in: cache)
    #expect(cache.size <= 100_000)
    #expect(cache.responses(for: more[39]).count == 1)
    #expect(cache.responses(for: more[10]).isEmpty)
    cache.remove(url: more[39].url)
    #expect(cache.responses(for: more[39]).isEmpty)
    cache.removeAll()
    #expect(cache.size == 0)
  }

  @Test func `what would fill it is not kept`() async throws {
    let cache = MemoryResponseCache(capacity: 100_000)
    let keys = try await keep(1, of: 5001, in: cache)
    #expect(cache.responses(for: keys[0]).isEmpty && cache.size == 0)
    #expect(try await keep(1, of: 4000, in: cache).allSatisfy { !cache.responses(for: $0).isEmpty })
  }
}
