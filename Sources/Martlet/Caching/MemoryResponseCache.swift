import HTTPTypes
import MartletCore
import NIOCore

/// Keeps responses in memory, those that were used last.
public final class MemoryResponseCache: ResponseCache {
  /// The most bytes of bodies and header fields to keep.
  public let capacity: Int

  fileprivate struct Entry {
    var response: CachedResponse
    var size: Int
    var lastUse: Int
  }

  fileprivate struct State {
    /// By URL, and then by who asked.
    var entries: [String: [CacheKey: Entry]] = [:]
    var size = 0
    var uses = 0
  }

  private let state = Locked(State())

  /// A cache.
  ///
  /// - Parameter capacity: The most bytes of bodies and header fields to keep. The default is 20 MiB. A
  ///   response that alone would take more than a twentieth of it is not kept.
  public init(capacity: Int = 20 << 20) {
    self.capacity = max(capacity, 0)
  }

  /// How many bytes are kept.
  public var size: Int { state.withLock { $0.size } }

  /// What is kept under a key.
  public func response(for key: CacheKey) -> CachedResponse? {
    state.withLock { state in
      state.uses += 1
      state.entries[key.url]?[key]?.lastUse = state.uses
      return state.entries[key.url]?[key]?.response
    }
  }

  /// Keeps a response, and drops those that were not used for longest when there is no room.
  public func store(_ response: CachedResponse, for key: CacheKey) {
    let size = response.size + key.url.utf8.count
    state.withLock { state in
      state.remove(key)
      guard size <= capacity / 20 else { return }
      state.uses += 1
      state.entries[key.url, default: [:]][key] = Entry(
        response: response, size: size, lastUse: state.uses)
      state.size += size
      if state.size > capacity { state.makeRoom(downTo: capacity / 5 * 4) }
    }
  }

  /// Forgets what is kept under all keys with a URL, whoever asked.
  public func remove(url: String) {
    state.withLock { state in
      for entry in state.entries.removeValue(forKey: url) ?? [:] { state.size -= entry.value.size }
    }
  }

  /// Forgets everything.
  public func removeAll() {
    state.withLock { state in
      state.entries = [:]
      state.size = 0
    }
  }
}

extension MemoryResponseCache.State {
  fileprivate mutating func remove(_ key: CacheKey) {
    guard let old = entries[key.url]?.removeValue(forKey: key) else { return }
    size -= old.size
    if entries[key.url]?.isEmpty == true { entries[key.url] = nil }
  }

  /// Several go at a time, so that not every store has to look for the oldest.
  fileprivate mutating func makeRoom(downTo limit: Int) {
    for (key, _) in entries.values.joined().sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
      guard size > limit else { return }
      remove(key)
    }
  }
}

extension CachedResponse {
  /// About how much memory it takes.
  fileprivate var size: Int {
    head.headers.reduce(body.readableBytes + 512) {
      $0 + $1.name.rawName.utf8.count + $1.value.utf8.count
    }
  }
}
