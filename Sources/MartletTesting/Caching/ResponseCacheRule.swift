import EssentialFoundation
import HTTPTypes
import MartletCore
public import MartletEssentials
import NIOCore

/// A rule that every `ResponseCache` keeps, for the tests of a cache of your own.
///
///     @Test(arguments: ResponseCacheRule.all)
///     func `the cache keeps the rules of its protocol`(_ rule: ResponseCacheRule) async throws {
///       try await rule.check(MyCache())
///     }
public struct ResponseCacheRule: Sendable, CustomStringConvertible {
  /// What a cache does that keeps the rule.
  public let description: String
  private let verify: @Sendable (CacheProbe) async throws -> Void

  init(_ description: String, verify: @escaping @Sendable (CacheProbe) async throws -> Void) {
    self.description = description
    self.verify = verify
  }

  /// Checks that a cache keeps the rule.
  ///
  /// - Parameter cache: An empty cache with room for 8 MiB.
  /// - Throws: ``Violation`` when it does not, and what the cache throws.
  public func check(_ cache: any ResponseCache) async throws {
    try await verify(CacheProbe(cache, of: self))
  }

  /// A cache does not keep a rule.
  public struct Violation: Error, CustomStringConvertible {
    /// The rule, and what the cache did.
    public let description: String
  }
}

/// A cache that is checked, with the calls and the comparisons of the rules.
struct CacheProbe: Sendable {
  let cache: any ResponseCache
  private let rule: ResponseCacheRule

  init(_ cache: any ResponseCache, of rule: ResponseCacheRule) {
    self.cache = cache
    self.rule = rule
  }

  /// Returns a record whose fields name its `version`.
  func record(
    _ version: Int = 1, varyHeaders: [HTTPField.Name: [String]] = [:],
    part: CachedResponse.Record.Part? = nil
  ) -> CachedResponse.Record {
    var headers: HTTPFields = [.eTag: "\"\(version)\"", .contentType: "text/plain"]
    // Several fields with one name keep their order.
    headers.append(HTTPField(name: .via, value: "1.1 a"))
    headers.append(HTTPField(name: .via, value: "1.1 b"))
    let time = Date(timeIntervalSinceReferenceDate: 800_000_000.25 + Double(version))
    return CachedResponse.Record(
      head: ResponseHead(status: .ok, headers: headers), url: URL(fileURLWithPath: "/"),
      requestTime: time, responseTime: time + 1, varyHeaders: varyHeaders, part: part)
  }

  /// Stores a response that fits in memory.
  @discardableResult
  func store(_ record: CachedResponse.Record, _ body: ByteBuffer, for key: CacheKey) async throws
    -> CachedResponse.Record
  {
    let response = CachedResponse(record, body: ResponseBody(bytes: body))
    try await cache.store(response, for: key)
    return record
  }

  /// Stores a response in pieces. Returns whether the cache has stored it.
  func write(_ record: CachedResponse.Record, _ pieces: [ByteBuffer], for key: CacheKey)
    async throws -> Bool
  {
    guard let writer = try await cache.makeWriter(for: record, key: key) else { return false }
    for piece in pieces { try await writer.write(piece) }
    try await writer.finish(record)
    return true
  }

  /// Checks that exactly these responses are stored, in any order.
  func expect(_ wanted: [(CachedResponse.Record, ByteBuffer)], for key: CacheKey) async throws {
    let stored = try await cache.responses(for: key)
    try require(
      stored.count == wanted.count, "it has \(stored.count) responses, not \(wanted.count)")
    for (record, body) in wanted {
      guard let response = stored.first(where: { $0.record.id == record.id }) else {
        throw violation("it does not have the response \(record)")
      }
      try require(response.record == record, "it has another record than \(record)")
      let bytes = try await response.body.collect(upTo: body.readableBytes + 1)
      try require(bytes == body, "the body has changed")
    }
  }

  func require(_ isKept: Bool, _ message: @autoclosure () -> String) throws {
    if !isKept { throw violation(message()) }
  }

  private func violation(_ message: String) -> ResponseCacheRule.Violation {
    .init(description: "The rule “\(rule)” is not kept: \(message).")
  }
}
