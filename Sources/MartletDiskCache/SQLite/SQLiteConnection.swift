import CMartletSQLite
import EssentialFoundation

/// A connection to an SQLite database, with the statements that it has prepared.
///
/// Unchecked because one thread uses it at a time: ``CacheDatabase`` takes it out of its list of idle connections, and
/// returns it after use. Each call checks that in debug builds.
final class SQLiteConnection: @unchecked Sendable {
  private let handle: OpaquePointer
  private var statements: [String: OpaquePointer] = [:]
  private let isInUse = Locked(false)

  /// Opens a database.
  ///
  /// - Parameters:
  ///   - path: The file, which exists.
  ///   - timeout: How long a statement waits for the lock of another process, in milliseconds.
  /// - Throws: `SQLiteError`.
  init(_ path: String, timeout: CInt) throws {
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
    let result = sqlite3_open_v2(path, &handle, flags, nil)
    guard result == SQLITE_OK, let handle else {
      defer { sqlite3_close_v2(handle) }
      throw handle == nil ? SQLiteError(code: result) : SQLiteError(handle)
    }
    self.handle = handle
    sqlite3_busy_timeout(handle, timeout)
  }

  deinit {
    for statement in statements.values { sqlite3_finalize(statement) }
    sqlite3_close_v2(handle)
  }

  /// Runs a statement, and discards its rows.
  ///
  /// - Throws: `SQLiteError`.
  func run(_ sql: String, _ values: SQLiteValue...) throws {
    _ = try rows(sql, with: values) { _ in }
  }

  /// Runs a statement, and returns its rows.
  ///
  /// - Parameters:
  ///   - sql: One statement. It is prepared once.
  ///   - values: The values of its parameters.
  ///   - read: Returns the value of a row; `nil` drops the row.
  /// - Returns: The values of all rows.
  /// - Throws: `SQLiteError`, and what `read` throws.
  func rows<Value>(
    _ sql: String, _ values: SQLiteValue..., read: (SQLiteRow) throws -> Value?
  ) throws -> [Value] {
    try rows(sql, with: values, read: read)
  }

  /// The same with the values in a list.
  func rows<Value>(
    _ sql: String, with values: [SQLiteValue], read: (SQLiteRow) throws -> Value?
  ) throws -> [Value] {
    assert(
      !isInUse.withLock { isInUse in
        defer { isInUse = true }
        return isInUse
      }, "two threads use one connection")
    defer {
      assert(
        isInUse.withLock { isInUse in
          isInUse = false; return true
        })
    }
    let statement = try prepared(sql)
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    guard statement.bind(values) == SQLITE_OK else { throw SQLiteError(handle) }
    var rows: [Value] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: if let value = try read(SQLiteRow(statement)) { rows.append(value) }
      case SQLITE_DONE: return rows
      default: throw SQLiteError(handle)
      }
    }
  }

  /// The version of the library, such as 3040001.
  static var libraryVersion: Int { Int(sqlite3_libversion_number()) }

  /// The number of rows that the last statement has changed.
  var changes: Int { Int(sqlite3_changes(handle)) }

  private func prepared(_ sql: String) throws -> OpaquePointer {
    if let statement = statements[sql] { return statement }
    var statement: OpaquePointer?
    let flags = CUnsignedInt(SQLITE_PREPARE_PERSISTENT)
    guard sqlite3_prepare_v3(handle, sql, -1, flags, &statement, nil) == SQLITE_OK, let statement
    else { throw SQLiteError(handle) }
    statements[sql] = statement
    return statement
  }
}

extension SQLiteConnection {
  /// Runs `work` in a transaction that writes. If it throws, nothing is changed.
  ///
  /// - Throws: `SQLiteError`, and what `work` throws.
  func transaction<Value>(_ work: (SQLiteConnection) throws -> Value) throws -> Value {
    try run("BEGIN IMMEDIATE")
    do {
      let value = try work(self)
      try run("COMMIT")
      return value
    } catch {
      // It fails if SQLite has already ended the transaction.
      try? run("ROLLBACK")
      throw error
    }
  }
}
