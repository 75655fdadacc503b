import EssentialFoundation
import Foundation
import HTTPTypes
import Martlet
import MartletCore
import MartletTesting
import NIOCore
import NIOPosix
import Testing

@testable import MartletEssentials
@testable import MartletRedisCache

private let environment = ProcessInfo.processInfo.environment

/// A server that `scripts/interop-redis` has started.
private enum Server: String, CaseIterable, Sendable {
  case plain = "REDIS_URL"
  case tls = "REDISS_URL"

  static let running = allCases.filter { environment[$0.rawValue] != nil }

  /// A configuration with a prefix of its own.
  func configuration(prefix: String = UUID().uuidString) throws -> RedisConfiguration {
    var configuration = try RedisConfiguration(url: environment[rawValue] ?? "")
    configuration.keyPrefix = "martlet-\(prefix):"
    // The machine may be busy.
    configuration.timeout = .seconds(20)
    configuration.connectTimeout = .seconds(20)
    configuration.tls?.trustRoots = file("REDIS_CA")
    configuration.tls?.certificate = file("REDIS_CERTIFICATE")
    configuration.tls?.key = file("REDIS_KEY")
    return configuration
  }

  private func file(_ variable: String) -> URL? {
    environment[variable].map { URL(fileURLWithPath: $0) }
  }
}

/// The cache with a server that Martlet shares no code with.
@Suite(.enabled(if: !Server.running.isEmpty, "REDIS_URL names no server"), .timeLimit(.minutes(5)))
struct RedisInteropTests {
  @Test(arguments: Server.running, ResponseCacheRule.all)
  fileprivate func `the cache keeps the rules of its protocol`(
    _ server: Server, _ rule: ResponseCacheRule
  ) async throws {
    let cache = RedisResponseCache(try server.configuration())
    try await rule.check(cache)
    await cache.close()
  }

  @Test(arguments: Server.running)
  fileprivate func `a large body is stored in chunks, and caches share it`(_ server: Server)
    async throws
  {
    let configuration = try server.configuration()
    let (one, other) = (RedisResponseCache(configuration), RedisResponseCache(configuration))
    let body = ByteBuffer(bytes: (0..<3_000_001).map { UInt8(truncatingIfNeeded: $0 / 11) })
    let record = CachedResponse.stub([.eTag: "\"1\""]).record
    try await one.write(record, body, for: .first)
    let response = try #require(try await other.responses(for: .first).first)
    #expect(response.record == record)
    #expect(response.body.kind == .streamed)
    #expect(try await response.body.collect() == body)
    try await other.remove(url: CacheKey.first.url)
    #expect(try await one.responses(for: .first).isEmpty)
  }

