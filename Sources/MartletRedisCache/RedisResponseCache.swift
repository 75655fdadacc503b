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
/// Status, header fields, bodies and URLs of responses are stored, and of the request fields that their `Vary` names, digests
/// or harmless values.
/// All users of the database can read them. Credentials of requests are stored only as digests. Programs whose
/// modes differ need different prefixes.
///
/// The server removes responses when they cannot be of use any more; see ``RedisConfiguration/retention``. It should
/// have a limit of memory, and a policy that evicts keys, such as `allkeys-lru`. It must be Redis 7.0 or later, or
/// Valkey, and not a cluster. When the server fails, requests go on without the cache: the call reports `cacheFailed`, and
/// for a second after that the server is not used, or for up to eight seconds if it cannot be reached. A large body that is
/// being read then waits five seconds for the server, before reading it fails.
public final class RedisResponseCache: ResponseCache {
  /// The server, and how it is used.
  public let configuration: RedisConfiguration
  /// The largest body that is stored together with its head: 64 KiB.
  public let largestBufferedBody = RedisLayout.largestInlineBody
  /// The largest body that is stored, in bytes.
  public var largestBody: Int { configuration.largestBody }

  let client: RedisClient
  let clock: @Sendable () -> Date

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
    let values = try await client.send([.lookup(at: layout, now)])[0].elements
    return values.compactMap { $0.bytes.flatMap { RedisEntry($0) } }.compactMap {
      entry -> CachedResponse? in
      switch entry.body {
      case .inline(let bytes):
        CachedResponse(entry.record, body: ResponseBody(bytes: bytes))
      case .chunks(let chunks) where chunks.length > largestBody: nil
      case .chunks(let chunks):
        CachedResponse(
          entry.record, body: ResponseBody(stream: RedisBody(chunks, at: layout, client)))
      }
    }
  }

  // MARK: Writing

  /// Stores a response.
  ///
  /// - Throws: `MartletError` with code `.cacheFailed`, or what reading the body throws.
  public func store(_ response: CachedResponse, for key: CacheKey) async throws {
    let (record, body) = (response.record, response.body)
    guard let bytes = body.bytes, bytes.readableBytes <= largestBufferedBody else {
      return try await write(response, for: key)
    }
    _ = try await insert(record, .inline(bytes), nil, at: layout(key))
  }

  /// Begins to store a response whose body is stored in chunks.
  public func makeWriter(for record: CachedResponse.Record, key: CacheKey) async throws
    -> (any CachedResponseWriter)?
  {
    guard record.head.contentLength ?? 0 <= largestBody, lifetime(of: record) != nil else {
      return nil
    }
    let layout = layout(key)
    return RedisBodyWriter(self, try await generation(at: layout), at: layout)
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
    let pattern = configuration.keyPrefix.prefixPattern
    // SCAN may look at many empty places, but not at any number of them.
    let count = try await client.send([.keyCount])[0].integer
    var cursor = ByteBuffer(string: "0")
    for _ in 0..<1000 + max(0, count) / 50 {
      try Task.checkCancellation()
      let parts = try await client.send([.scan(cursor, matching: pattern)])[0].elements
      guard parts.count == 2, let next = parts[0].bytes else {
        throw MartletError.redis(configuration, RedisFailure.invalidScan)
      }
      // One command for each, because a cluster keeps them in several places.
      let removals = parts[1].elements.compactMap(\.bytes).map { RESPCommand.remove($0) }
      if !removals.isEmpty { _ = try await client.send(removals) }
      guard next != ByteBuffer(string: "0") else { return }
      cursor = next
    }
    throw MartletError.redis(configuration, RedisFailure.endlessScan)
  }

  func layout(_ key: CacheKey) -> RedisLayout {
    RedisLayout(key, prefix: configuration.keyPrefix)
  }
}

extension RedisFailure {
  fileprivate static let invalidScan = RedisFailure(reason: "did not answer to SCAN with a cursor")
  fileprivate static let endlessScan = RedisFailure(reason: "did not reach the end of SCAN")
}
