import CMartletSQLite

/// A failure that SQLite reports.
struct SQLiteError: Error, CustomStringConvertible {
  /// The primary result code.
  let code: CInt
  /// What SQLite says about it.
  let description: String

  /// The failure of a connection's last call.
  init(_ handle: OpaquePointer?) {
    code = sqlite3_errcode(handle) & 0xff
    description = "SQLite: \(String(cString: sqlite3_errmsg(handle)))"
  }

  /// A failure with a code only.
  init(code: CInt) {
    self.code = code & 0xff
    description = "SQLite: \(String(cString: sqlite3_errstr(code)))"
  }

  /// The failure of a check.
  static let damaged = SQLiteError(code: SQLITE_CORRUPT)

  /// Whether the file is damaged, or is no database.
  var isDamage: Bool { code == SQLITE_CORRUPT || code == SQLITE_NOTADB }

  /// Whether another process holds the lock.
  var isBusy: Bool { code == SQLITE_BUSY || code == SQLITE_LOCKED }
}
