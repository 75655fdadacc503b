import MartletCore

/// Keeps responses, so that a later request need not be sent.
///
/// Set one in the session's configuration:
///
///     let api = HTTPSessionManager(baseURL: url) { $0.cache = MemoryResponseCache() }
///
/// What may be kept, and for how long it may be used, is decided by the session after RFC 9111; a cache only
/// keeps what it is given. It is called from any thread, by many requests at once. When it throws, the request goes on as
/// if there were no cache.
public protocol ResponseCache: Sendable {
  /// What is kept under a key: one response for each way in which requests for it differ (`Vary`).
  ///
  /// - Parameter key: Which responses.
  /// - Returns: The responses, in any order. A body that is a stream is opened when it is read; those of responses that
  ///   are not used never are.
  /// - Throws: Why the responses cannot be had.
  func responses(for key: CacheKey) async throws -> [CachedResponse]

  /// Keeps a response, in place of one that is the same variant; it need not.
  ///
  /// - Parameters:
  ///   - response: The response, as a rule with its body in memory.
  ///   - key: Under what.
  /// - Throws: Why the response cannot be kept.
  func store(_ response: CachedResponse, for key: CacheKey) async throws

  /// Removes what is kept under all keys with a URL, whatever the credentials.
  ///
  /// - Parameter url: The URL of a ``CacheKey``.
  /// - Throws: Why that cannot be done.
  func remove(url: String) async throws

  /// Forgets everything.
  ///
  /// - Throws: Why that cannot be done.
  func removeAll() async throws
}
