public import EssentialFoundation
import MartletCore
public import MartletEssentials
import NIOCore

/// Stores responses on disk, for one program or for several that run at the same time.
///
///     import Martlet
///     import MartletDiskCache
///
///     let api = HTTPSessionManager(baseURL: url) {
///       $0.cache = DiskResponseCache(named: "com.example.api")
///     }
///
/// Heads and small bodies are in an SQLite database, and each larger body is in a file. A process that is killed at any
/// time loses at most the response that it was storing. A database that is damaged is renamed to `damaged.sqlite`, and
/// a new one takes its place; the call reports that as `cacheFailed`.
///
/// Only the user can read the directory, because responses may be private.
public final class DiskResponseCache: ResponseCache {
  /// The directory of the cache. It is created when the cache is first used.
  public let directory: URL
  /// The number of bytes that the stored responses may need, approximately.
  public let capacity: Int64
  /// The largest body that is stored, in bytes: a quarter of the capacity.
  public var largestBody: Int64 { capacity / 4 }
  /// The largest body that is kept in the database: 16 KiB.
  public let largestBufferedBody = 16 << 10

  let database: CacheDatabase
  let files: BodyFiles
  private let state = Locked(State())
  private let clock: @Sendable () -> Date

  private struct State {
    var pending = PendingChanges()
    /// When orphans were last looked for.
    var swept = Date.distantPast
    /// The parts that have been compared with their checksum.
    var intactParts: Set<UInt64> = []
  }

  /// How many milliseconds old the stored time of the last use may be before a use is noted, and before it is stored
  /// without another change.
  private static let (useInterval, longUseInterval) = (Int64(60_000), Int64(3_600_000))
  /// The most parts that are remembered as intact.
  private static let mostParts = 1024
  /// How often orphans are looked for, in seconds.
  private static let sweepInterval: TimeInterval = 86_400

  /// A cache. Nothing is opened before it is used.
  ///
  /// - Parameters:
  ///   - directory: The directory of the cache. Nothing else may be stored in it.
  ///   - capacity: The number of bytes that the stored responses may need, approximately. The default is 256 MiB. The
  ///     least recently used responses are removed when there is no room.
  public convenience init(directory: URL, capacity: Int64 = 256 << 20) {
    self.init(directory: directory, capacity: capacity) { Date() }
  }

  /// A cache in the user's directory for caches. Nothing is opened before it is used.
  ///
  /// - Parameters:
  ///   - name: The name of the cache, for example that of the program.
  ///   - capacity: The number of bytes that the stored responses may need, approximately. The default is 256 MiB.
  public convenience init(named name: String, capacity: Int64 = 256 << 20) {
    self.init(directory: Self.directory(named: name), capacity: capacity)
  }

  /// Returns the directory of the cache with a name: in `$XDG_CACHE_HOME` or `~/.cache` on Linux, and in
  /// `~/Library/Caches` on Apple's systems.
  ///
  /// - Parameter name: The name of the cache.
  /// - Returns: The directory, which need not exist.
  public static func directory(named name: String) -> URL {
    let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
    return (caches ?? FileManager.default.temporaryDirectory).appendingPathComponent(name)
  }

  init(directory: URL, capacity: Int64, clock: @escaping @Sendable () -> Date) {
    self.directory = directory
    self.capacity = max(capacity, 0)
    self.clock = clock
    database = CacheDatabase(in: directory)
    files = BodyFiles(folder: directory.appendingPathComponent("bodies-\(CacheSchema.version)"))
  }

  var now: Date { clock() }

  /// The time in milliseconds since 1970.
  var time: Int64 { Int64(now.timeIntervalSince1970 * 1000) }

  // MARK: Reading

  /// Returns the responses for a key.
  ///
  /// - Throws: `MartletError` with code `.cacheFailed`.
  public func responses(for key: CacheKey) async throws -> [CachedResponse] {
    guard !state.withLock({ $0.pending.isRemoved(key.url) }) else { return [] }
    let rows = try await database.read { [self] connection in
      try connection.rows(for: key).map { ($0, response(in: $0)) }
    }
    let time = time
    let isDue = rows.reduce(false) { isDue, row in note(row.0, at: time) || isDue }
    // A failure is one of the next change, too, which is reported.
    if isDue { try? await write { _ in [] } }
    return rows.compactMap(\.1)
  }

  /// Returns a response with its file open; `nil` for a damaged part. A part is compared with its checksum at its first
  /// use, because it may be stored again, with a new checksum, as the beginning of a whole body.
  ///
  /// - Throws: An error of the system when the file cannot be read.
  public func opened(_ response: CachedResponse, for key: CacheKey) async throws -> CachedResponse?
  {
    let id = response.record.id
    if response.record.part != nil, !state.withLock({ $0.intactParts.contains(id) }) {
      guard try await isPartIntact(response.record, for: key) else { return nil }
      state.withLock { state in
        if state.intactParts.count == Self.mostParts { state.intactParts = [] }
        state.intactParts.insert(id)
      }
    }
    return try await response.opened()
  }

  private func isPartIntact(_ record: CachedResponse.Record, for key: CacheKey) async throws -> Bool
  {
    let rows = try await database.read { try $0.rows(for: key) }
    guard let row = rows.first(where: { $0.id == Int64(bitPattern: record.id) }) else {
      return false
    }
    guard try await !isIntact(row) else { return true }
    _ = try await remove(row)
    return false
  }

