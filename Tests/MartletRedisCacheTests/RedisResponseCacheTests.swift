import EssentialFoundation
import HTTPTypes
import MartletCore
import MartletTesting
import NIOCore
import NIOPosix
import Testing

@testable import MartletEssentials
@testable import MartletRedisCache

@Suite(.timeLimit(.minutes(5)))
struct RedisResponseCacheTests {
  @Test(arguments: ResponseCacheRule.all)
  func `the cache keeps the rules of its protocol`(_ rule: ResponseCacheRule) async throws {
    let server = try await RedisStub.start()
    try await rule.check(RedisResponseCache(server.configuration))
  }

  @Test func `all data of a URL have one hash tag, and no credentials`() async throws {
    let server = try await RedisStub.start()
    let cache = server.cache()
    try await cache.store(.stub(), for: .secret)
    try await cache.write(.stub(), ByteBuffer.zeros(300_000), for: .secret)
    let keys = server.database.current.keys(containing: "")
    #expect(keys.count == 3)
    let tag = try #require(keys.first)
    #expect(tag.wholeMatch(of: /martlet:\{[0-9a-f]{64}\}/) != nil)
    #expect(keys.allSatisfy { $0.hasPrefix(tag) && !$0.contains("example") })
  }

  @Test func `caches share what one of them stores`() async throws {
    let server = try await RedisStub.start()
    let (one, other) = (server.cache(), server.cache())
    try await one.store(.stub("shared"), for: .first)
    #expect(try await other.texts(for: .first) == ["shared"])
    try await other.remove(url: CacheKey.first.url)
    #expect(try await one.texts(for: .first) == [])
  }

  @Test func `what was stored before a removal is not used after it`() async throws {
    let server = try await RedisStub.start()
    let cache = server.cache()
    let layout = RedisLayout(.first, prefix: "martlet:")
    try await cache.store(.stub(), for: .first)
    let stored = server.database.current.values[layout.variants]
    try await cache.remove(url: CacheKey.first.url)
    #expect(try await cache.responses(for: .first).isEmpty)
    // Another process read the generation before the removal, and writes after it.
    try await cache.store(.stub(variant: "new"), for: .first)
    server.database.withLock { $0.values[layout.variants] = stored }
    #expect(try await cache.responses(for: .first).isEmpty)
  }

  @Test func `an entry is not used for another URL`() async throws {
    let server = try await RedisStub.start()
    let cache = server.cache()
    try await cache.store(.stub(), for: .first)
    try await cache.store(.stub(), for: .other)
    let (first, other) = (
      RedisLayout(.first, prefix: "martlet:"), RedisLayout(.other, prefix: "martlet:")
    )
    server.database.withLock { $0.values[other.variants] = $0.values[first.variants] }
    #expect(try await cache.responses(for: .first).count == 1)
    #expect(try await cache.responses(for: .other).isEmpty)
  }

  @Test func `a removal while the body is received counts`() async throws {
    let server = try await RedisStub.start()
    let cache = server.cache()
    let writer = try #require(try await cache.makeWriter(for: .stub(), key: .first))
    try await writer.write(.zeros(300_000))
    try await server.cache().remove(url: CacheKey.first.url)
    try await cache.store(.stub("new", variant: "a"), for: .first)
    try await writer.finish(.stub())
    #expect(try await cache.texts(for: .first) == ["new"])
  }

  @Test func `an update of a response that was replaced changes nothing`() async throws {
    let server = try await RedisStub.start()
    let cache = server.cache()
    var old = CachedResponse.stub("old")
    try await cache.store(old, for: .first)
    let new = CachedResponse.stub("new")
    try await cache.store(new, for: .first)
    old.head.headers[.age] = "1"
    try await cache.update(old.record, for: .first)
    let stored = try await cache.responses(for: .first)
    #expect(stored.map(\.record) == [new.record])
    #expect(stored.first?.body.bytes == ByteBuffer(string: "new"))
  }

  @Test func `a response is removed alone`() async throws {
    let server = try await RedisStub.start()
    let cache = server.cache()
    let german = CachedResponse.stub("de", variant: "de")
    try await cache.store(german, for: .first)
    try await cache.store(.stub("en", variant: "en"), for: .first)
    try await cache.remove(german.record, for: .other)
    try await cache.remove(CachedResponse.stub("new", variant: "de").record, for: .first)
    #expect(try await cache.texts(for: .first).sorted() == ["de", "en"])
    try await cache.remove(german.record, for: .first)
    #expect(try await cache.texts(for: .first) == ["en"])
  }

  @Test func `what another program has stored in too many fields is replaced`() async throws {
    let server = try await RedisStub.start()
    let cache = server.cache()
    let layout = RedisLayout(.first, prefix: "martlet:")
    try await cache.store(.stub("old"), for: .first)
    server.database.withLock { database in
      guard case .hash(var fields) = database.values[layout.variants] else { return }
      for number in 0..<64 { fields["\(number)"] = .zeros(400_000) }
      database.values[layout.variants] = .hash(fields)
    }
    #expect(try await cache.responses(for: .first).isEmpty)
    try await cache.store(.stub("new"), for: .first)
    #expect(try await cache.texts(for: .first) == ["new"])
  }

  @Test func `a value that is no entry is no response`() async throws {
    let server = try await RedisStub.start()
    let cache = server.cache()
    try await cache.store(.stub(), for: .first)
    let layout = RedisLayout(.first, prefix: "martlet:")
    server.database.withLock { database in
      guard case .hash(var fields) = database.values[layout.variants], var entry = fields[""] else {
        return
      }
      for length in stride(from: 0, to: entry.readableBytes, by: 1 + entry.readableBytes / 50) {
        fields["\(length)"] = entry.getSlice(at: 0, length: length)
      }
      entry.setString("2", at: 0)
      fields["later format"] = entry
      database.values[layout.variants] = .hash(fields)
    }
    #expect(try await cache.responses(for: .first).count == 1)
  }

