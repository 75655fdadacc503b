import EssentialFoundation
import MartletCore
import SystemPackage

/// The file of a database: opening, creating and renaming it.
///
/// Processes do that one at a time, because SQLite finds the log of a database by its name: a file must not be renamed
/// while another process opens it.
struct DatabaseFile: Sendable {
  let folder: URL
  /// The file. Its name has the format, so that versions with other formats can use the same folder.
  let url: URL
  /// The same, which is examined at each use.
  private let path: FilePath

  /// How long a statement waits for the lock of another process, in milliseconds.
  private static let timeout: CInt = 2000
  /// How long opening waits for other processes that open the database.
  private static let openingTimeout = Duration.seconds(2)

  init(folder: URL) {
    self.folder = folder
    url = folder.appendingPathComponent("cache-\(CacheSchema.version).sqlite")
    path = FilePath(url.path)
  }

  /// The status of the file; `nil` if it does not exist.
  var status: Stat? { try? Stat(path) }

  /// Opens the database, and creates it if it does not exist.
  ///
  /// - Throws: `MartletError` with code `.cacheFailed` when it was damaged and is renamed; `SQLiteError`; errors of the
  ///   system.
  func open() throws -> OpenDatabase {
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw NoDirectory()
    }
    return try exclusively {
      do {
        return try connect()
      } catch let error where (error as? SQLiteError)?.isDamage ?? (error is UnknownFormat) {
        throw try rename(after: error)
      }
    }
  }

  /// Renames a damaged database, unless another process has already done so.
  ///
  /// - Returns: The error to throw.
  func setAside(_ database: OpenDatabase, after error: any Error) throws -> any Error {
    try exclusively {
      guard let status, status.isSameFile(as: database.file) else { return error }
      return try rename(after: error)
    }
  }

  private func connect() throws -> OpenDatabase {
    if status == nil { try createFile() }
    let connection = try SQLiteConnection(url.path, timeout: Self.timeout)
    try CacheSchema.configure(connection)
    switch try connection.version {
    case CacheSchema.version: break
    case 0: try CacheSchema.create(in: connection)
    case let version: throw UnknownFormat(version: version)
    }
    guard let status else { throw Errno.noSuchFileOrDirectory }
    return OpenDatabase(connection: connection, file: status)
  }

  /// Creates an empty file that only the user can read, and removes the log of an earlier one.
  private func createFile() throws {
    for suffix in ["-wal", "-shm", "-journal"] { try? FilePath(url.path + suffix).unlink() }
    _ = try OpenFile(url, options: .create, permissions: .ownerReadWrite)
  }

  private func rename(after error: any Error) throws -> any Error {
    let new = damaged
    try path.rename(to: FilePath(new.path))
    // The log of a damaged database must not be applied to its successor.
    for suffix in ["-wal", "-shm"] {
      try? FilePath(url.path + suffix).rename(to: FilePath(new.path + suffix))
    }
    return MartletError.cacheSetAside(url, as: new, after: error)
  }

  /// The name of a damaged database.
  private var damaged: URL { folder.appendingPathComponent("damaged.sqlite") }

  /// Whether there is a damaged database that was renamed.
  var hasDamaged: Bool { (try? Stat(FilePath(damaged.path))) != nil }

  /// Removes a damaged database that was renamed.
  func removeDamaged() {
    for suffix in ["", "-wal", "-shm"] { try? FilePath(damaged.path + suffix).unlink() }
  }

  private func exclusively<Value>(_ work: () throws -> Value) throws -> Value {
    let lock = try FileLock(
      folder.appendingPathComponent("cache.lock"), timeout: Self.openingTimeout)
    return try withExtendedLifetime(lock, work)
  }
}

/// The folder does not exist, and cannot be created.
private struct NoDirectory: Error, CustomStringConvertible {
  var description: String { "its directory cannot be created" }
}

/// A database with an unknown format.
private struct UnknownFormat: Error, CustomStringConvertible {
  let version: Int

  var description: String { "it has the unknown format \(version)" }
}

extension MartletError {
  fileprivate static func cacheSetAside(_ url: URL, as new: URL, after error: any Error)
    -> MartletError
  {
    MartletError(
      .cacheFailed,
      "The cache “\(url.path.masked)” could not be used (\(error)). It was renamed to “\(new.lastPathComponent)”, and a new one is used from now on.",
      underlying: error)
  }
}
