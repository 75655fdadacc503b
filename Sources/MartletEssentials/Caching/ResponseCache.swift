import EssentialFoundation
import MartletCore
public import NIOCore

/// Stores responses, so that a later request need not be sent.
///
/// Set a cache in the session's configuration:
///
///     let api = HTTPSessionManager(baseURL: url) { $0.cache = MemoryResponseCache() }
///
/// The session decides by RFC 9111 which responses are stored, and how long they are used. A cache only stores them. A
/// cache is called on any thread, by many requests at once. When it throws, the request continues as if there were no
/// cache, and the call reports `cacheFailed`.
///
/// `ResponseCacheRule` in MartletTesting has the rules for a cache as a test suite. A cache needs four functions. Those
/// with a default are for caches that can do better: store bodies that are too large for memory, open them, replace a
/// record without its body, or remove one response.
public protocol ResponseCache: Sendable {
  /// Returns the responses for a key: one for each variant (`Vary`).
  ///
  /// - Parameter key: The key of the responses.
  /// - Returns: The responses, in any order. A body that is a stream is opened when it is read. The bodies of unused
  ///   responses are never opened.
  /// - Throws: An error when the responses cannot be read.
  func responses(for key: CacheKey) async throws -> [CachedResponse]

  /// Stores a response in place of the one with the same ``CachedResponse/Record/variant``. The cache may choose not to
  /// store it.
  ///
  /// - Parameters:
  ///   - response: The response, with its body in memory.
  ///   - key: The key of the response.
  /// - Throws: An error when the response cannot be stored.
  func store(_ response: CachedResponse, for key: CacheKey) async throws

  /// Removes the responses for all keys with a URL, for all credentials.
  ///
  /// - Parameter url: The URL of a ``CacheKey``.
  /// - Throws: An error when the responses cannot be removed.
  func remove(url: String) async throws

  /// Removes one response.
  ///
  /// - Parameters:
  ///   - record: The response that has its `id` is removed; if there is none any more, nothing is done.
  ///   - key: The key of the response.
  /// - Throws: An error when the response cannot be removed. The default removes all responses with the URL.
  func remove(_ record: CachedResponse.Record, for key: CacheKey) async throws

  /// Removes all responses.
  ///
  /// - Throws: An error when the responses cannot be removed.
  func removeAll() async throws

  /// The largest body, in bytes, that is collected in memory and passed to ``store(_:for:)``. The default is 1 MiB.
  var largestBufferedBody: Int { get }

  /// Begins to store a response whose body is larger than ``largestBufferedBody``.
  ///
  /// - Parameters:
  ///   - record: The response, as it is known so far.
  ///   - key: The key of the response.
  /// - Returns: The writer that receives the body; `nil` if the response is not stored, which is the default.
  /// - Throws: An error when the response cannot be stored.
  func makeWriter(for record: CachedResponse.Record, key: CacheKey) async throws
    -> (any CachedResponseWriter)?

  /// Returns a response whose body is in a file, with the file open. It is called before the response is used, so that a
  /// response that cannot be read is requested again.
  ///
  /// - Parameters:
  ///   - response: A response that ``responses(for:)`` has returned.
  ///   - key: The key of the response.
  /// - Returns: The response, which is the default; `nil` if its body is damaged.
  /// - Throws: An error when the file cannot be opened.
  func opened(_ response: CachedResponse, for key: CacheKey) async throws -> CachedResponse?

  /// Replaces the record of a stored response, after the server has confirmed that its body is still valid.
  ///
  /// - Parameters:
  ///   - record: The new record. The response that has its `id` is changed; if there is none any more, nothing is done.
  ///   - key: The key of the response.
  /// - Throws: An error when the record cannot be replaced. The default stores the response again: through a writer if
  ///   its body is larger than ``largestBufferedBody``.
  func update(_ record: CachedResponse.Record, for key: CacheKey) async throws
}

/// Receives the body of a response that is being stored.
///
/// Its functions are called one after the other. A writer that is released without ``finish(_:)`` stores nothing.
public protocol CachedResponseWriter: Sendable {
  /// Writes the next bytes of the body.
  ///
  /// - Throws: An error when they cannot be written. The response is not stored then.
  func write(_ bytes: ByteBuffer) async throws

  /// Stores the response, after its last byte was written, in place of the one with the same variant.
  ///
  /// - Parameter record: The response. It has a `part` if the body was cut short.
  /// - Throws: An error when the response cannot be stored.
  func finish(_ record: CachedResponse.Record) async throws
}

extension ResponseCache {
  /// 1 MiB.
  public var largestBufferedBody: Int { 1 << 20 }

  /// Returns `nil`: the response is not stored.
  public func makeWriter(for record: CachedResponse.Record, key: CacheKey) async throws
    -> (any CachedResponseWriter)?
  { nil }

  /// Returns the response with its file open.
  public func opened(_ response: CachedResponse, for key: CacheKey) async throws -> CachedResponse?
  {
    try await response.opened()
  }

  /// Removes all responses with the URL.
  public func remove(_ record: CachedResponse.Record, for key: CacheKey) async throws {
    try await remove(url: key.url)
  }

  /// Stores the response again, with its new record. A large body goes through a writer; without one, the response stays
  /// as it was.
  public func update(_ record: CachedResponse.Record, for key: CacheKey) async throws {
    guard let stored = try await responses(for: key).first(where: { $0.record.id == record.id })
    else { return }
    let (bytes, rest) = try await stored.body.split(at: largestBufferedBody)
    guard let rest else {
      return try await store(CachedResponse(record, body: ResponseBody(bytes: bytes)), for: key)
    }
    let body = ResponseBody(bytes: bytes).followed(by: rest, of: nil)
    try await write(CachedResponse(record, body: body), for: key)
  }

  /// Stores a response through a writer, chunk by chunk. Without a writer, nothing is stored.
  ///
  /// - Throws: What the writer throws, and what reading the body throws.
  package func write(_ response: CachedResponse, for key: CacheKey) async throws {
    guard let writer = try await makeWriter(for: response.record, key: key) else { return }
    for try await chunk in response.body { try await writer.write(chunk) }
    try await writer.finish(response.record)
  }
}

extension CachedResponse {
  /// The response, with the file of its body open.
  ///
  /// - Throws: An error of the system.
  package func opened() async throws -> CachedResponse {
    guard let url = body.file else { return self }
    let file = try await runOnGlobalExecutor { try await open(url) }
    return CachedResponse(record, body: ResponseBody(reading: url, file, of: nil))
  }

  @concurrent
  private func open(_ url: URL) async throws -> OpenFile { try OpenFile(reading: url) }
}
