import EssentialFoundation
import Foundation
import HTTPTypes
import MartletCore
import MartletTesting
import NIOCore
import Testing

@testable import Martlet
@testable import MartletEssentials

/// Caches of an application's own.
@Suite(.timeLimit(.minutes(5)))
struct OwnCacheTests {
  /// Hands out one response, and fails at everything else.
  private struct Failing: ResponseCache {
    struct Failure: Error {}

    var body: ResponseBody?

    func responses(for key: CacheKey) async throws -> [CachedResponse] {
      guard let body, let url = URL(string: key.url) else { throw Failure() }
      let head = ResponseHead(status: .ok, headers: [.cacheControl: "max-age=60"])
      let record = CachedResponse.Record(
        head: head, url: url, requestTime: Date(), responseTime: Date())
      return [CachedResponse(record, body: body)]
    }

    func store(_ response: CachedResponse, for key: CacheKey) async throws { throw Failure() }
    func remove(url: String) async throws { throw Failure() }
    func removeAll() async throws { throw Failure() }
  }

  private func session(_ cache: Failing) -> URLSessionManager {
    var configuration = SessionConfiguration()
    configuration.cache = cache
    return URLSessionManager(configuration: configuration)
  }

  @Test(arguments: [HTTPRequest.Method.get, .delete])
  func `one that fails is passed by`(_ method: HTTPRequest.Method) async throws {
    let server = try await LoopbackServer.start()
    let session = session(Failing())
    let url = server.url(method == .get ? "/cache/60" : "/delete")
    for _ in 0..<2 { #expect(try await session.send(Request(method, url: url)).status == .ok) }
    #expect(server.requestCount == 2)
    await server.stop()
  }

  @Test(arguments: ["bytes", "stream", "file"])
  func `bodies may be in memory, streams or files, and go where the caller wants them`(
    kind: String
  ) async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("kept")
    try Data("tern".utf8).write(to: file)
    for delivery in [Delivery.buffered, .stream, .discard] {
      let bytes = ResponseBody(bytes: ByteBuffer(string: "tern"))
      let body = kind == "file" ? ResponseBody(file: file) : bytes
      let stream = bytes.streamed(of: nil)
      var request = try Request(.get, "http://127.0.0.1:1/")
      request.delivery = delivery
      let session = session(Failing(body: kind == "stream" ? stream : body))
      let response = try await session.send(request)
      switch delivery.fixedHandling {
      case .buffer: #expect(response.body.bytes == ByteBuffer(string: "tern"))
      case .discard: #expect(response.body.kind == .discarded)
      default: #expect(try await response.body.collect() == ByteBuffer(string: "tern"))
      }
    }
    var request = try Request(.get, "http://127.0.0.1:1/")
    request.delivery = .buffered(limit: 3)
    let limited = session(Failing(body: ResponseBody(file: file)))
    let error = await failure { try await limited.send(request) }
    #expect(error?.code == .bodyTooLarge)
  }

  @Test func `records can be stored as bytes, and contain no credentials`() throws {
    let request = try Request(
      .get, "http://h/#x", headers: [.authorization: "Basic canary", .accept: "text/plain"])
    let key = CacheKey(request)
    #expect(key.credentialsDigest?.count == 64)
    #expect(try CacheKey(Request(.get, "http://h/")).credentialsDigest == nil)
    let head = ResponseHead(
      status: .ok, headers: [.vary: "Authorization, Accept", .contentType: "text/plain"])
    let response = Response(head: head, url: request.url)
    let cached = CachedResponse(
      CachedResponse.Record(
        response.head, CacheMetadata(head), to: request, CacheKey.url(of: request), sent: Date(),
        received: Date()),
      body: .empty)
    #expect(cached.record.matches(request))
    var other = request
    other.headers[.authorization] = "Basic other"
    #expect(!cached.record.matches(other) && CacheKey(other) != key)
    let bytes = cached.record.bytes
    #expect(!String(buffer: bytes).contains("canary") && !key.url.contains("canary"))
    #expect(CachedResponse.Record(serialized: cached.record.serialized) == cached.record)
  }

  @Test func `bytes that are no record are refused`() throws {
    let head = ResponseHead(
      status: .init(code: 299, reasonPhrase: "Fine"), headers: [.vary: "Accept", .eTag: "\"a\""])
    let record = CachedResponse.Record(
      head: head, url: try #require(URL(string: "http://h/")), requestTime: Date(),
      responseTime: Date(), varyHeaders: [.accept: ["a", "b"]],
      part: .init(bytes: 2..<7, total: nil))
    let bytes = record.bytes
    #expect(CachedResponse.Record(bytes: bytes) == record)
    for length in 0..<bytes.readableBytes {
      let cut = try #require(bytes.getSlice(at: 0, length: length))
      #expect(CachedResponse.Record(bytes: cut) == nil, "\(length) bytes")
    }
    for offset in 0..<bytes.readableBytes {
      var other = bytes
      other.setInteger(UInt8(255), at: offset)
      // It need not fail, because some bytes are text and numbers.
      _ = CachedResponse.Record(bytes: other)
    }
    var later = bytes
    later.setInteger(UInt8(2), at: 0)
    #expect(CachedResponse.Record(bytes: later) == nil)
    var longer = bytes
    longer.writeInteger(UInt8(0))
    #expect(CachedResponse.Record(bytes: longer) == nil)
  }

