import EssentialFoundation
import HTTPTypes
import MartletCore
import NIOCore

/// Stores the most recently used responses in memory.
public final class MemoryResponseCache: ResponseCache {
  /// The maximum number of bytes that the stored responses need in memory, approximately.
  public let capacity: Int

  fileprivate struct Entry {
    var response: CachedResponse
    var size: Int
    var lastUse: Int
  }

  fileprivate struct State {
    /// The variants of each response, by URL and then by key.
    var entries: [String: [CacheKey: [Entry]]] = [:]
    var size = 0
    var uses = 0
  }

  private let state = Locked(State())

  /// A cache.
  ///
  /// - Parameter capacity: The maximum number of bytes that the stored responses need in memory, approximately. The
  ///   default is 20 MiB. A response that needs more than a twentieth of the capacity is not stored.
  public init(capacity: Int = 20 << 20) {
    self.capacity = max(capacity, 0)
  }

  /// The number of bytes that the stored responses need, approximately: bodies, header fields, URLs, and 512 bytes for
  /// each response.
  public var size: Int { state.withLock { $0.size } }

  /// Returns the responses for a key.
  public func responses(for key: CacheKey) -> [CachedResponse] {
    state.withLock { state in
      guard var entries = state.entries[key.url]?[key] else { return [] }
      state.uses += 1
      for index in entries.indices { entries[index].lastUse = state.uses }
      state.entries[key.url]?[key] = entries
      return entries.map(\.response)
    }
  }

  /// Stores a response, and removes the least recently used ones when there is no room.
  ///
  /// - Parameters:
  ///   - response: The response. A body that is not in memory is read into memory.
  ///   - key: The key of the response.
  /// - Throws: What reading the body throws, or `MartletError` with code `.bodyTooLarge` for a body of more than a
  ///   twentieth of the capacity.
  public func store(_ response: CachedResponse, for key: CacheKey) async throws {
    var response = response
    let bytes = try await response.body.collect(upTo: capacity / 20)
    // A copy, because these bytes may be a slice of a larger buffer.
    response.body = ResponseBody(bytes: ByteBuffer(bytes: bytes.readableBytesView))
    insert(response, for: key)
  }

  private func insert(_ response: CachedResponse, for key: CacheKey) {
    let size = response.size + key.url.utf8.count
    state.withLock { state in
      state.remove(key) { $0.response.isSameVariant(as: response) }
      guard size <= capacity / 20 else { return }
      state.uses += 1
      state.entries[key.url, default: [:]][key, default: []].append(
        Entry(response: response, size: size, lastUse: state.uses))
      state.size += size
      if state.size > capacity { state.makeRoom(downTo: capacity / 5 * 4) }
    }
  }

  /// Removes the responses for all keys with a URL, for all credentials.
  public func remove(url: String) {
    state.withLock { state in
      let entries = state.entries.removeValue(forKey: url) ?? [:]
      state.size -= entries.values.joined().reduce(0) { $0 + $1.size }
    }
  }

  /// Removes all responses.
  public func removeAll() {
    state.withLock { state in
      state.entries = [:]
      state.size = 0
    }
  }
}

extension MemoryResponseCache.State {
  fileprivate mutating func remove(
    _ key: CacheKey, where isUnwanted: (MemoryResponseCache.Entry) -> Bool
  ) {
    guard let old = entries[key.url]?[key] else { return }
    let kept = old.filter { !isUnwanted($0) }
    size -= old.reduce(0) { $0 + $1.size } - kept.reduce(0) { $0 + $1.size }
    entries[key.url]?[key] = kept.isEmpty ? nil : kept
    if entries[key.url]?.isEmpty == true { entries[key.url] = nil }
  }

  /// Removes several responses at a time, so that not every call of `store` has to search for the least recently used
  /// ones.
  fileprivate mutating func makeRoom(downTo limit: Int) {
    let all = entries.values.joined().flatMap { key, entries in entries.map { (key, $0.lastUse) } }
    for (key, use) in all.sorted(by: { $0.1 < $1.1 }) {
      guard size > limit else { return }
      remove(key) { $0.lastUse <= use }
    }
  }
}

extension CachedResponse {
  /// The approximate number of bytes of memory that it needs.
  fileprivate var size: Int {
    record.head.headers.reduce((body.bytes?.readableBytes ?? 0) + 512) {
      $0 + $1.name.rawName.utf8.count + $1.value.utf8.count
    }
  }
}
