import EssentialFoundation
import MartletCore
import SystemPackage

/// The database of a cache, which several threads and processes use at once.
///
/// It is opened when it is first used. A database that is damaged, or that has an unknown format, is renamed, and a new
/// one takes its place.
final class CacheDatabase: Sendable {
  private let file: DatabaseFile
  private let idle = Locked(Idle())
  /// The writers of this process wait here and not for a lock of the file, which would block their threads.
  private let writing = AsyncMutex()
  /// The last failure to open or to lock the database. Until its time is over, the database is not tried again, so that
  /// not every request waits.
  private let pause = Locked<Pause?>(nil)

  private struct Idle: Sendable {
    var connections: [OpenDatabase] = []
    /// When they were last compared with the file.
    var checked = ContinuousClock.now

    /// Removes and returns the connections to another file than the current one.
    mutating func removeOutdated(_ current: Stat?) -> [OpenDatabase] {
      checked = .now
      let start = connections.partition { current?.isSameFile(as: $0.file) != true }
      defer { connections.removeSubrange(start...) }
      return Array(connections[start...])
    }
  }

  private struct Pause: Sendable {
    let error: any Error
    let end: ContinuousClock.Instant
    /// Whether the database can be read meanwhile.
    let allowsReading: Bool
  }

  private static let pauseLength = Duration.seconds(1)
  /// How long reads use the open file without looking whether it is still the current one, which takes as long as a third
  /// of a read.
  private static let checkInterval = Duration.seconds(1)

  init(in folder: URL) {
    file = DatabaseFile(folder: folder)
  }

  /// Whether the file exists, or a damaged one that was renamed.
  var exists: Bool { file.status != nil || file.hasDamaged }

  /// Removes a damaged database that was renamed.
  func removeDamaged() { file.removeDamaged() }

  /// Calls `work` with a connection, not on the caller's actor and not on an engine's thread.
  ///
  /// - Throws: What `work` throws; `MartletError` with code `.cacheFailed` when the database cannot be used, or was
  ///   damaged.
  func read<Value: Sendable>(_ work: @Sendable (SQLiteConnection) throws -> Value) async throws
    -> Value
  {
    try await runOnGlobalExecutor { try await query(work) }
  }

  /// Calls `work` with a connection, in a transaction that writes.
  ///
  /// - Parameters:
  ///   - work: The work.
  ///   - end: What is done after the transaction with the value of `work`.
  /// - Throws: The same as `read(_:)`.
  func write<Value: Sendable>(
    _ work: @Sendable (SQLiteConnection) throws -> Value, end: @Sendable (Value) -> Void
  ) async throws {
    try await writing.withLock {
      try await runOnGlobalExecutor { try await transaction(work, end) }
    }
  }

  @concurrent
  private func query<Value: Sendable>(_ work: @Sendable (SQLiteConnection) throws -> Value)
    async throws -> Value
  {
    try perform(isReading: true, work)
  }

  @concurrent
  private func transaction<Value: Sendable>(
    _ work: @Sendable (SQLiteConnection) throws -> Value, _ end: @Sendable (Value) -> Void
  ) async throws {
    end(try perform(isReading: false) { try $0.transaction(work) })
  }

  private func perform<Value>(isReading: Bool, _ work: (SQLiteConnection) throws -> Value) throws
    -> Value
  {
    if let pause = pause.current, ContinuousClock.now < pause.end,
      !(isReading && pause.allowsReading)
    {
      throw pause.error
    }
    do {
      let database = try takeIdle(isReading: isReading) ?? file.open()
      do {
        let value = try work(database.connection)
        idle.withLock { $0.connections.append(database) }
        return value
      } catch let error as SQLiteError where error.isDamage {
        throw try file.setAside(database, after: error)
      }
    } catch let error as MartletError {
      throw error
    } catch {
      let failure = MartletError.cacheUnusable(file.url, error)
      beginPause(after: error, failure)
      throw failure
    }
  }

  /// Pauses after a failure for which a call has waited.
  private func beginPause(after error: any Error, _ failure: MartletError) {
    let isBusy = (error as? SQLiteError)?.isBusy ?? false
    guard isBusy || error is FileLock.AlreadyLocked else { return }
    let end = ContinuousClock.now + Self.pauseLength
    pause.withLock { $0 = Pause(error: failure, end: end, allowsReading: isBusy) }
  }

  /// Returns an idle connection to the current file. A user may have removed the folder, and another process may have
  /// renamed the database.
  private func takeIdle(isReading: Bool) -> OpenDatabase? {
    let isDue = !isReading || ContinuousClock.now - idle.withLock(\.checked) > Self.checkInterval
    guard isDue else { return idle.withLock { $0.connections.popLast() } }
    let current = file.status
    // Outdated connections are closed after the lock was released.
    let (database, _) = idle.withLock { idle in
      let outdated = idle.removeOutdated(current)
      return (idle.connections.popLast(), outdated)
    }
    return database
  }
}

/// A connection, and the file that it has opened.
struct OpenDatabase: Sendable {
  let connection: SQLiteConnection
  let file: Stat
}

extension MartletError {
  fileprivate static func cacheUnusable(_ url: URL, _ error: any Error) -> MartletError {
    MartletError(
      .cacheFailed, "The cache “\(url.path.masked)” cannot be used: \(error).", underlying: error)
  }
}
