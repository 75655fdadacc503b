import EssentialFoundation
import HTTPTypes
import MartletCore
import MartletTesting
import NIOCore
import Testing

@testable import MartletDiskCache
@testable import MartletEssentials

@Suite(.timeLimit(.minutes(5)))
struct DiskResponseCacheTests {
  private let folder = CacheFolder()

  @Test(arguments: ResponseCacheRule.all)
  func `the cache keeps the rules of its protocol`(_ rule: ResponseCacheRule) async throws {
    try await rule.check(folder.cache())
  }

  @Test(arguments: [0, 16 << 10, 16 << 10 + 1, 3 << 20])
  func `a response is there for all programs that use the folder, and after their end`(
    length: Int
  ) async throws {
    let other = folder.cache()
    #expect(try await other.lengths("a").isEmpty)
    try await folder.cache().put("a", length)
    #expect(try await other.lengths("a") == [length])
    #expect(try await folder.cache().lengths("a") == [length])
    #expect(folder.bodies.count == (length > 16 << 10 ? 1 : 0))
    try await other.remove(url: CacheKey.named("a").url)
    #expect(try await folder.cache().lengths("a").isEmpty)
    #expect(folder.bodies.isEmpty)
  }

  @Test func `nothing is opened before the cache is used, and only the user can read it`()
    async throws
  {
    let cache = folder.cache()
    #expect(!FileManager.default.fileExists(atPath: folder.url.path))
    try await cache.put("a", 20_000)
    let files = ["", "-wal", "-shm"].map { folder.database.path + $0 }
    for (path, mode) in [(folder.url.path, 0o700), (folder.body(folder.bodies[0]).path, 0o600)]
      + files.map({ ($0, 0o600) })
    {
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect("\(attributes[.posixPermissions] ?? 0)" == "\(mode)")
    }
  }

  @Test func `a cache with a name is in the user's directory for caches`() {
    let directory = DiskResponseCache(named: "com.example.martlet").directory
    #expect(directory.lastPathComponent == "com.example.martlet")
    #expect(directory == DiskResponseCache.directory(named: "com.example.martlet"))
    #expect(directory.path.hasPrefix("/") && directory.pathComponents.count > 2)
  }

