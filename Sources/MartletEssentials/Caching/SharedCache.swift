import EssentialFoundation
import MartletCore

/// A session's cache, with what all its requests share: options, counts, and requests under way.
///
/// An error of the store never fails a request. It is counted, and reported to the call.
final class SharedCache: Sendable {
  let options: CacheOptions
  private let store: any ResponseCache
  private let currentConnections: Locked<ConnectionSettings?>
  private let clock: @Sendable () -> Date
  private let counts = Locked(CacheStatistics())
  private let removals = Locked(RemovalCounts())
  /// The storing of bodies that were cut short, by the `id` of their record.
  let recordings = BackgroundTasks<UInt64>()

  init(
    _ store: any ResponseCache, _ options: CacheOptions, over connections: ConnectionSettings?,
    clock: @escaping @Sendable () -> Date
  ) {
    self.store = store
    currentConnections = Locked(connections)
    self.options = options
    self.clock = clock
  }

  /// The current time.
  var now: Date { clock() }

  /// The settings of the session's connections; `nil` for a cache outside a session.
  var connections: ConnectionSettings? { currentConnections.current }

  /// Uses the stored responses that were received under a policy, from now on.
  func setPolicy(_ policy: SecurityPolicy) {
    currentConnections.withLock { $0 = $0?.with(policy) }
  }

  /// How often the responses of a URL were removed.
  func removalCount(of url: String) -> Int { removals.withLock { $0[url] } }

  /// What the cache has done so far.
  var statistics: CacheStatistics { counts.current }

  /// The largest body that is collected in memory.
  var largestBufferedBody: Int { store.largestBufferedBody }

  func count(_ change: (inout CacheStatistics) -> Void) {
    counts.withLock(change)
  }

  /// Returns the stored responses for a key; none if the store fails.
  func responses(for key: CacheKey, of call: Call?) async -> [CachedResponse] {
    do {
      return try await store.responses(for: key)
    } catch {
      report(error, to: call)
      return []
    }
  }

  /// Returns a stored response whose body can be read: a body in a file has its file open. It is `nil` if the file cannot
  /// be opened.
  func opened(_ stored: CachedResponse, for key: CacheKey, of call: Call?) async -> CachedResponse?
  {
    guard stored.body.file != nil else { return stored }
    do {
      return try await store.opened(stored, for: key)
    } catch {
      report(error, to: call)
      return nil
    }
  }

  func update(_ record: CachedResponse.Record, for key: CacheKey, of call: Call?) async {
    do {
      try await store.update(record.storable(in: options.mode), for: key)
    } catch {
      report(error, to: call)
    }
  }

  /// Stores a response, and returns whether it is stored.
  func store(_ response: CachedResponse, for key: CacheKey, of call: Call?) async -> Bool {
    do {
      try await store.store(response, for: key)
      count { $0.stored += 1 }
      return true
    } catch {
      report(error, to: call)
      return false
    }
  }

  /// Returns the writer of a large body; `nil` if it is not stored.
  func makeWriter(for record: CachedResponse.Record, key: CacheKey, of call: Call?) async
    -> (any CachedResponseWriter)?
  {
    do {
      return try await store.makeWriter(for: record, key: key)
    } catch {
      report(error, to: call)
      return nil
    }
  }

  func remove(_ record: CachedResponse.Record, for key: CacheKey, of call: Call?) async {
    do {
      try await store.remove(record, for: key)
    } catch {
      report(error, to: call)
    }
  }

  func remove(url: String, of call: Call?) async {
    removals.withLock { $0.add(url) }
    do {
      try await store.remove(url: url)
    } catch {
      report(error, to: call)
    }
  }

  /// Counts an error of the store, and reports it to a call.
  func report(_ error: any Error, to call: Call?) {
    count { $0.failures += 1 }
    call?.report(.cacheFailed(error as? MartletError ?? .cacheFailed(error)))
  }
}

/// What a session's cache has done since the session was made.
public struct CacheStatistics: Hashable, Sendable {
  /// The requests that were answered without the server.
  public internal(set) var hits = 0
  /// The requests that were sent to the server, revalidations included.
  public internal(set) var misses = 0
  /// The requests for which the server has confirmed a stored response.
  public internal(set) var revalidations = 0
  /// The requests that shared the exchange of another one.
  public internal(set) var collapsed = 0
  /// The responses that were stored.
  public internal(set) var stored = 0
  /// The bytes of bodies that came from the cache.
  public internal(set) var servedBytes: Int64 = 0
  /// The errors of the store.
  public internal(set) var failures = 0

  /// Nothing so far.
  public init() {}
}
