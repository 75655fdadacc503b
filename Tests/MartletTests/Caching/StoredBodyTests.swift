import EssentialFoundation
import Foundation
import HTTPTypes
import MartletCore
import MartletTesting
import NIOCore
import SpecificationCoverage
import TestTiming
import Testing

@testable import Martlet
@testable import MartletEssentials

/// Bodies that are stored while they are read.
@Suite(.timeLimit(.minutes(5)))
struct StoredBodyTests {
  /// A server that sends chunks, and fails after them if there is an error.
  private static func rig(
    _ cache: any ResponseCache = MemoryResponseCache(), chunks: [String],
    fields: HTTPFields = [.cacheControl: "max-age=60"], failure: MartletError? = nil
  ) -> CacheRig {
    CacheRig(cache, CacheOptions()) { request, number in
      guard number == 1 else {
        let whole = chunks.joined() + "end"
        guard let range = request.headers[.range].flatMap({ ByteRange($0) }) else {
          return .reply(200, fields, whole, to: request)
        }
        var part = fields
        let (bytes, total) = (range.bytes(of: Int64(whole.utf8.count)), whole.utf8.count)
        part[.contentRange] = "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/\(total)"
        part[.contentLength] = nil
        return .reply(206, part, String(whole.suffix(bytes.count)), to: request)
      }
      return Response(
        head: ResponseHead(status: .ok, headers: fields), url: request.url,
        body: ResponseBody(stream: BodyChunks(chunks, failure)))
    }
  }

  @Test(arguments: ["buffer", "stream", "file"])
  func `a body is stored, however it is delivered`(delivery: String) async throws {
    let rig = Self.rig(chunks: ["tern", "and", "gull"])
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("file")
    var request = try Request("http://h/")
    request.delivery =
      switch delivery {
      case "buffer": .buffered
      case "stream": .stream
      default: .file(at: file)
      }
    let first = try await rig.send(request)
    if delivery == "stream" {
      #expect(try await first.body.collect() == ByteBuffer(string: "ternandgull"))
    }
    let second = try await rig.send(request)
    #expect(second.cacheStatus?.isHit == true)
    switch delivery {
    case "file": #expect(try String(contentsOf: file, encoding: .utf8) == "ternandgull")
    default: #expect(try await second.body.collect() == ByteBuffer(string: "ternandgull"))
    }
    #expect(rig.sent.current.count == 1)
  }

  @Test func `so is one that is discarded, if its end arrives within a second`() async throws {
    var request = try Request("http://h/")
    request.delivery = .discard
    let rig = try await inTime(.seconds(1)) { [request] in
      let rig = Self.rig(chunks: ["tern", "and", "gull"])
      try await rig.send(request)
      return rig
    }
    let second = try await rig.send(request)
    #expect(second.cacheStatus?.isHit == true && second.body.kind == .discarded)
    #expect(rig.sent.current.count == 1)
  }

  @Test func `a body that is too large for memory passes, and is not stored`() async throws {
    let large = String(repeating: "x", count: 600)
    let cache = MemoryResponseCache(capacity: 20_000)
    let rig = Self.rig(cache, chunks: [large, large])
    #expect(try await rig.get() == large + large)
    #expect(cache.size == 0 && rig.statistics().stored == 0)
    #expect(try await rig.send().cacheStatus?.forwardReason == .uriMiss)
  }

  @Test(.covers("9211-2.4-a"), arguments: [true, false])
  func `a body that is known to be too large is not called stored (RFC 9211 §2·4)`(
    isStream: Bool
  ) async throws {
    let large = String(repeating: "x", count: 1200)
    let rig = CacheRig(MemoryResponseCache(capacity: 20_000), CacheOptions()) { request, _ in
      let head: HTTPFields = [.cacheControl: "max-age=60", .contentLength: "1200"]
      guard isStream else { return .reply(200, head, large, to: request) }
      return Response(
        head: ResponseHead(status: .ok, headers: head), url: request.url,
        body: ResponseBody(stream: BodyChunks([large])))
    }
    let response = try await rig.send()
    #expect(response.cacheStatus?.isStored == false)
    #expect(try await response.body.collect() == ByteBuffer(string: large))
    #expect(rig.statistics().failures == 0)
  }

