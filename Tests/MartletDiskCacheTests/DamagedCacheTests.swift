import EssentialFoundation
import ExitTesting
import HTTPTypes
import MartletCore
import MartletTesting
import NIOCore
import TestTiming
import Testing

@testable import MartletDiskCache
@testable import MartletEssentials

/// Directories and files that a cache cannot use.
@Suite(.timeLimit(.minutes(20)))
struct DamagedCacheTests {
  private let folder = CacheFolder()

  /// Stores a few responses, and closes the database.
  private func fill() async throws {
    let cache = folder.cache()
    for number in 0..<100 { try await cache.put("\(number)", number * 300) }
  }

  private func overwrite(_ url: URL, from offset: Int, _ bytes: [UInt8]) throws {
    var data = try Data(contentsOf: url)
    data.replaceSubrange(offset..<min(offset + bytes.count, data.count), with: bytes)
    try data.write(to: url)
  }

  /// Checks that a cache that cannot be used is renamed, and that the next one works.
  private func expectSetAside() async throws {
    let cache = folder.cache()
    let error = await #expect(throws: MartletError.self) { try await cache.lengths("1") }
    #expect(error?.code == .cacheFailed)
    #expect(error?.message.contains("renamed to “damaged.sqlite”") == true)
    #expect(FileManager.default.fileExists(atPath: folder.damaged.path))
    #expect(try await cache.lengths("1").isEmpty)
    try await cache.put("1", 7)
    #expect(try await folder.cache().lengths("1") == [7])
  }

  @Test func `a file that is no database is renamed, and a new one takes its place`() async throws {
    try await fill()
    try overwrite(folder.database, from: 0, Array("This is not a database.".utf8))
    try await expectSetAside()
  }

  @Test func `a database of another version is renamed`() async throws {
    try await fill()
    try await folder.cache().write {
      try $0.run("PRAGMA user_version = 9")
      return []
    }
    try await expectSetAside()
  }

  @Test func `damage that is found later is reported once, and the cache goes on`() async throws {
    try await fill()
    let cache = folder.cache()
    #expect(try await cache.lengths("1") == [300])
    // Behind the first page, which has the format and the tables.
    let count = try Data(contentsOf: folder.database).count - 4096
    try overwrite(folder.database, from: 4096, Array(repeating: 0xa5, count: count))
    var errors: [any Error] = []
    for number in 0..<100 {
      do { _ = try await cache.lengths("\(number)") } catch { errors.append(error) }
    }
    #expect(errors.count == 1 && (errors.first as? MartletError)?.code == .cacheFailed)
    try await cache.put("1", 7)
    #expect(try await cache.lengths("1") == [7])
    #expect(try await folder.cache().lengths("1") == [7])
  }