  /// Notes that a row is used. Returns whether that must be stored soon.
  private func note(_ row: StoredRow, at time: Int64) -> Bool {
    guard row.used < time - Self.useInterval else { return false }
    state.withLock { $0.pending.note(row.row, usedAt: time) }
    return row.used < time - Self.longUseInterval
  }

  /// Returns the response in a row; `nil` if its file is missing, or if it was damaged.
  func response(in row: StoredRow) -> CachedResponse? {
    guard let record = CachedResponse.Record(bytes: row.record) else { return nil }
    switch row.content {
    case .bytes(let bytes):
      guard bytes.readableBytes == row.length, Checksum(bytes).value == row.checksum else {
        return nil
      }
      return CachedResponse(record, body: ResponseBody(bytes: bytes))
    case .file(let number):
      // The file is opened when the response is used, and it may be missing by then.
      guard files.has(number, length: row.length) else { return nil }
      return CachedResponse(record, body: ResponseBody(file: files.url(number)))
    }
  }

  // MARK: Writing

  /// Stores a response, and removes the least recently used ones when there is no room.
  ///
  /// - Throws: `MartletError` with code `.cacheFailed`; an error of the system when the file of a large body cannot be
  ///   written.
  public func store(_ response: CachedResponse, for key: CacheKey) async throws {
    let (record, body) = (response.record, response.body)
    guard let bytes = body.bytes, bytes.readableBytes <= largestBufferedBody else {
      return try await write(response, for: key)
    }
    guard bytes.readableBytes <= largestBody else { return }
    let row = StoredRow(
      record, .bytes(bytes), length: Int64(bytes.readableBytes), checksum: Checksum(bytes).value,
      at: time)
    try await insert(row, record, for: key)
  }

  /// Begins to store a response whose body is in a file.
  ///
  /// - Throws: An error of the system when the file cannot be created.
  public func makeWriter(for record: CachedResponse.Record, key: CacheKey) async throws
    -> (any CachedResponseWriter)?
  {
    guard record.head.contentLength ?? 0 <= largestBody else { return nil }
    // Orphans that are not removed now are removed later.
    try? await sweep()
    return try await runOnGlobalExecutor { try await openWriter(for: key) }
  }

  @concurrent
  private func openWriter(for key: CacheKey) async throws -> BodyFileWriter {
    try BodyFileWriter(self, for: key)
  }

  /// Removes the files that no row has, at most once a day.
  private func sweep() async throws {
    let (time, files, now) = (time, files, now)
    let isDue = state.withLock { state in
      guard abs(now.timeIntervalSince(state.swept)) > Self.sweepInterval else { return false }
      state.swept = now
      return true
    }
    guard isDue else { return }
    try await write { connection in
      guard try connection.beginSweep(at: time) else { return [] }
      return try connection.orphans(of: files, at: now)
    }
  }

  func insert(_ row: StoredRow, _ record: CachedResponse.Record, for key: CacheKey) async throws {
    let variant = record.variant
    try await write { [capacity] in
      try $0.insert(row, variant: variant, for: key) + $0.makeRoom(capacity, at: row.used)
    }
  }

  /// Replaces the record of a stored response.
  ///
  /// - Throws: `MartletError` with code `.cacheFailed`.
  public func update(_ record: CachedResponse.Record, for key: CacheKey) async throws {
    try await write { [capacity, time] in
      try $0.update(record, for: key)
      return try $0.makeRoom(capacity, at: time)
    }
  }

  /// Removes one response.
  ///
  /// - Throws: `MartletError` with code `.cacheFailed`.
  public func remove(_ record: CachedResponse.Record, for key: CacheKey) async throws {
    try await write { try $0.remove(record, for: key) }
  }

  /// Removes the responses for all keys with a URL, for all credentials. If they cannot be removed, this cache does not
  /// use them, and removes them with its next change.
  ///
  /// - Throws: `MartletError` with code `.cacheFailed`.
  public func remove(url: String) async throws {
    do {
      try await write { try $0.removeRows(url: url) }
    } catch {
      state.withLock { $0.pending.noteFailure(toRemove: url) }
      throw error
    }
  }

  /// Removes all responses, and a damaged database that was renamed.
  ///
  /// - Throws: `MartletError` with code `.cacheFailed`.
  public func removeAll() async throws {
    // First, because removing rows needs room on the disk, too. Files without a row are removed as well. One whose row
    // another program is about to insert counts as missing then.
    await runOnGlobalExecutor { await removeFiles() }
    try await write { try $0.removeAllRows() }
    try await database.read { [database] in
      try $0.shrink()
      database.removeDamaged()
    }
  }

  @concurrent
  private func removeFiles() async { files.remove(files.all) }

  /// Changes the database. What was used and removed before is stored with it.
  ///
  /// - Parameter change: The change. It returns the files that are not used any more.
  /// - Throws: What `change` throws; `MartletError` with code `.cacheFailed`.
  func write(_ change: @escaping @Sendable (SQLiteConnection) throws -> [Int64]) async throws {
    do {
      try await database.write { [state] connection in
        let due = state.withLock { $0.pending.begin() }
        try connection.update(due.uses)
        let removed =
          try due.removals.all
          ? connection.removeAllRows()
          : due.removals.urls.flatMap { try connection.removeRows(url: $0) }
        return try removed + change(connection)
      } end: { [state, files] in
        state.withLock { $0.pending.end() }
        files.remove($0)
      }
    } catch {
      state.withLock { $0.pending.fail() }
      throw error
    }
  }
}
