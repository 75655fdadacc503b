/// The tables of the database.
enum CacheSchema {
  /// The format of the database. Another format has another number.
  static let version = 1

  /// Sets what holds for one connection.
  ///
  /// - Throws: `SQLiteError`; `OldLibrary` when the system's SQLite does not have all statements.
  static func configure(_ connection: SQLiteConnection) throws {
    guard SQLiteConnection.libraryVersion >= OldLibrary.required else { throw OldLibrary() }
    // The log is written to the disk when it is merged into the database, not at each transaction: what a crash of the
    // machine can lose is the last responses, and a crash of the process loses none.
    try connection.run("PRAGMA synchronous = NORMAL")
    // In KiB. The pages that are used often are in the system's cache.
    try connection.run("PRAGMA cache_size = -512")
    // The log is made shorter again after a large transaction. In bytes.
    _ = try connection.rows("PRAGMA journal_size_limit = 4194304") { $0.integer(0) }
    // Damage is found when a page is read.
    try connection.run("PRAGMA cell_size_check = ON")
  }

  /// Creates the tables.
  static func create(in connection: SQLiteConnection) throws {
    try connection.run("PRAGMA auto_vacuum = INCREMENTAL")
    let mode = try connection.rows("PRAGMA journal_mode = WAL") { $0.text(0) }
    guard mode == ["wal"] else { throw NoLog() }
    try connection.transaction { connection in
      for statement in statements { try connection.run(statement) }
      try connection.run("PRAGMA user_version = \(version)")
    }
  }

  private static let statements = [
    // The body is in `body`, or in the file with the number `file`.
    """
    CREATE TABLE responses (
      id INTEGER NOT NULL,
      url TEXT NOT NULL,
      credentials TEXT NOT NULL,
      variant TEXT NOT NULL,
      record BLOB NOT NULL,
      body BLOB,
      file INTEGER,
      length INTEGER NOT NULL,
      checksum INTEGER NOT NULL,
      size INTEGER NOT NULL,
      used INTEGER NOT NULL
    )
    """,
    "CREATE UNIQUE INDEX variants ON responses (url, credentials, variant)",
    "CREATE INDEX uses ON responses (used)",
    "CREATE UNIQUE INDEX files ON responses (file) WHERE file IS NOT NULL",
    // Kept by triggers, because adding the sizes of all rows would take long.
    "CREATE TABLE totals (count INTEGER NOT NULL, size INTEGER NOT NULL, swept INTEGER NOT NULL)",
    "INSERT INTO totals VALUES (0, 0, 0)",
    """
    CREATE TRIGGER inserted AFTER INSERT ON responses BEGIN
      UPDATE totals SET count = count + 1, size = size + NEW.size;
    END
    """,
    """
    CREATE TRIGGER changed AFTER UPDATE OF size ON responses BEGIN
      UPDATE totals SET size = size + NEW.size - OLD.size;
    END
    """,
    """
    CREATE TRIGGER removed AFTER DELETE ON responses BEGIN
      UPDATE totals SET count = count - 1, size = size - OLD.size;
    END
    """,
  ]
}

/// The system's SQLite is too old.
private struct OldLibrary: Error, CustomStringConvertible {
  /// 3.35, which has `RETURNING`.
  static let required = 3_035_000

  var description: String { "SQLite 3.35 or later is required" }
}

/// The file system does not support what the log needs.
private struct NoLog: Error, CustomStringConvertible {
  var description: String { "SQLite cannot use a log in shared memory on this file system" }
}

extension SQLiteConnection {
  /// The format that the database has; 0 if it is empty.
  var version: Int {
    get throws { Int(try rows("PRAGMA user_version") { $0.integer(0) }.first ?? 0) }
  }
}