  @Test func `a program that has the renamed database open uses the new one when it stores`()
    async throws
  {
    try await fill()
    let old = folder.cache()
    #expect(try await old.lengths("1") == [300])
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.moveItem(
        atPath: folder.database.path + suffix, toPath: folder.damaged.path + suffix)
    }
    try await folder.cache().put("1", 5)
    try await old.put("2", 6)
    #expect(try await old.lengths("1") == [5])
    #expect(try await folder.cache().lengths("2") == [6])
  }

  @Test func `a cache goes on when its folder is removed`() async throws {
    let cache = folder.cache()
    try await cache.put("1", 20_000)
    try FileManager.default.removeItem(at: folder.url)
    try await cache.put("2", 20_000)
    #expect(try await cache.lengths("2") == [20_000])
    #expect(try await folder.cache().lengths("2") == [20_000])
  }

  @Test func `damage in the totals is found when there is no room`() async throws {
    let cache = folder.cache(capacity: 100_000)
    try await cache.put("1")
    try await cache.write {
      try $0.run("UPDATE totals SET size = 1000000000")
      return []
    }
    await #expect(throws: MartletError.self) { try await cache.put("2") }
    try await cache.put("3")
    #expect(try await cache.lengths("3") == [10])
    #expect(FileManager.default.fileExists(atPath: folder.damaged.path))
  }

  @Test func `any numbers in a row are accepted`() async throws {
    let cache = folder.cache()
    try await cache.put("1")
    for number in [Int64.min, .max] {
      try await cache.write {
        try $0.run("UPDATE responses SET used = ?", .integer(number))
        return []
      }
      #expect(try await cache.lengths("1") == [10])
    }
  }

  @Test(.blocksAThread) func `responses that could not be removed are not used`() async throws {
    let (cache, other) = (folder.cache(), folder.cache())
    try await cache.put("1")
    // Another program holds the lock.
    let lock = try SQLiteConnection(folder.database.path, timeout: 0)
    try lock.run("BEGIN IMMEDIATE")
    let error = await #expect(throws: MartletError.self) {
      try await cache.remove(url: CacheKey.named("1").url)
    }
    #expect(error?.code == .cacheFailed && error?.message.contains("cannot be used") == true)
    #expect(try await cache.lengths("1").isEmpty)
    #expect(try await other.lengths("1") == [10])
    // Until the pause is over, no call waits for the lock.
    await #expect(throws: MartletError.self) { try await cache.put("2") }
    try lock.run("ROLLBACK")
    try await eventually { (try? await cache.put("2")) != nil }
    #expect(try await other.lengths("1").isEmpty)
    #expect(try await cache.lengths("2") == [10])
  }

  @Test(arguments: ["missing", "short", "long"])
  func `a response whose file is missing or has another length is as if it were not stored`(
    _ damage: String
  ) async throws {
    let cache = folder.cache()
    try await cache.put("1", 20_000)
    let file = folder.body(try #require(folder.bodies.first))
    switch damage {
    case "missing": try FileManager.default.removeItem(at: file)
    case "short": try Data(count: 19_999).write(to: file)
    default: try Data(count: 20_001).write(to: file)
    }
    #expect(try await cache.lengths("1").isEmpty)
    try await cache.put("1", 20_002)
    #expect(try await cache.lengths("1") == [20_002])
  }

  @Test func `a damaged part is not used, so that it does not become part of a whole body`()
    async throws
  {
    let cache = folder.cache()
    let record = CachedResponse.Record(
      head: ResponseHead(status: .ok, headers: [.eTag: "\"a\""]), url: URL(fileURLWithPath: "/"),
      requestTime: folder.now, responseTime: folder.now, part: .init(bytes: 0..<20_000, total: nil))
    for name in ["a", "b"] {
      let body = ResponseBody(bytes: ByteBuffer(repeating: 1, count: 20_000))
      try await cache.store(CachedResponse(record.renewed, body: body), for: .named(name))
    }
    let damaged = folder.body(try #require(folder.bodies.first))
    try Data(repeating: 2, count: 20_000).write(to: damaged)
    var opened: [String: Bool] = [:]
    for name in ["a", "b"] {
      let part = try #require(await cache.responses(for: .named(name)).first)
      opened[name] = try await cache.opened(part, for: .named(name)) != nil
    }
    #expect(Set(opened.values) == [true, false] && folder.bodies.count == 1)
    // The file is read only once to be checked: damage that comes later is found by `verify()`.
    let name = try #require(opened.first { $0.value }?.key)
    try Data(repeating: 2, count: 20_000).write(to: folder.body(try #require(folder.bodies.first)))
    let part = try #require(await cache.responses(for: .named(name)).first)
    #expect(try await cache.opened(part, for: .named(name)) != nil)
    #expect(try await cache.verify().damaged == [CacheKey.named(name).url])
  }

  @Test func `the check finds and removes what is damaged, and files that belong to no response`()
    async throws
  {
    let cache = folder.cache()
    for number in 0..<150 { try await cache.put("\(number)") }
    try await cache.put("large", 20_000)
    try await cache.put("changed", 30_000)
    for name in folder.bodies {
      let file = folder.body(name)
      if try Data(contentsOf: file).count == 30_000 { try overwrite(file, from: 7, [9]) }
    }
    try await cache.write {
      try $0.run("UPDATE responses SET body = 'martlet' WHERE url = ?", .text("http://h/7"))
      try $0.run("UPDATE responses SET record = x'0102' WHERE url = ?", .text("http://h/8"))
      return []
    }
    try Data(count: 3).write(to: folder.body("ab.body"))
    folder.wait(4000)
    var found = try await cache.verify()
    #expect(found.damaged.sorted() == ["http://h/7", "http://h/8", "http://h/changed"])
    #expect(found.checked == 152 && found.orphans == 1)
    found = try await cache.verify()
    #expect(found == DiskResponseCache.Verification(checked: 149))
    #expect(try await cache.lengths("large") == [20_000])
    #expect(folder.bodies.count == 1)
  }

  @Test func `requests go on when the directory cannot be used, and an event says why`()
    async throws
  {
    let server = try await LoopbackServer.start()
    let file = folder.url
    try Data("a file".utf8).write(to: file)
    var configuration = SessionConfiguration()
    configuration.cache = DiskResponseCache(directory: file.appendingPathComponent("cache"))
    let session = URLSessionManager(configuration: configuration)
    for _ in 0..<2 {
      let failures = Locked<[MartletError]>([])
      var request = Request(url: server.url("/cache/60"))
      let call = Call()
      call.observe { event in
        if case .cacheFailed(let error) = event.kind { failures.withLock { $0.append(error) } }
      }
      request.call = call
      #expect(try await session.send(request).status == .ok)
      #expect(!failures.current.isEmpty)
    }
    #expect(server.requestCount == 2)
    await server.stop()
  }
}