  @Test(arguments: Server.running)
  fileprivate func `the server removes everything when it is not of use any more`(
    _ server: Server
  ) async throws {
    var configuration = try server.configuration()
    configuration.retention = 1000
    let cache = RedisResponseCache(configuration)
    var record = CachedResponse.stub([.eTag: "\"1\""]).record
    try await cache.write(record, .zeros(300_000), for: .first)
    let layout = RedisLayout(.first, prefix: configuration.keyPrefix)
    #expect(try await 990_000...1_000_000 ~= cache.lifetime(of: layout.variants))
    #expect(try await cache.lifetime(of: layout.generation) > RedisLayout.longestLifetime)
    let chunks = try await cache.keys().filter { $0.contains(":b:") }
    #expect(chunks.count == 1)
    for chunk in chunks { #expect(try await cache.lifetime(of: chunk) > 1_200_000) }

    (record.requestTime, record.responseTime) = (Date(), Date())
    record.head.headers[.cacheControl] = "max-age=7200"
    try await cache.update(record, for: .first)
    #expect(try await cache.lifetime(of: layout.variants) > 7_200_000)
    for chunk in chunks { #expect(try await cache.lifetime(of: chunk) > 7_300_000) }

    try await cache.store(CachedResponse(record, body: .empty), for: .first)
    for chunk in chunks { #expect(try await 290_000...300_000 ~= cache.lifetime(of: chunk)) }
  }

  @Test(arguments: Server.running)
  fileprivate func `a key has at most 64 variants`(_ server: Server) async throws {
    let cache = RedisResponseCache(try server.configuration())
    for number in 0..<70 {
      try await cache.store(.stub([.eTag: "\"1\""], variant: "\(number)"), for: .first)
    }
    #expect(try await cache.responses(for: .first).count == 64)
  }

  @Test(arguments: Server.running)
  fileprivate func `what cannot be used is not sent, and makes room`(_ server: Server) async throws
  {
    let cache = RedisResponseCache(try server.configuration())
    let layout = cache.layout(.first)
    try await cache.write(.stub([.eTag: "\"1\""]), .zeros(300_000), for: .first)
    try await cache.remove(url: CacheKey.first.url)
    try await cache.store(.stub("new", [.eTag: "\"1\""], variant: "new"), for: .first)
    #expect(try await cache.fieldCount(layout.variants) == 1)
    let body = try #require(try await cache.keys().first { $0.contains(":b:") })
    #expect(try await 290_000...300_000 ~= cache.lifetime(of: body))

    // Another program stores something else: a large value, and then too many.
    try await cache.setFields(layout.variants, 0..<1, .zeros(600_000))
    #expect(try await cache.texts(for: .first) == ["new"])
    try await cache.setFields(layout.variants, 1..<70, .zeros(1))
    #expect(try await cache.responses(for: .first).isEmpty)
    try await cache.store(.stub("newest", [.eTag: "\"1\""]), for: .first)
    #expect(try await cache.texts(for: .first) == ["newest"])
    #expect(try await cache.fieldCount(layout.variants) == 1)
  }

  @Test(arguments: Server.running)
  fileprivate func `a response that was replaced or removed is not changed`(_ server: Server)
    async throws
  {
    let cache = RedisResponseCache(try server.configuration())
    var old = CachedResponse.stub("old", [.eTag: "\"1\""]).record
    try await cache.write(old, .zeros(300_000), for: .first)
    let new = CachedResponse.stub("new", [.eTag: "\"2\""])
    try await cache.store(new, for: .first)
    old.head.headers[.age] = "1"
    try await cache.update(old, for: .first)
    #expect(try await cache.responses(for: .first).map(\.record) == [new.record])
    #expect(try await cache.texts(for: .first) == ["new"])

    let writer = try await cache.makeWriter(for: old, key: .first)
    try await writer?.write(.zeros(300_000))
    try await cache.remove(url: CacheKey.first.url)
    try await writer?.finish(old)
    #expect(try await cache.responses(for: .first).isEmpty)
  }

  @Test(arguments: Server.running)
  fileprivate func `an update keeps the body, in the entry or in chunks`(_ server: Server)
    async throws
  {
    let cache = RedisResponseCache(try server.configuration())
    for body in [ByteBuffer(bytes: (0...255).map { UInt8($0) }), ByteBuffer(), .zeros(300_000)] {
      var response = CachedResponse.stub([.eTag: "\"1\""])
      response.body = ResponseBody(bytes: body)
      try await cache.store(response, for: .first)
      response.record.head.headers[.age] = "1"
      try await cache.update(response.record, for: .first)
      let stored = try #require(try await cache.responses(for: .first).first)
      #expect(stored.record == response.record)
      #expect(try await stored.body.collect() == body)
    }
  }

  @Test(arguments: Server.running)
  fileprivate func `only keys with the prefix are removed`(_ server: Server) async throws {
    let name = UUID().uuidString
    let (cache, other) = (
      RedisResponseCache(try server.configuration(prefix: "\(name)*[a]")),
      RedisResponseCache(try server.configuration(prefix: "\(name)*a"))
    )
    for number in 0..<600 {
      let key = CacheKey(url: "https://example.com/\(number)", credentialsDigest: nil)
      try await cache.store(.stub([.eTag: "\"1\""]), for: key)
    }
    try await other.store(.stub([.eTag: "\"1\""]), for: .first)
    try await cache.removeAll()
    #expect(try await cache.keys().isEmpty)
    #expect(try await other.keys().count == 2)
  }

  @Test(.enabled(if: environment["REDISS_URL"] != nil))
  func `a wrong password is an error that does not contain it`() async throws {
    var configuration = try Server.tls.configuration()
    configuration.password = "s3cret"
    let error = await #expect(throws: MartletError.self) {
      try await RedisResponseCache(configuration).responses(for: .first)
    }
    #expect(error?.message.contains(" answered AUTH with an error: WRONGPASS.") == true)
    #expect(error?.message.contains("s3cret") == false)
  }

  @Test(.enabled(if: environment["REDISS_URL"] != nil))
  func `a missing password is an error`() async throws {
    var configuration = try Server.tls.configuration()
    configuration.password = nil
    let error = await #expect(throws: MartletError.self) {
      try await RedisResponseCache(configuration).responses(for: .first)
    }
    #expect(error?.message.contains(" answered PING with an error: NOAUTH") == true)
  }

  @Test(.enabled(if: environment["REDISS_URL"] != nil))
  func `a certificate that is not trusted, or is for another host, is an error`() async throws {
    var untrusted = try Server.tls.configuration()
    untrusted.tls?.trustRoots = nil
    var wrongHost = try Server.tls.configuration()
    wrongHost.tls?.serverName = "redis.example.com"
    var anonymous = try Server.tls.configuration()
    anonymous.tls?.certificate = nil
    for configuration in [untrusted, wrongHost, anonymous] {
      let error = await #expect(throws: MartletError.self) {
        try await RedisResponseCache(configuration).responses(for: .first)
      }
      #expect(error?.code == .cacheFailed)
      #expect(error?.message.hasPrefix("The Redis server at \(configuration.authority) ") == true)
    }
  }
}

