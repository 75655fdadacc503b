import EssentialFoundation
import MartletCore
public import MartletEssentials
public import NIOCore
public import NIOPosix

/// Stores responses in Redis or Valkey, for all the machines of a fleet.
///
///     import Martlet
///     import MartletRedisCache
///
///     let api = try HTTPSessionManager(baseURL: url) {
///       $0.cache = RedisResponseCache(try RedisConfiguration(url: "rediss://:secret@redis.example.com"))
///       $0.cacheOptions.mode = .shared    // the users of the machines differ
///     }
///
/// A private cache, the default of `cacheOptions.mode`, stores responses separately for each set of credentials. That is
/// right when the machines act for one user. If they act for several, set the mode to `.shared`: then only what servers
/// allow for all users is stored, and stored once.
///
/// Status, header fields and bodies of responses are stored, and all users of the database can read them. URLs,
/// and the credentials of requests, are stored only as digests, except for the URL in each response.
///
/// The server removes responses when they cannot be of use any more; see ``RedisConfiguration/retention``. It should
/// have a limit of memory, and a policy that evicts keys, such as `allkeys-lru`. It must be Redis 7.0 or later, or
/// Valkey. A server that fails never makes a request fail: the call reports `cacheFailed`, and for a second after that
/// the server is not used.
public final class RedisResponseCache: ResponseCache {
  /// The server, and how it is used.
  public let configuration: RedisConfiguration
  /// The largest body that is stored together with its head: 64 KiB.
  public let largestBufferedBody = RedisLayout.largestInlineBody
  /// The largest body that is stored, in bytes.
  public var largestBody: Int { configuration.largestBody }

  let client: RedisClient
  private let clock: @Sendable () -> Date

  /// A cache. It connects when it is first used.
  ///
  /// - Parameters:
  ///   - configuration: The server, and how it is used.
  ///   - group: The event loops for the connection. The default is NIO's shared group.
  public convenience init(
    _ configuration: RedisConfiguration,
    group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
  ) {
    self.init(RedisClient(configuration, on: group)) { Date() }
  }

  init(_ client: RedisClient, clock: @escaping @Sendable () -> Date) {
    self.client = client
    self.clock = clock
    configuration = client.configuration
  }

  /// Closes the connection. All later calls of the cache fail.
  public func close() async {
    await client.close()
  }

  // MARK: Reading

  /// Returns the responses for a key. A large body is a stream that is read from the server.
  ///
  /// - Throws: `MartletError` with code `.cacheFailed`.
  public func responses(for key: CacheKey) async throws -> [CachedResponse] {
    let layout = layout(key)
    let replies = try await client.send([.get(layout.generation), .fields(layout.variants)])
    guard let generation = replies[0].bytes else { return [] }
    let seal = layout.seal(generation)
    let entries = replies[1].elements.compactMap { $0.entry }.filter { $0.seal == seal }
    return try await complete(entries, at: layout).map { entry in
      let body =
        switch entry.body {
        case .inline(let bytes): ResponseBody(bytes: bytes)
        case .chunks(let chunks): ResponseBody(stream: RedisBody(chunks, at: layout, client))
        }
      return CachedResponse(entry.record, body: body)
    }
  }

  /// Returns the entries whose bodies are complete.
  private func complete(_ entries: [RedisEntry], at layout: RedisLayout) async throws
    -> [RedisEntry]
  {
    let entries = entries.filter { $0.body.chunks?.length ?? 0 <= largestBody }
    let chunked = entries.compactMap(\.body.chunks).filter { $0.count > 0 }
    guard !chunked.isEmpty else { return entries }
    let counts = try await client.send(chunked.map { .exists(layout.chunks(of: $0)) })
    let missing = Set(zip(chunked, counts).filter { $0.count != $1.integer }.map(\.0))
    return entries.filter { $0.body.chunks.map { !missing.contains($0) } ?? true }
  }

  // MARK: Writing

  /// Stores a response.
  ///
  /// - Throws: `MartletError` with code `.cacheFailed`, or what reading the body throws.
  public func store(_ response: CachedResponse, for key: CacheKey) async throws {
    let (record, body) = (response.record, response.body)
    guard let bytes = body.bytes, bytes.readableBytes <= largestBufferedBody else {
      guard let writer = try await makeWriter(for: record, key: key) else { return }
      for try await chunk in body { try await writer.write(chunk) }
      return try await writer.finish(record)
    }
    try await insert(record, .inline(bytes), at: layout(key))
  }

  /// Begins to store a response whose body is stored in chunks.
  public func makeWriter(for record: CachedResponse.Record, key: CacheKey) async throws
    -> (any CachedResponseWriter)?
  {
    guard record.head.contentLength ?? 0 <= largestBody else { return nil }
    return RedisBodyWriter(self, at: layout(key))
  }