  @Test func `variants have equal texts only if their fields are equal`() throws {
    func variant(_ headers: [HTTPField.Name: [String]]) throws -> String {
      CachedResponse.Record(
        head: ResponseHead(status: .ok), url: try #require(URL(string: "http://h/")),
        requestTime: Date(), responseTime: Date(), varyHeaders: headers
      ).variant
    }
    #expect(try variant([:]).isEmpty)
    let all: [[HTTPField.Name: [String]]] = [
      [:], [.accept: []], [.accept: [""]], [.accept: ["a"]], [.accept: ["b"]],
      [.accept: ["a", "b"]], [.accept: ["a, b"]], [.accept: ["a"], .acceptLanguage: []],
      [.acceptLanguage: ["a"], .accept: []],
    ]
    #expect(Set(try all.map(variant)).count == all.count)
    #expect(
      try variant([.accept: ["a"], .acceptLanguage: ["b"]])
        == variant([.acceptLanguage: ["b"], .accept: ["a"]]))
  }

  @Test(arguments: ResponseCacheRule.all)
  func `the memory cache keeps the rules of its protocol`(_ rule: ResponseCacheRule) async throws {
    try await rule.check(MemoryResponseCache(capacity: 160 << 20))
  }

  @Test func `the memory cache keeps one response for each variant`() async throws {
    let server = try await ScriptedServer.start(
      .keepAlive(
        ["en", "de", "fr"].map { language in
          .reply(
            CannedResponse(
              200, ["Cache-Control": "max-age=60", "Vary": "Accept-Language"], language))
        }))
    var configuration = SessionConfiguration()
    configuration.cache = MemoryResponseCache()
    let session = URLSessionManager(configuration: configuration)
    for _ in 0..<2 {
      for language in ["en", "de", "fr"] {
        let request = Request(url: server.url(), headers: [.acceptLanguage: language])
        let body = try await session.send(request).body.collect()
        #expect(String(buffer: body) == language)
      }
    }
    #expect(server.receivedRequests.count == 3)
    await server.stop()
  }

  /// How a stored response is used.
  enum Use: CaseIterable {
    case hit, confirmed, completed, afterError
  }

  /// Hands out one response whose body is in a file.
  private struct FileCache: ResponseCache {
    let use: Use
    let file: URL

    func responses(for key: CacheKey) throws -> [CachedResponse] {
      var head = ResponseHead(status: .ok, headers: [.eTag: "\"a\"", .contentLength: "4"])
      switch use {
      case .hit, .completed: head.headers[.cacheControl] = "max-age=60"
      case .confirmed: break
      case .afterError: head.headers[.cacheControl] = "stale-if-error=60"
      }
      let record = CachedResponse.Record(
        head: head, url: try Request(key.url).url, requestTime: CacheRig.start,
        responseTime: CacheRig.start,
        part: use == .completed ? .init(bytes: 0..<2, total: 4) : nil)
      return [CachedResponse(record, body: ResponseBody(file: file))]
    }

    func store(_ response: CachedResponse, for key: CacheKey) {}
    func remove(url: String) {}
    func removeAll() {}
    func update(_ record: CachedResponse.Record, for key: CacheKey) {}
  }

  @Test(arguments: Use.allCases, [true, false])
  func `a response whose file is missing does not count as stored`(use: Use, isMissing: Bool)
    async throws
  {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("body")
    if !isMissing { try Data((use == .completed ? "te" : "tern").utf8).write(to: file) }
    let rig = CacheRig(FileCache(use: use, file: file), CacheOptions()) { request, _ in
      if use == .afterError { return .reply(503, [:], "new", to: request) }
      if request.headers.contains(.range) {
        return .reply(206, [.eTag: "\"a\"", .contentRange: "bytes 2-3/4"], "rn", to: request)
      }
      let isConditional = request.headers.contains(.ifNoneMatch)
      return .reply(
        isConditional ? 304 : 200, [.eTag: "\"a\""], isConditional ? "" : "new", to: request)
    }
    var request = try Request("http://h/")
    let call = Call()
    let failures = Locked<[MartletError.Code]>([])
    call.observe { event in
      if case .cacheFailed(let error) = event.kind { failures.withLock { $0.append(error.code) } }
    }
    request.call = call
    let body = try await rig.send(request).body.collect()
    #expect(String(buffer: body) == (isMissing ? "new" : "tern"))
    #expect(failures.current == (isMissing ? [.cacheFailed] : []))
    #expect(rig.statistics().failures == failures.current.count)
  }
}