/// Two processes with one cache: the first one stores, and the second one needs no server.
@Suite(.enabled(if: environment["REDIS_SHARE"] != nil), .timeLimit(.minutes(5)))
struct RedisSharingTests {
  @Test func `processes share responses`() async throws {
    let isFirst = environment["REDIS_SHARE"] == "store"
    let session = session(try Server.plain.configuration(prefix: "shared")) { request in
      guard isFirst else { throw MartletError(.connectionFailed, "The server is not needed.") }
      return .cacheable("shared", for: request)
    }
    let response = try await session.send(Request(.get, "http://example.com/"))
    #expect(String(buffer: try await response.body.collect()) == "shared")
    #expect(session.cacheStatistics.hits == (isFirst ? 0 : 1))
    #expect(session.cacheStatistics.stored == (isFirst ? 1 : 0))
  }
}

/// A server that is killed between two requests.
@Suite(.enabled(if: environment["REDIS_PID"] != nil), .timeLimit(.minutes(5)))
struct RedisKillTests {
  @Test func `requests succeed after the server was killed`() async throws {
    let session = session(try Server.plain.configuration()) { request in
      .cacheable("text", for: request)
    }
    func send() async throws {
      let response = try await session.send(Request(.get, "http://example.com/"))
      #expect(String(buffer: try await response.body.collect()) == "text")
    }
    try await send()
    try await send()
    #expect(session.cacheStatistics.hits == 1)
    #expect(session.cacheStatistics.failures == 0)

    kill(try #require(environment["REDIS_PID"].flatMap { pid_t($0) }), SIGKILL)
    for _ in 0..<10 { try await send() }
    #expect(session.cacheStatistics.failures >= 10)
  }
}

private func session(
  _ configuration: RedisConfiguration, _ respond: @escaping InProcessTransport.Handler
) -> URLSessionManager {
  var session = SessionConfiguration()
  session.cache = RedisResponseCache(configuration)
  session.transport = InProcessTransport(respond)
  return URLSessionManager(configuration: session)
}

extension Response {
  fileprivate static func cacheable(_ text: String, for request: Request) -> Response {
    Response(
      head: ResponseHead(status: .ok, headers: [.cacheControl: "max-age=600"]), url: request.url,
      body: ResponseBody(bytes: ByteBuffer(string: text)))
  }
}

extension RedisResponseCache {
  /// The milliseconds after which a key expires.
  fileprivate func lifetime(of key: String) async throws -> Int64 {
    try await client.send([RESPCommand("PTTL", key, reply: .integer)])[0].integer
  }

  fileprivate func fieldCount(_ key: String) async throws -> Int64 {
    try await client.send([RESPCommand("HLEN", key, reply: .integer)])[0].integer
  }

  fileprivate func setFields(_ key: String, _ numbers: Range<Int>, _ value: ByteBuffer)
    async throws
  {
    _ = try await client.send(numbers.map { .setField(key, $0, value) })
  }

  /// The keys with the prefix.
  fileprivate func keys() async throws -> [String] {
    let command = RESPCommand("KEYS", configuration.keyPrefix.prefixPattern, reply: .array)
    return try await client.send([command])[0].elements.compactMap(\.bytes)
      .map { String(buffer: $0) }
  }
}
