import EssentialFoundation
import MartletCore
import NIOCore

/// Stores the most recently used responses in memory.
public final class MemoryResponseCache: ResponseCache {
  /// The maximum number of bytes that the stored responses need in memory, approximately.
  public let capacity: Int
  /// The largest body that is stored: a twentieth of the capacity.
  public var largestBufferedBody: Int { capacity / 20 }

  private let state = Locked(State())

  /// The variants of the responses for one key.
  fileprivate struct Entry {
    var responses: [CachedResponse] = []
    /// The size of the responses and the key.
    var size: Int
    var lastUse: Int
  }

  fileprivate struct State {
    var entries: [CacheKey: Entry] = [:]
    /// The keys with each URL.
    var keys: [String: Set<CacheKey>] = [:]
    var size = 0
    var uses = 0
  }

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
    state.withLock { $0.responses(for: key) }
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
    let bytes = try await response.body.collect(upTo: largestBufferedBody)
    // A copy, because these bytes may be a slice of a larger buffer.
    response.body = ResponseBody(bytes: ByteBuffer(bytes: bytes.readableBytesView))
    state.withLock { [capacity] in $0.insert(response, for: key, capacity: capacity) }
  }

  /// Replaces the record of a stored response.
  public func update(_ record: CachedResponse.Record, for key: CacheKey) {
    state.withLock { [capacity] state in
      guard let old = state.entries[key]?.responses.first(where: { $0.record.id == record.id })
      else { return }
      state.insert(CachedResponse(record, body: old.body), for: key, capacity: capacity)
    }
  }

  /// Removes one response.
  public func remove(_ record: CachedResponse.Record, for key: CacheKey) {
    state.withLock { $0.remove(record, for: key) }
  }

  /// Removes the responses for all keys with a URL, for all credentials.
  public func remove(url: String) {
    state.withLock { state in
      for key in state.keys[url] ?? [] { state.remove(key) }
    }
  }

  /// Removes all responses.
  public func removeAll() {
    state.withLock { $0 = State() }
  }
}

extension MemoryResponseCache.Entry {
  /// The most variants of one URL. Later ones replace the oldest.
  private static let mostVariants = 64

  /// Adds a response in place of the one with the same variant, unless it is larger than the limit.
  fileprivate mutating func replace(with response: CachedResponse, _ limit: Int, at use: Int) {
    lastUse = use
    let vary = response.record.varyHeaders
    if let place = responses.firstIndex(where: { $0.record.varyHeaders == vary }) { remove(place) }
    let added = response.size
    guard added <= limit else { return }
    if responses.count == Self.mostVariants { remove(0) }
    responses.append(response)
    size += added
  }

  fileprivate mutating func remove(_ record: CachedResponse.Record) {
    if let place = responses.firstIndex(where: { $0.record.id == record.id }) { remove(place) }
  }

  private mutating func remove(_ place: Int) {
    size -= responses.remove(at: place).size
  }
}

extension MemoryResponseCache.State {
  fileprivate mutating func responses(for key: CacheKey) -> [CachedResponse] {
    guard let place = entries.index(forKey: key) else { return [] }
    uses += 1
    entries.values[place].lastUse = uses
    return entries.values[place].responses
  }

  fileprivate mutating func insert(
    _ response: CachedResponse, for key: CacheKey, capacity: Int
  ) {
    uses += 1
    if let place = entries.index(forKey: key) {
      size -= entries.values[place].size
      entries.values[place].replace(with: response, capacity / 20, at: uses)
      size += entries.values[place].size
      if entries.values[place].responses.isEmpty { remove(key) }
    } else {
      var entry = MemoryResponseCache.Entry(size: key.size, lastUse: uses)
      entry.replace(with: response, capacity / 20, at: uses)
      guard !entry.responses.isEmpty else { return }
      entries[key] = entry
      keys[key.url, default: []].insert(key)
      size += entry.size
    }
    if size > capacity { makeRoom(downTo: capacity / 5 * 4) }
  }

  fileprivate mutating func remove(_ record: CachedResponse.Record, for key: CacheKey) {
    guard let place = entries.index(forKey: key) else { return }
    size -= entries.values[place].size
    entries.values[place].remove(record)
    size += entries.values[place].size
    if entries.values[place].responses.isEmpty { remove(key) }
  }

  fileprivate mutating func remove(_ key: CacheKey) {
    guard let entry = entries.removeValue(forKey: key) else { return }
    size -= entry.size
    keys[key.url]?.remove(key)
    if keys[key.url]?.isEmpty == true { keys[key.url] = nil }
  }

  /// Removes several responses at a time, so that not every call of `store` has to search for the least recently used
  /// ones.
  private mutating func makeRoom(downTo limit: Int) {
    for (key, _) in entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
      guard size > limit else { return }
      remove(key)
    }
  }
}

extension CacheKey {
  /// The approximate number of bytes of memory that it needs.
  fileprivate var size: Int { url.utf8.count + (credentialsDigest?.utf8.count ?? 0) }
}

extension CachedResponse {
  /// The approximate number of bytes of memory that it needs.
  fileprivate var size: Int {
    record.head.headers.reduce((body.bytes?.readableBytes ?? 0) + 512) {
      $0 + $1.name.rawName.utf8.count + $1.value.utf8.count
    }
  }
}
