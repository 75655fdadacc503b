import EssentialFoundation
import HTTPTypes
import MartletCore
import MartletTesting
import NIOCore
import Testing

@testable import MartletEssentials
@testable import MartletRedisCache

/// How long the server keeps what is stored.
@Suite(.timeLimit(.minutes(5)))
struct RedisExpiryTests {
  private let layout = RedisLayout(.first, prefix: "martlet:")

  @Test func `a response expires when it cannot be of use any more`() async throws {
    let server = try await RedisStub.start()
    let cache = server.cache()
    try await cache.store(.stub([.cacheControl: "max-age=60"]), for: .first)
    #expect(server.database.current.expiries[layout.variants] == 60_000)
    #expect(
      server.database.current.expiries[layout.generation] == RedisLayout.generationLifetime)
  }

  @Test func `a response that can be confirmed is kept for the retention`() async throws {
    let server = try await RedisStub.start()
    let cache = server.cache { $0.retention = 100 }
    try await cache.store(.stub([.cacheControl: "max-age=60", .eTag: "\"1\""]), for: .first)
    #expect(server.database.current.expiries[layout.variants] == 160_000)
  }

  @Test func `no response is kept for more than 30 days`() async throws {
    let server = try await RedisStub.start()
    try await server.cache().store(.stub([.cacheControl: "max-age=99999999"]), for: .first)
    #expect(server.database.current.expiries[layout.variants] == 2_592_000_000)
  }

  @Test func `the variant that is of use longest decides for all`() async throws {
    let server = try await RedisStub.start()
    let cache = server.cache()
    for (variant, age) in [("a", 60), ("b", 600), ("c", 6)] {
      try await cache.store(
        .stub([.cacheControl: "max-age=\(age)"], variant: variant), for: .first)
    }
    #expect(server.database.current.expiries[layout.variants] == 600_000)
  }

  @Test func `a response of no use removes the one that it replaces`() async throws {
    let server = try await RedisStub.start()
    let cache = server.cache()
    try await cache.store(.stub([.cacheControl: "max-age=60"]), for: .first)
    try await cache.store(.stub([.cacheControl: "max-age=0"]), for: .first)
    #expect(try await cache.responses(for: .first).isEmpty)
    #expect(server.database.current.keys(containing: ":r:").isEmpty)
  }

  @Test func `an update keeps the response and its body as long as they are of use`() async throws {
    let server = try await RedisStub.start()
    let cache = server.cache()
    var record = CachedResponse.stub([.cacheControl: "max-age=60"]).record
    try await cache.write(record, .zeros(300_000), for: .first)
    record.head.headers[.cacheControl] = "max-age=86400"
    try await cache.update(record, for: .first)
    let database = server.database.current
    #expect(database.expiries[layout.variants] == 86_400_000)
    let chunks = database.keys(containing: ":b:")
    #expect(chunks.map { database.expiries[$0] } == [86_700_000])
    #expect(try await cache.responses(for: .first).first?.record == record)
  }

  @Test func `an update after which the response is of no use removes it`() async throws {
    let server = try await RedisStub.start()
    let cache = server.cache()
    var record = CachedResponse.stub([.cacheControl: "max-age=60"]).record
    try await cache.write(record, .zeros(300_000), for: .first)
    record.head.headers[.cacheControl] = "max-age=0"
    try await cache.update(record, for: .first)
    #expect(try await cache.responses(for: .first).isEmpty)
  }

  @Test func `the chunks of a replaced body remain until its readers can have finished`()
    async throws
  {
    let server = try await RedisStub.start()
    let cache = server.cache()
    let body = ByteBuffer(repeating: 7, count: 600_000)
    try await cache.write(.stub([.cacheControl: "max-age=86400"]), body, for: .first)
    let chunks = server.database.current.keys(containing: ":b:")
    #expect(chunks.map { server.database.current.expiries[$0] } == [86_700_000])
    let reader = try #require(try await cache.responses(for: .first).first).body
    try await cache.store(.stub(), for: .first)
    #expect(try await reader.collect() == body)
    #expect(chunks.map { server.database.current.expiries[$0] } == [300_000])
  }

  @Test func `a body expires soon while it is written`() async throws {
    let server = try await RedisStub.start()
    let cache = server.cache()
    let writer = try #require(try await cache.makeWriter(for: .stub(), key: .first))
    try await writer.write(.zeros(300_000))
    let chunks = server.database.current.keys(containing: ":b:")
    #expect(chunks.map { server.database.current.expiries[$0] } == [300_000])
    try await writer.finish(.stub())
    #expect(chunks.map { server.database.current.expiries[$0] } == [360_000])
  }

  @Test func `the chunks of a body that is never finished are removed`() async throws {
    let server = try await RedisStub.start()
    let cache = server.cache()
    try await cache.makeWriter(for: .stub(), key: .first)?.write(.zeros(300_000))
    try await server.received.wait { $0.last?.first == "UNLINK" }
    _ = try await cache.responses(for: .first)
    #expect(server.database.current.keys(containing: ":b:").isEmpty)
  }

  @Test func `the chunks of a body that is not stored are removed`() async throws {
    let server = try await RedisStub.start()
    let cache = server.cache()
    try await cache.write(.stub([.cacheControl: "max-age=60"]), .zeros(300_000), for: .first)
    var writer = try await cache.makeWriter(for: .stub(), key: .first)
    try await writer?.write(.zeros(300_000))
    #expect(server.database.current.keys(containing: ":b:").count == 2)
    try await writer?.finish(.stub([.cacheControl: "max-age=0"]))
    writer = nil
    try await server.received.wait { $0.last?.first == "UNLINK" }
    #expect(try await cache.responses(for: .first).isEmpty)
    // The one that was removed remains for its readers.
    let chunks = server.database.current.keys(containing: ":b:")
    #expect(chunks.map { server.database.current.expiries[$0] } == [300_000])
  }

  @Test func `a response without all of its chunks is not used`() async throws {
    let server = try await RedisStub.start()
    let cache = server.cache()
    try await cache.write(.stub(variant: "a"), .zeros(600_000), for: .first)
    try await cache.write(.stub(variant: "b"), .zeros(600_000), for: .first)
    try await cache.write(.stub(variant: "c"), .zeros(0), for: .first)
    let isLarge = { (response: CachedResponse) in response.varyHeaders[.acceptLanguage] != ["c"] }
    let body = try #require(try await cache.responses(for: .first).first(where: isLarge)).body
    server.database.withLock { database in
      guard let key = database.keys(containing: ":b:").first,
        case .hash(var fields) = database.values[key]
      else { return }
      fields["1"] = nil
      database.values[key] = .hash(fields)
    }
    #expect(try await cache.responses(for: .first).count == 2)
    server.database.withLock { database in
      for key in database.keys(containing: ":b:") { database.values[key] = nil }
    }
    #expect(try await cache.responses(for: .first).count == 1)
    await #expect(throws: MartletError.self) { try await body.collect() }
  }

  @Test func `a chunk that is not the one that was stored is an error`() async throws {
    let server = try await RedisStub.start()
    let cache = server.cache()
    try await cache.write(.stub(), .zeros(600_000), for: .first)
    let body = try #require(try await cache.responses(for: .first).first?.body)
    server.database.withLock { database in
      guard let key = database.keys(containing: ":b:").first,
        case .hash(var fields) = database.values[key]
      else { return }
      fields["1"] = fields["0"]
      database.values[key] = .hash(fields)
    }
    let error = await #expect(throws: MartletError.self) { try await body.collect() }
    #expect(error?.message.contains("does not have the rest of a body any more") == true)
  }
}
