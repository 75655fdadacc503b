import EssentialFoundation
import Foundation
import HTTPTypes
import MartletCore
import MartletTesting
import NIOCore
import TestTiming
import Testing

@testable import Martlet
@testable import MartletEssentials

/// Bodies that are too large for memory, and go to a writer of the cache.
@Suite(.timeLimit(.minutes(5)))
struct LargeBodyTests {
  private let cache = WriterCache()

  private func rig(
    _ chunks: [String], _ fields: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"a\""]
  ) -> CacheRig {
    CacheRig(cache, CacheOptions()) { request, number in
      guard number == 1 else { return .reply(304, fields, to: request) }
      return Response(
        head: ResponseHead(status: .ok, headers: fields), url: request.url,
        body: ResponseBody(stream: BodyChunks(chunks)))
    }
  }

  @Test func `a body goes to a writer as soon as it is too large for memory`() async throws {
    let rig = rig(["t", "er", "n and ", "gull"])
    var request = try Request("http://h/")
    request.delivery = .stream
    let body = try await rig.send(request).body
    #expect(try await body.collect() == ByteBuffer(string: "tern and gull"))
    #expect(cache.written.current == ["ter", "n and ", "gull"])
    #expect(try await rig.get() == "tern and gull")
    #expect(rig.sent.current.count == 1 && rig.statistics().stored == 1)
  }

  @Test func `a body that is cut while the writer is at work is stored as far as it was written`()
    async throws
  {
    cache.isOpen.update { $0 = false }
    let rig = rig(["ter", "n and ", "gull"])
    var request = try Request("http://h/")
    request.delivery = .stream
    let body = try await rig.send(request).body
    let reader = Task {
      var (chunks, count) = (body.makeAsyncIterator(), 0)
      while let chunk = try? await chunks.next() { count += chunk.readableBytes }
      return count
    }
    try await cache.isWriting.wait { $0 }
    body.cancel()
    cache.isOpen.update { $0 = true }
    _ = await reader.value
    try await eventually { rig.statistics().stored == 1 }
    let stored = try #require(await rig.stored().first)
    #expect(stored.record.part == .init(bytes: 0..<9, total: nil))
    #expect(try await stored.body.collect() == ByteBuffer(string: "tern and "))
  }

  @Test func `a writer that fails loses the response, and not the body`() async throws {
    cache.failure.withLock { $0 = MartletError(.fileNotWritable, "full") }
    let rig = rig(["ter", "n and ", "gull"])
    #expect(try await rig.get() == "tern and gull")
    #expect(try await rig.stored().isEmpty)
    #expect(rig.statistics().failures == 1 && rig.statistics().stored == 0)
  }

  @Test(arguments: [true, false])
  func `a hook decides about a large body, too`(isWanted: Bool) async throws {
    var configuration = SessionConfiguration()
    configuration.cache = cache
    configuration.transport = InProcessTransport { request in
      .reply(
        200, [.cacheControl: "max-age=60", .contentLength: "13"], "tern and gull", to: request)
    }
    let session = URLSessionManager(configuration: configuration)
    session.onWillCacheResponse = { _, proposed in
      var changed = proposed
      changed.head.headers[.server] = "changed"
      return isWanted ? changed : nil
    }
    let request = try Request("http://h/")
    _ = try await session.send(request)
    let stored = cache.responses(for: CacheKey(request))
    #expect(stored.map { $0.head.headers[.server] } == (isWanted ? ["changed"] : []))
    #expect(stored.allSatisfy { $0.head.headers[.contentLength] == "13" })
    #expect(session.cacheStatistics.stored == stored.count)
  }

  @Test(arguments: [true, false])
  func `without an update of its own, a cache stores a confirmed response again`(hasWriter: Bool)
    async throws
  {
    let rig = rig(["ter", "n and ", "gull"], [.cacheControl: "max-age=5", .eTag: "\"a\""])
    #expect(try await rig.get() == "tern and gull")
    rig.wait(10)
    cache.hasWriter.withLock { $0 = hasWriter }
    for _ in 0..<2 { #expect(try await rig.get() == "tern and gull") }
    // Without a writer, the response stays as it was.
    #expect(rig.sent.current.count == (hasWriter ? 2 : 3))
    #expect(rig.statistics().failures == 0)
  }

  @Test(arguments: ResponseCacheRule.all)
  func `a cache with a writer keeps the rules of its protocol`(_ rule: ResponseCacheRule)
    async throws
  {
    try await rule.check(cache)
  }
}

/// A cache that collects at most four bytes in memory, and hands out streams.
private final class WriterCache: ResponseCache {
  private struct Entry: Sendable {
    let key: CacheKey
    let record: CachedResponse.Record
    let bytes: ByteBuffer
  }

  let largestBufferedBody = 4
  /// The pieces that the last writer has received.
  let written = Locked<[String]>([])
  /// Whether a writer continues.
  let isOpen = AwaitableValue(true)
  let isWriting = AwaitableValue(false)
  let failure = Locked<MartletError?>(nil)
  let hasWriter = Locked(true)
  private let entries = Locked<[Entry]>([])

  func responses(for key: CacheKey) -> [CachedResponse] {
    entries.current.filter { $0.key == key }.map { entry in
      CachedResponse(entry.record, body: ResponseBody(bytes: entry.bytes).streamed(of: nil))
    }
  }

  func store(_ response: CachedResponse, for key: CacheKey) async throws {
    insert(response.record, try await response.body.collect(), for: key)
  }

  private func insert(_ record: CachedResponse.Record, _ bytes: ByteBuffer, for key: CacheKey) {
    entries.withLock { entries in
      entries.removeAll { $0.key == key && $0.record.variant == record.variant }
      entries.append(Entry(key: key, record: record, bytes: bytes))
    }
  }

  func remove(url: String) {
    entries.withLock { $0.removeAll { $0.key.url == url } }
  }

  func removeAll() {
    entries.withLock { $0 = [] }
  }

  func makeWriter(for record: CachedResponse.Record, key: CacheKey) -> (any CachedResponseWriter)? {
    written.withLock { $0 = [] }
    return hasWriter.current ? Writer(cache: self, key: key) : nil
  }

  private final class Writer: CachedResponseWriter {
    let cache: WriterCache
    let key: CacheKey
    private let bytes = Locked(ByteBuffer())

    init(cache: WriterCache, key: CacheKey) {
      self.cache = cache
      self.key = key
    }

    func write(_ bytes: ByteBuffer) async throws {
      cache.isWriting.update { $0 = true }
      try await cache.isOpen.waitWithoutLimit { $0 }
      if let failure = cache.failure.current { throw failure }
      cache.written.withLock { $0.append(String(buffer: bytes)) }
      self.bytes.withLock { _ = $0.writeImmutableBuffer(bytes) }
    }

    func finish(_ record: CachedResponse.Record) {
      cache.insert(record, bytes.current, for: key)
    }
  }
}