  /// Inserts a response in place of the one with the same variant. What cannot be of use only removes that one.
  func insert(_ record: CachedResponse.Record, _ body: RedisEntry.Body, at layout: RedisLayout)
    async throws
  {
    let field = record.variant
    let replies = try await client.send([
      .setNew(
        layout.generation, RedisLayout.makeGeneration(), for: RedisLayout.generationLifetime),
      .get(layout.generation), .field(layout.variants, field), .fieldCount(layout.variants),
    ])
    // Another process may just have removed the generation.
    guard let generation = replies[1].bytes else { return }
    let old = replies[2]
    var changes = release(old.entry, at: layout)
    let entry = RedisEntry(record, body, seal: layout.seal(generation))
    if let lifetime = lifetime(of: record), let bytes = entry.storableBytes {
      if old.bytes == nil, replies[3].integer >= RedisLayout.mostVariants {
        changes += try await evict(at: layout)
      }
      changes.append(.setField(layout.variants, field, bytes))
      changes += keep(body, for: lifetime, at: layout)
    } else {
      changes.append(.removeField(layout.variants, field))
    }
    _ = try await client.send(RESPCommand.transaction(changes))
  }

  /// Replaces the record of a stored response.
  ///
  /// - Throws: `MartletError` with code `.cacheFailed`.
  public func update(_ record: CachedResponse.Record, for key: CacheKey) async throws {
    let (layout, field) = (layout(key), record.variant)
    let replies = try await client.send([
      .get(layout.generation), .field(layout.variants, field),
    ])
    guard let generation = replies[0].bytes, var entry = replies[1].entry,
      entry.seal == layout.seal(generation), entry.record.id == record.id
    else { return }
    entry.record = record
    guard let lifetime = lifetime(of: record), let bytes = entry.storableBytes else {
      let changes = release(entry, at: layout) + [.removeField(layout.variants, field)]
      _ = try await client.send(RESPCommand.transaction(changes))
      return
    }
    let changes =
      [.setField(layout.variants, field, bytes)] + keep(entry.body, for: lifetime, at: layout)
    _ = try await client.send(RESPCommand.transaction(changes))
  }

  /// Removes the responses for all keys with a URL, for all credentials.
  ///
  /// - Throws: `MartletError` with code `.cacheFailed`.
  public func remove(url: String) async throws {
    let key = CacheKey(url: url, credentialsDigest: nil)
    // No entry fits the next generation. Its bytes remain until they expire or are replaced.
    _ = try await client.send([.remove(layout(key).generation)])
  }

  /// Removes all responses: all keys of the database that begin with the prefix.
  ///
  /// - Throws: `MartletError` with code `.cacheFailed`; `CancellationError`.
  public func removeAll() async throws {
    var cursor = ByteBuffer(string: "0")
    repeat {
      try Task.checkCancellation()
      let reply = try await client.send([
        .scan(cursor, matching: configuration.keyPrefix.prefixPattern)
      ])
      let parts = reply[0].elements
      guard parts.count == 2, let next = parts[0].bytes else { return }
      // One command for each, because a cluster keeps them in several places.
      let removals = parts[1].elements.compactMap(\.bytes).map {
        RESPCommand("UNLINK", $0, reply: .integer)
      }
      if !removals.isEmpty { _ = try await client.send(removals) }
      cursor = next
    } while cursor != ByteBuffer(string: "0")
  }
}

/// The parts of a change.
extension RedisResponseCache {
  private func layout(_ key: CacheKey) -> RedisLayout {
    RedisLayout(key, prefix: configuration.keyPrefix)
  }

  /// How long a response is stored, in milliseconds; `nil` if it cannot be of use.
  private func lifetime(of record: CachedResponse.Record) -> Int64? {
    let seconds = record.usefulLifetime(retention: configuration.retention, at: clock())
    let limited = min(seconds * 1000, Double(RedisLayout.longestLifetime))
    return limited >= 1 ? Int64(limited) : nil
  }

  /// Keeps a response, its body, and the generation.
  private func keep(_ body: RedisEntry.Body, for lifetime: Int64, at layout: RedisLayout)
    -> [RESPCommand]
  {
    let chunks = body.chunks.map { layout.chunks(of: $0) } ?? []
    return [
      .keep(layout.generation, for: RedisLayout.generationLifetime),
      .expire(layout.variants, after: lifetime), .keep(layout.variants, for: lifetime),
    ] + chunks.map { .keep($0, for: lifetime + RedisLayout.readingTime) }
  }

  /// Lets the chunks of a response that is replaced or removed expire.
  private func release(_ entry: RedisEntry?, at layout: RedisLayout) -> [RESPCommand] {
    guard let chunks = entry?.body.chunks, chunks.length <= largestBody else { return [] }
    return layout.chunks(of: chunks).map { .release($0, within: RedisLayout.readingTime) }
  }

  /// Removes any of the variants, because there are too many.
  private func evict(at layout: RedisLayout) async throws -> [RESPCommand] {
    let parts = try await client.send([.anyField(layout.variants)])[0].elements
    guard parts.count == 2, let field = parts[0].bytes else { return [] }
    return release(parts[1].entry, at: layout) + [.removeField(layout.variants, field)]
  }
}

extension RESPValue {
  /// The entry in a bulk string.
  fileprivate var entry: RedisEntry? { bytes.flatMap { RedisEntry(bytes: $0) } }
}

extension RedisEntry {
  /// The bytes; `nil` if the record is too large.
  fileprivate var storableBytes: ByteBuffer? {
    let bytes = bytes
    let largest = RedisLayout.largestRecord + RedisLayout.largestInlineBody
    return bytes.readableBytes <= largest ? bytes : nil
  }
}
