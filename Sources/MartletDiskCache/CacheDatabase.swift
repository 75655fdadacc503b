import EssentialFoundation
import MartletCore
import SystemPackage

/// The database of a cache, which several threads and processes use at once.
///
/// It is opened when it is first used. A database that is damaged, or that another version has written, is renamed, and
/// a new one takes its place.
final class CacheDatabase: Sendable {
  /// The folder of the cache.
  let folder: URL
  private let idle = Locked<[OpenDatabase]>([])
  /// The writers of this process wait here and not for a lock of the file, which would block their threads.
  private let writing = AsyncMutex()

  /// A connection, and the file that it has opened.
  private struct OpenDatabase: Sendable {
    let connection: SQLiteConnection
    let file: Stat
  }

  /// How long a statement waits for the lock of another process, in milliseconds.
  private static let timeout: CInt = 2000
  /// How long the lock for creating a database is waited for.
  private static let creationTimeout = Duration.seconds(5)

  init(in folder: URL) {
    self.folder = folder
  }

  /// The file. Its name has the format, so that versions with other formats can use the same folder.
  var url: URL { folder.appendingPathComponent("cache-\(CacheSchema.version).sqlite") }

  /// Calls `work` with a connection, not on the caller's actor and not on an engine's thread.
  ///
  /// - Throws: What `work` throws; `MartletError` with code `.cacheFailed` when the database was damaged.
  func read<Value: Sendable>(_ work: @Sendable (SQLiteConnection) throws -> Value) async throws
    -> Value
  {
    try await runOnGlobalExecutor { try await query(work) }
  }

  @concurrent
  private func query<Value: Sendable>(_ work: @Sendable (SQLiteConnection) throws -> Value)
    async throws -> Value
  {
    try perform(idle.withLock { $0.popLast() } ?? open(), work)
  }

  /// Calls `work` with a connection, in a transaction that writes.
  ///
  /// - Throws: The same as `read(_:)`.
  func write<Value: Sendable>(_ work: @Sendable (SQLiteConnection) throws -> Value) async throws
    -> Value
  {
    try await writing.withLock {
      try await runOnGlobalExecutor { try await transaction(work) }
    }
  }

  @concurrent
  private func transaction<Value: Sendable>(_ work: @Sendable (SQLiteConnection) throws -> Value)
    async throws -> Value
  {
    // A user may have removed the folder, and another process may have renamed the database.
    let current = try? Stat(FilePath(url.path))
    let database = idle.withLock { idle in
      idle.removeAll { current?.isSameFile(as: $0.file) != true }
      return idle.popLast()
    }
    return try perform(database ?? open()) { try $0.transaction(work) }
  }

  private func perform<Value>(
    _ database: OpenDatabase, _ work: (SQLiteConnection) throws -> Value
  ) throws -> Value {
    do {
      let value = try work(database.connection)
      idle.withLock { $0.append(database) }
      return value
    } catch let error as SQLiteError where error.isDamage {
      throw try setAside(database.file, after: error)
    } catch let error as SQLiteError where error.isBusy {
      idle.withLock { $0.append(database) }
      throw error
    }
  }
}

/// Opening and replacing the file.
extension CacheDatabase {
  private func open() throws -> OpenDatabase {
    if let database = try? connect(creates: false),
      (try? database.connection.version) == CacheSchema.version
    {
      return database
    }
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    return try exclusively {
      do {
        return try create()
      } catch let error where (error as? SQLiteError)?.isDamage ?? (error is OtherVersion) {
        throw try rename(Stat(FilePath(url.path)), after: error)
      }
    }
  }

  private func create() throws -> OpenDatabase {
    let database = try connect(creates: true)
    switch try database.connection.version {
    case CacheSchema.version: break
    case 0: try CacheSchema.create(in: database.connection)
    case let version: throw OtherVersion(version: version)
    }
    return database
  }

  private func connect(creates: Bool) throws -> OpenDatabase {
    let connection = try SQLiteConnection(url.path, creates: creates, timeout: Self.timeout)
    try CacheSchema.configure(connection)
    return OpenDatabase(connection: connection, file: try Stat(FilePath(url.path)))
  }

  /// Renames a damaged database, unless another process has already done so.
  ///
  /// - Returns: The error to throw.
  private func setAside(_ file: Stat, after error: any Error) throws -> any Error {
    try exclusively { try rename(file, after: error) }
  }

  private func rename(_ file: Stat, after error: any Error) throws -> any Error {
    idle.withLock { $0.removeAll() }
    guard let current = try? Stat(FilePath(url.path)), current.isSameFile(as: file) else {
      return error
    }
    let new = folder.appendingPathComponent("damaged.sqlite")
    // The log of a damaged database must not be applied to its successor.
    for suffix in ["-wal", "-shm", ""] {
      try? FilePath(url.path + suffix).rename(to: FilePath(new.path + suffix))
    }
    return MartletError.cacheSetAside(url, as: new, after: error)
  }

  private func exclusively<Value>(_ work: () throws -> Value) throws -> Value {
    let lock = try FileLock(
      folder.appendingPathComponent("cache.lock"), timeout: Self.creationTimeout)
    return try withExtendedLifetime(lock, work)
  }
}

/// A database with an unknown format.
private struct OtherVersion: Error, CustomStringConvertible {
  let version: Int

  var description: String { "it has the unknown format \(version)" }
}

extension MartletError {
  fileprivate static func cacheSetAside(_ url: URL, as new: URL, after error: any Error)
    -> MartletError
  {
    MartletError(
      .cacheFailed,
      "The cache “\(url.path)” could not be used (\(error)). It was renamed to “\(new.lastPathComponent)”, and a new one is used from now on.",
      underlying: error)
  }
}
