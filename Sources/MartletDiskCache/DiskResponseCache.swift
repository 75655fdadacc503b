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
  /// The directory of the cache. It is created when the first response is stored.
  public let directory: URL
  /// The number of bytes that the stored responses may need, approximately.
  public let capacity: Int64
  /// The largest body that is stored, in bytes: a quarter of the capacity.
  public var largestBody: Int64 { capacity / 4 }
  /// The largest body that is kept in the database: 16 KiB.
  public let largestBufferedBody = 16 << 10

  let database: CacheDatabase
  let files: BodyFiles
  private let uses = Locked<[Int64: Int64]>([:])
  /// Whether the orphans were removed since the cache was made.
  private let hasSwept = Locked(false)
  private let clock: @Sendable () -> Date

  /// How many milliseconds old the stored time of the last use may be.
  private static let useInterval: Int64 = 60_000
  /// How many uses are collected until they are stored without a response.
  private static let mostUses = 256

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
    files = BodyFiles(folder: directory.appendingPathComponent("bodies"))
  }

  var now: Date { clock() }

  /// The time in milliseconds since 1970.
  var time: Int64 { Int64(now.timeIntervalSince1970 * 1000) }

  // MARK: Reading

  /// Returns the responses for a key. The file of a body is open, so that it can be read after it was removed.
  ///
  /// - Throws: `MartletError` with code `.cacheFailed` when the database was damaged; an error of SQLite.
  public func responses(for key: CacheKey) async throws -> [CachedResponse] {
    let responses = try await database.read { [self] connection in
      try connection.rows(for: key).compactMap { row in
        note(row)
        return response(in: row)
      }
    }
    if uses.withLock({ $0.count >= Self.mostUses }) { try await write { _ in [] } }
    return responses
  }

  /// Notes that a row is used, for the next change of the database.
  private func note(_ row: StoredRow) {
    let time = time
    if abs(time - row.used) > Self.useInterval { uses.withLock { $0[row.row] = time } }
  }

  /// Returns the response in a row; `nil` if its file is missing, or if it was damaged.
  func response(in row: StoredRow) -> CachedResponse? {
    guard let record = CachedResponse.Record(bytes: row.record) else { return nil }
    switch row.content {
    case .bytes(let bytes): return CachedResponse(record, body: ResponseBody(bytes: bytes))
    case .file(let number):
      guard let file = files.open(number, length: row.length) else { return nil }
      return CachedResponse(record, body: ResponseBody(reading: files.url(number), file, of: nil))
    }
  }

  // MARK: Writing

  /// Stores a response, and removes the least recently used ones when there is no room.
  ///
  /// - Throws: `MartletError` with code `.cacheFailed` when the database was damaged; an error of SQLite or of the
  ///   system.
  public func store(_ response: CachedResponse, for key: CacheKey) async throws {
    let (record, body) = (response.record, response.body)
    guard let bytes = body.bytes, bytes.readableBytes <= largestBufferedBody else {
      guard let writer = try await makeWriter(for: record, key: key) else { return }
      for try await chunk in body { try await writer.write(chunk) }
      return try await writer.finish(record)
    }
    let row = StoredRow(
      record, .bytes(bytes), length: Int64(bytes.readableBytes), checksum: Checksum(bytes).value,
      at: time)
    try await insert(row, record, for: key)
  }

  /// Begins to store a response whose body is in a file.
  public func makeWriter(for record: CachedResponse.Record, key: CacheKey) async throws
    -> (any CachedResponseWriter)?
  {
    guard record.head.contentLength ?? 0 <= largestBody else { return nil }
    let sweeps = hasSwept.withLock { hasSwept in
      defer { hasSwept = true }
      return !hasSwept
    }
    if sweeps { try await sweep() }
    return try BodyFileWriter(self, for: key)
  }

  /// Removes the files that no row has, at most once a day.
  private func sweep() async throws {
    let (time, files, now) = (time, files, now)
    try await write { connection in
      guard try connection.beginSweep(at: time) else { return [] }
      return try files.old(at: now).filter { try !connection.hasRow(withFile: $0) }
    }
  }

  func insert(_ row: StoredRow, _ record: CachedResponse.Record, for key: CacheKey) async throws {
    guard row.size(with: key) <= capacity else { return }
    let variant = record.variant
    try await write { [capacity] in
      try $0.insert(row, id: record.id, variant: variant, for: key) + $0.makeRoom(capacity)
    }
  }

  /// Replaces the record of a stored response.
  public func update(_ record: CachedResponse.Record, for key: CacheKey) async throws {
    try await write {
      try $0.update(record, for: key)
      return []
    }
  }

  /// Removes the responses for all keys with a URL, for all credentials.
  public func remove(url: String) async throws {
    try await write { try $0.removeRows(url: url) }
  }

  /// Removes all responses.
  public func removeAll() async throws {
    try await write { try $0.removeAllRows() }
  }

  /// Changes the database, and notes what was used meanwhile.
  ///
  /// - Parameter change: The change. It returns the files that are not used any more.
  /// - Throws: What `change` throws.
  func write(_ change: @escaping @Sendable (SQLiteConnection) throws -> [Int64]) async throws {
    let uses = uses.withLock { uses in
      defer { uses = [:] }
      return uses
    }
    files.remove(
      try await database.write { connection in
        try connection.update(uses)
        return try change(connection)
      })
  }
}