  @Test(arguments: [
    ("1", true), ("0", true), ("2199023255552", false), ("-1", false), ("a", false),
  ])
  func `an entry cannot announce a body in any number of chunks`(_ length: String, isEntry: Bool) {
    let record = CachedResponse.stub().record.bytes
    var entry = ByteBuffer(string: "1 a0 784111777000 7 ff \(length) \(record.readableBytes)\n")
    entry.writeImmutableBuffer(record)
    #expect((RedisEntry(entry) != nil) == isEntry)
  }

  @Test func `a key has at most 64 variants, and new ones are stored`() async throws {
    let server = try await RedisStub.start()
    let cache = server.cache()
    for number in 0..<70 { try await cache.store(.stub(variant: "\(number)"), for: .first) }
    let variants = try await cache.responses(for: .first).map { $0.varyHeaders[.acceptLanguage] }
    #expect(variants.count == 64)
    #expect(variants.contains(["69"]))
  }

  @Test func `a record or a body that is too large is not stored`() async throws {
    let server = try await RedisStub.start()
    let cache = server.cache { $0.largestBody = 300_000 }
    var large = CachedResponse.stub()
    large.head.headers[.via] = String(repeating: "a", count: RedisLayout.largestRecord + 65_536)
    try await cache.store(large, for: .first)
    #expect(try await cache.responses(for: .first).isEmpty)
    await #expect(throws: MartletError.self) {
      try await cache.write(.stub(), .zeros(300_001), for: .first)
    }
    try await cache.write(.stub(), .zeros(300_000), for: .first)
    #expect(try await cache.responses(for: .first).count == 1)
    // Another cache may allow less.
    #expect(try await server.cache { $0.largestBody = 1 }.responses(for: .first).isEmpty)
    let announced = CachedResponse.stub([.contentLength: "300001"]).record
    #expect(try await cache.makeWriter(for: announced, key: .first) == nil)
  }

  @Test func `dead variants make room, and are not sent`() async throws {
    let server = try await RedisStub.start()
    let cache = server.cache()
    let layout = RedisLayout(.first, prefix: "martlet:")
    try await cache.store(.stub(variant: "dead"), for: .first)
    try await cache.remove(url: CacheKey.first.url)
    for number in 0..<64 { try await cache.store(.stub(variant: "\(number)"), for: .first) }
    #expect(server.database.current.hash(layout.variants)?.count == 64)
    #expect(try await cache.responses(for: .first).count == 64)
  }

  @Test func `a lookup and an update are one command, also with large bodies`() async throws {
    let server = try await RedisStub.start()
    let cache = server.cache()
    try await cache.write(.stub(), .zeros(300_000), for: .first)
    let count = server.received.current.count
    #expect(try await cache.responses(for: .first).count == 1)
    #expect(server.names.dropFirst(count) == ["EVAL"])
    try await cache.update(.stub(), for: .first)
    #expect(server.names.dropFirst(count) == ["EVAL", "EVAL"])
  }

  @Test func `a server whose SCAN has no end is an error`() async throws {
    let server = try await RedisStub.start { words in
      words.first == "SCAN" ? .reply(.array([.bulk(ByteBuffer(string: "7")), .array([])])) : nil
    }
    let error = await #expect(throws: MartletError.self) { try await server.cache().removeAll() }
    #expect(error?.message.contains("did not reach the end of SCAN") == true)
  }

  @Test func `all responses are removed, and no other keys`() async throws {
    let server = try await RedisStub.start()
    try await server.cache { $0.keyPrefix = "other:" }.store(.stub(), for: .first)
    let cache = server.cache()
    try await cache.store(.stub(), for: .first)
    try await cache.removeAll()
    #expect(server.database.current.keys(containing: "martlet:").isEmpty)
    #expect(server.database.current.keys(containing: "other:").count == 2)
  }

  @Test func `a closed cache fails`() async throws {
    let server = try await RedisStub.start()
    let cache = server.cache()
    try await cache.store(.stub(), for: .first)
    await cache.close()
    let error = await #expect(throws: MartletError.self) {
      try await cache.responses(for: .first)
    }
    #expect(error?.code == .cacheFailed)
    #expect(error?.message.hasSuffix("is closed.") == true)
    #expect(server.connectionCount.current == 1)
  }

  @Test func `a connection is made at first use, with authentication and database`() async throws {
    let server = try await RedisStub.start()
    let cache = server.cache {
      $0.user = "me"
      $0.password = "secret"
      $0.database = 3
    }
    #expect(server.connectionCount.current == 0)
    _ = try await cache.responses(for: .first)
    #expect(
      server.received.current.prefix(2) == [["AUTH", "me", "secret"], ["SELECT", "3"]])
  }

  @Test func `cancelling a caller does not disturb the replies of others`() async throws {
    let server = try await RedisStub.start()
    let cache = server.cache()
    try await cache.store(.stub("text"), for: .first)
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<50 {
        group.addTask {
          let call = Task { try await cache.texts(for: number % 2 == 0 ? .first : .other) }
          if number % 3 == 0 { call.cancel() }
          let texts = try? await call.value
          #expect(texts == nil || texts == (number % 2 == 0 ? ["text"] : []))
        }
      }
    }
    #expect(server.connectionCount.current == 1)
  }
}