  @Test(.covers("9111-3.3-b", "9111-3.3-c"))
  func `a body that was cut short is completed by a range (§3·3)`() async throws {
    let fields: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"a\"", .contentLength: "11"]
    let rig = Self.rig(
      chunks: ["tern", "gull"], fields: fields, failure: MartletError(.connectionLost, "lost"))
    var request = try Request("http://h/")
    request.delivery = .stream
    let cut = try await rig.send(request)
    let error = await failure { try await cut.body.collect() }
    #expect(error?.code == .connectionLost)
    try await eventually { rig.statistics().stored == 1 }
    #expect(try await rig.get() == "terngullend")
    #expect(rig.lastHeaders[.range] == "bytes=8-" && rig.lastHeaders[.ifRange] == "\"a\"")
    let whole = try await rig.send()
    #expect(whole.body.bytes == ByteBuffer(string: "terngullend"))
    #expect(whole.headers[.contentLength] == "11" && whole.cacheStatus?.isHit == true)
  }

  @Test func `so is one that its reader has given up`() async throws {
    let rig = Self.rig(
      chunks: ["tern", "gull"], fields: [.cacheControl: "max-age=60", .eTag: "\"a\""])
    var request = try Request("http://h/")
    request.delivery = .stream
    do {
      let body = try await rig.send(request).body
      var chunks = body.makeAsyncIterator()
      #expect(try await chunks.next() == ByteBuffer(string: "tern"))
    }
    try await eventually { rig.statistics().stored == 1 }
    #expect(try await rig.get() == "terngullend")
    #expect(rig.lastHeaders[.range] == "bytes=4-")
  }

  /// Records a body of 4 bytes, of which some arrive, in a cache that has some of it already. Returns what is stored.
  private static func record(
    _ count: Int, _ cut: ResponseRecorder.Cut, inPlaceOf stored: Range<Int64>?
  ) async throws -> CachedResponse? {
    let (store, request) = (MemoryResponseCache(), try Request("http://h/"))
    let cache = SharedCache(store, CacheOptions(), over: nil) { CacheRig.start }
    let lookup = try #require(CacheLookup(request, CacheOptions(), nil))
    var record = CachedResponse.Record(
      head: ResponseHead(status: .ok, headers: [.eTag: "\"a\"", .contentLength: "4"]),
      url: request.url, requestTime: CacheRig.start, responseTime: CacheRig.start)
    var old: CachedResponse.Record?
    if let stored {
      record.part = stored == 0..<4 ? nil : .init(bytes: stored, total: 4)
      let bytes = ByteBuffer(repeating: 1, count: stored.count)
      try await store.store(
        CachedResponse(record, body: ResponseBody(bytes: bytes)), for: lookup.key)
      (old, record.part) = (record, nil)
    }
    let recorder = ResponseRecorder(
      CombinedPart(record.renewed, inPlaceOf: old), to: cache.sending(lookup),
      replacing: [], in: cache, filter: nil)
    await recorder.append(ByteBuffer(repeating: 2, count: count))
    await recorder.finishPart(cut)
    return store.responses(for: lookup.key).first
  }

  @Test(
    arguments: [
      (1, nil, 0..<1), (1, 0..<2, 0..<2), (2, 0..<2, 0..<2), (3, 0..<2, 0..<3), (3, 0..<4, 0..<4),
    ] as [(Int, Range<Int64>?, Range<Int64>)])
  func `a beginning does not take the place of more of the same body`(
    count: Int, stored: Range<Int64>?, wanted: Range<Int64>
  ) async throws {
    let response = try #require(await Self.record(count, .abandoned, inPlaceOf: stored))
    let isNew = wanted != stored
    #expect(
      response.body.bytes == ByteBuffer(repeating: isNew ? 2 : 1, count: wanted.count))
    #expect(response.record.part?.bytes == (wanted == 0..<4 ? nil : wanted))
  }

  @Test
  func `a body that is given up after its last byte is whole, and one that fails there is none`()
    async throws
  {
    let whole = try #require(await Self.record(4, .abandoned, inPlaceOf: nil))
    #expect(whole.record.part == nil && whole.body.bytes?.readableBytes == 4)
    #expect(try await Self.record(4, .failed, inPlaceOf: nil) == nil)
  }

  @Test func `a response is not stored when those of its URL were removed meanwhile (§4·4)`()
    async throws
  {
    let rigs = Locked<[CacheRig]>([])
    let rig = CacheRig { request, number in
      if number == 1 { try await rigs.current.first?.send(.post) }
      return .reply(200, [.cacheControl: "max-age=60"], "\(number)", to: request)
    }
    rigs.withLock { $0 = [rig] }
    #expect(try await rig.get() == "1")
    #expect(try await rig.get() == "3")
    #expect(try await rig.get() == "3")
    rigs.withLock { $0 = [] }
  }

  @Test func `many removals count for all URLs`() {
    var counts = RemovalCounts()
    counts.add("a")
    let before = counts["a"]
    #expect(before != counts["b"])
    for number in 0..<2000 { counts.add("\(number)") }
    #expect(counts["a"] != before && counts["a"] == counts["b"])
  }

  @Test func `a stored response stays when the body of the one that takes its place fails`()
    async throws
  {
    let rig = CacheRig { request, number in
      guard number == 2 else {
        return .reply(
          200, [.cacheControl: "max-age=5", .vary: "Accept", .eTag: "\"a\""], "1", to: request)
      }
      return Response(
        head: ResponseHead(status: .ok, headers: [.cacheControl: "max-age=60"]), url: request.url,
        body: ResponseBody(stream: BodyChunks(["x"], MartletError(.connectionLost, "lost"))))
    }
    #expect(try await rig.get() == "1")
    rig.wait(10)
    #expect(await failure { try await rig.get() }?.code == .connectionLost)
    #expect(try await rig.stored().map { $0.varyHeaders[.accept] } == [[]])
  }

  @Test func `what the hook refuses is not called stored (RFC 9211 §2·4)`() async throws {
    var configuration = SessionConfiguration()
    configuration.cache = MemoryResponseCache()
    configuration.transport = InProcessTransport { request in
      .reply(200, [.cacheControl: "max-age=60"], "1", to: request)
    }
    let session = URLSessionManager(configuration: configuration)
    session.onWillCacheResponse = { _, _ in nil }
    #expect(try await session.send(Request("http://h/")).cacheStatus?.isStored == false)
    session.onWillCacheResponse = nil
    #expect(try await session.send(Request("http://h/")).cacheStatus?.isStored == true)
  }

  @Test(
    .covers("9111-3.3-b"),
    arguments: [
      [.cacheControl: "max-age=60"], [.cacheControl: "max-age=60", .eTag: "W/\"a\""],
      [.cacheControl: "max-age=60", .eTag: "\"a\"", .acceptRanges: "none"],
    ] as [HTTPFields])
  func `a body that was cut short and cannot be completed is not stored (§3·3)`(fields: HTTPFields)
    async throws
  {
    let cache = MemoryResponseCache()
    let rig = Self.rig(
      cache, chunks: ["tern"], fields: fields, failure: MartletError(.connectionLost, "lost"))
    _ = await failure { try await rig.get() }
    #expect(try await rig.get() == "ternend")
    #expect(rig.lastHeaders[.range] == nil)
    #expect(rig.statistics().stored == 1)
  }

  @Test(arguments: ["10", "12"])
  func `a body of another length than the server has announced is not stored`(length: String)
    async throws
  {
    let rig = Self.rig(
      chunks: ["tern", "and", "gull"],
      fields: [.cacheControl: "max-age=60", .contentLength: length, .eTag: "\"a\""])
    #expect(try await rig.get() == "ternandgull")
    #expect(try await rig.stored().isEmpty && rig.statistics().stored == 0)
  }

  @Test(
    arguments: [
      (0, 3, "012"), (4, 3, "456"), (0, 10, "0123456789"), (8, 5, "89"), (10, 2, ""), (12, 1, ""),
      (3, 0, ""),
    ], ["memory", "stream", "file", "open file"])
  func `a part of a stored body has the bytes that exist`(
    part: (offset: Int, count: Int, text: String), kind: String
  ) async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("body")
    try Data("0123456789".utf8).write(to: file)
    let body =
      switch kind {
      case "memory": ResponseBody(bytes: ByteBuffer(string: "0123456789"))
      case "stream": ResponseBody(stream: BodyChunks(["01", "2345", "6789"]))
      case "file": ResponseBody(file: file)
      default: ResponseBody(reading: file, try OpenFile(reading: file), of: nil)
      }
    // What is open can be read after it was removed.
    if kind == "open file" { try FileManager.default.removeItem(at: file) }
    let slice = body.slice(Int64(part.offset), Int64(part.count), of: nil)
    #expect(try await slice.collect() == ByteBuffer(string: part.text))
  }
}

/// A body in pieces, with an error behind the last one if there is one.
final class BodyChunks: ResponseBodySource {
  private let left: Locked<[String]>
  private let failure: MartletError?
  let completion: ResponseBody.Completion? = nil

  init(_ chunks: [String], _ failure: MartletError? = nil) {
    left = Locked(chunks)
    self.failure = failure
  }

  func next() async throws -> ByteBuffer? {
    let chunk = left.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    if chunk == nil, let failure { throw failure }
    return chunk.map { ByteBuffer(string: $0) }
  }

  func abandon() {}
}
