import CMartletSQLite

/// A failure that SQLite reports.
struct SQLiteError: Error, CustomStringConvertible {
  /// The extended result code.
  let code: CInt
  /// What SQLite says about it.
  let description: String

  /// The failure of a connection's last call.
  init(_ handle: OpaquePointer?) {
    code = sqlite3_extended_errcode(handle)
    description = "SQLite: \(String(cString: sqlite3_errmsg(handle)))"
  }

  /// A failure with a code only.
  init(code: CInt) {
    self.code = code
    description = "SQLite: \(String(cString: sqlite3_errstr(code)))"
  }

  /// The failure of a check.
  static let damaged = SQLiteError(code: SQLITE_CORRUPT)

  /// SQLITE_IOERR_SHORT_READ, a macro that Swift does not import.
  private static let shortRead = SQLITE_IOERR | 2 << 8

  /// Whether the file is damaged, or is no database. The statements are constant, so that an error in one of them means
  /// that a table is missing.
  var isDamage: Bool {
    [SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR].contains(code & 0xff)
      || code == Self.shortRead
  }

  /// Whether another process holds the lock.
  var isBusy: Bool { code & 0xff == SQLITE_BUSY || code & 0xff == SQLITE_LOCKED }
}