  @Test(arguments: [1000, 20_000])
  func `the least recently used responses are removed when there is no room`(length: Int)
    async throws
  {
    let cache = folder.cache(capacity: Int64(length + 1000) * 10)
    for number in 0..<8 {
      try await cache.put("\(number)", length)
      folder.wait(120)
    }
    // The oldest response is used.
    #expect(try await cache.lengths("0") == [length])
    for number in 8..<14 { try await cache.put("\(number)", length) }
    #expect(try await cache.lengths("0") == [length])
    #expect(try await cache.lengths("1").isEmpty)
    #expect(try await cache.lengths("13") == [length])
    #expect(try await cache.size <= cache.capacity)
    #expect(try await cache.count == folder.cache().count)
    if length > 16 << 10 { #expect(try await folder.bodies.count == cache.count) }
  }

  @Test func `a body above a quarter of the capacity is not stored`() async throws {
    let cache = folder.cache(capacity: 200_000)
    try await cache.put("a", 50_001)
    #expect(try await cache.lengths("a").isEmpty && folder.bodies.isEmpty)
    try await cache.put("a", 50_000)
    #expect(try await cache.lengths("a") == [50_000])
    let record = CachedResponse.Record(
      head: ResponseHead(status: .ok, headers: [.contentLength: "50001"]),
      url: URL(fileURLWithPath: "/"), requestTime: Date(), responseTime: Date())
    #expect(try await cache.makeWriter(for: record, key: .named("b")) == nil)
  }

  @Test func `a URL has at most 64 variants, of which the least recently used are replaced`()
    async throws
  {
    let cache = folder.cache()
    for number in 0..<70 {
      try await cache.put("a", number, [.accept: ["\(number)"]])
      folder.wait(1)
    }
    #expect(try await cache.lengths("a") == Array(6..<70))
  }

  @Test func `a body that is being read stays whole while its response is removed`() async throws {
    let cache = folder.cache()
    try await cache.put("a", 1 << 20)
    let stored = try #require(try await cache.responses(for: .named("a")).first)
    var chunks = stored.body.makeAsyncIterator()
    var count = try await chunks.next()?.readableBytes ?? 0
    try await folder.cache().removeAll()
    #expect(folder.bodies.isEmpty)
    while let chunk = try await chunks.next() { count += chunk.readableBytes }
    #expect(count == 1 << 20)
  }

  @Test(arguments: [10, 20_000])
  func `a response is removed alone`(length: Int) async throws {
    let cache = folder.cache()
    try await cache.put("a", length, [.acceptLanguage: ["de"]])
    try await cache.put("a", length + 1, [.acceptLanguage: ["en"]])
    let stored = try await cache.responses(for: .named("a"))
    let german = try #require(stored.first { $0.varyHeaders == [.acceptLanguage: ["de"]] })
    try await cache.remove(german.record, for: .named("b"))
    #expect(try await cache.lengths("a") == [length, length + 1])
    try await cache.remove(german.record, for: .named("a"))
    #expect(try await cache.lengths("a") == [length + 1])
    #expect(folder.bodies.count == (length > 16 << 10 ? 1 : 0))
  }

  @Test func `clearing removes the files that have no response yet, and a renamed database`()
    async throws
  {
    let cache = folder.cache()
    try await cache.put("a", 20_000)
    try Data("partial".utf8).write(to: folder.body("1f.body"))
    try Data("other".utf8).write(to: folder.body("other.txt"))
    try Data("damaged".utf8).write(to: folder.damaged)
    try await cache.removeAll()
    #expect(folder.bodies == ["other.txt"])
    #expect(!FileManager.default.fileExists(atPath: folder.damaged.path))
  }

  @Test func `a body whose file was removed while it was written is not stored`() async throws {
    let cache = folder.cache()
    let record = CachedResponse.Record(
      head: ResponseHead(status: .ok), url: URL(fileURLWithPath: "/"), requestTime: folder.now,
      responseTime: folder.now)
    let writer = try #require(await cache.makeWriter(for: record, key: .named("a")))
    try await writer.write(ByteBuffer(repeating: 1, count: 20_000))
    try await cache.removeAll()
    try await writer.finish(record)
    #expect(try await cache.count == 0)
  }

  @Test
  func `removals that have failed are made with the next change, all of them if they are many`() {
    var pending = PendingChanges()
    pending.noteFailure(toRemove: "a")
    #expect(pending.isRemoved("a") && !pending.isRemoved("b"))
    #expect(pending.begin().removals.urls == ["a"])
    pending.noteFailure(toRemove: "b")
    #expect(pending.isRemoved("a"))
    pending.fail()
    #expect(pending.begin().removals.urls == ["a", "b"])
    pending.end()
    #expect(!pending.isRemoved("a") && !pending.isRemoved("b"))
    for number in 0...1000 { pending.noteFailure(toRemove: "\(number)") }
    #expect(pending.isRemoved("x") && pending.begin().removals.all)
    pending.end()
    #expect(!pending.isRemoved("0"))
  }

  @Test func `a folder with nothing but a renamed database has a cache to clear`() throws {
    let cache = folder.cache()
    #expect(!cache.exists)
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    try Data("damaged".utf8).write(to: folder.damaged)
    #expect(cache.exists)
  }

  @Test func `clearing gives the space back`() async throws {
    let cache = folder.cache()
    for number in 0..<200 { try await cache.put("\(number)", 10_000) }
    try await cache.removeAll()
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.database.path)
    #expect(try #require(attributes[.size] as? Int) < 200_000)
    #expect(try await cache.size == 0)
  }

  @Test func `a cache without capacity stores nothing`() async throws {
    let cache = folder.cache(capacity: 0)
    for length in [0, 10, 20_000] { try await cache.put("a", length) }
    #expect(try await cache.lengths("a").isEmpty && folder.bodies.isEmpty)
  }

  @Test func `a clock that is set back does not stop the cache`() async throws {
    let cache = folder.cache(capacity: 40_000)
    for number in 0..<10 { try await cache.put("\(number)", 1000) }
    folder.wait(-86_400)
    for number in 10..<40 {
      try await cache.put("\(number)", 1000)
      #expect(try await cache.lengths("\(number)") == [1000])
      folder.wait(1)
    }
  }

  @Test func `the files that a killed program has left are removed after an hour`() async throws {
    let writer = try await folder.cache().makeWriter(for: .empty, key: .named("a"))
    try await writer?.write(ByteBuffer(repeating: 1, count: 20_000))
    #expect(folder.bodies.count == 1)
    try await folder.cache().put("b", 20_000)
    #expect(folder.bodies.count == 2)
    folder.wait(25 * 3600)
    try await folder.cache().put("c", 20_000)
    #expect(folder.bodies.count == 2)
    // The response was stored too slowly, and its file is missing: it is as if it were not stored.
    try await writer?.finish(.empty)
    #expect(try await folder.cache().lengths("a").isEmpty)
  }
}

extension CachedResponse.Record {
  static let empty = CachedResponse.Record(
    head: ResponseHead(status: .ok), url: URL(fileURLWithPath: "/"), requestTime: Date(),
    responseTime: Date())
}
