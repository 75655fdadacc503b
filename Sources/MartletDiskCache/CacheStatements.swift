import EssentialFoundation
import MartletEssentials

/// The statements of the cache. Those that remove rows return the numbers of their files, which are removed after the
/// transaction.
extension SQLiteConnection {
  /// The most variants of one key. Further ones replace the least recently used.
  private static let mostVariants: Int64 = 64
  /// How many rows are removed at a time, and how often in one transaction.
  private static let (batch, mostBatches) = (Int64(64), 8)

  func rows(for key: CacheKey) throws -> [StoredRow] {
    try rows(
      "SELECT \(StoredRow.columns) FROM responses WHERE url = ? AND credentials = ?",
      .text(key.url), .text(key.credentialsDigest ?? "")
    ) { StoredRow($0) }
  }

  /// Inserts a row in place of the one with the same variant.
  func insert(_ row: StoredRow, variant: String, for key: CacheKey) throws -> [Int64] {
    let (url, credentials) = (
      SQLiteValue.text(key.url), SQLiteValue.text(key.credentialsDigest ?? "")
    )
    let replaced = try files(
      "DELETE FROM responses WHERE url = ? AND credentials = ? AND variant = ? RETURNING file",
      url, credentials, .text(variant))
    let (body, file): (SQLiteValue, SQLiteValue) =
      switch row.content {
      case .bytes(let bytes): (.bytes(bytes), .null)
      case .file(let number): (.null, .integer(number))
      }
    try run(
      "INSERT INTO responses VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      .integer(row.id), url, credentials, .text(variant), .bytes(row.record), body,
      file, .integer(row.length), .integer(Int64(row.checksum)), .integer(row.size(with: key)),
      .integer(row.used))
    guard !variant.isEmpty else { return replaced }
    return try replaced
      + files(
        """
        DELETE FROM responses WHERE rowid IN (
          SELECT rowid FROM responses WHERE url = ? AND credentials = ?
          ORDER BY used DESC, rowid DESC LIMIT -1 OFFSET ?) RETURNING file
        """, url, credentials, .integer(Self.mostVariants))
  }

  func update(_ record: CachedResponse.Record, for key: CacheKey) throws {
    try run(
      """
      UPDATE responses SET record = ?1, size = size + length(?1) - length(record)
      WHERE url = ?2 AND credentials = ?3 AND id = ?4
      """, .bytes(record.bytes), .text(key.url), .text(key.credentialsDigest ?? ""),
      .integer(Int64(bitPattern: record.id)))
  }

  /// Notes when rows were used.
  func update(_ uses: [Int64: Int64]) throws {
    for (row, time) in uses {
      try run("UPDATE responses SET used = ? WHERE rowid = ?", .integer(time), .integer(row))
    }
  }

  func remove(_ record: CachedResponse.Record, for key: CacheKey) throws -> [Int64] {
    try files(
      "DELETE FROM responses WHERE url = ? AND credentials = ? AND id = ? RETURNING file",
      .text(key.url), .text(key.credentialsDigest ?? ""), .integer(Int64(bitPattern: record.id)))
  }

  func removeRows(url: String) throws -> [Int64] {
    try files("DELETE FROM responses WHERE url = ? RETURNING file", .text(url))
  }

  func removeAllRows() throws -> [Int64] {
    try files("DELETE FROM responses RETURNING file")
  }

  /// Removes a row, unless it has been replaced.
  func remove(_ row: StoredRow) throws -> [Int64] {
    try files(
      "DELETE FROM responses WHERE rowid = ? AND id = ? RETURNING file", .integer(row.row),
      .integer(row.id))
  }

  /// Gives the space of removed rows back to the file system.
  func shrink() throws {
    _ = try rows("PRAGMA incremental_vacuum") { $0.integer(0) }
    _ = try rows("PRAGMA wal_checkpoint(TRUNCATE)") { $0.integer(0) }
  }

  /// Removes the least recently used rows if all rows need more than `capacity` bytes, until a tenth is free.
  ///
  /// - Parameters:
  ///   - capacity: The bytes.
  ///   - time: The time in milliseconds since 1970. Rows that were used later, by a clock that was set back since then,
  ///     count as used now.
  /// - Returns: The files of the removed rows. Many rows are not removed at once, but at the next calls.
  /// - Throws: `SQLiteError`, also when the table with the total is damaged.
  func makeRoom(_ capacity: Int64, at time: Int64) throws -> [Int64] {
    guard try totals().size > capacity else { return [] }
    try run("UPDATE responses SET used = ?1 WHERE used > ?1", .integer(time))
    var removed: [Int64] = []
    for _ in 0..<Self.mostBatches {
      let totals = try totals()
      guard totals.size > capacity / 10 * 9 else { break }
      removed += try files(
        """
        DELETE FROM responses WHERE rowid IN (SELECT rowid FROM responses ORDER BY used LIMIT ?)
        RETURNING file
        """, .integer(min(Self.batch, totals.count / 10 + 1)))
      guard changes > 0 else { throw SQLiteError.damaged }
    }
    return removed
  }

  func totals() throws -> (count: Int64, size: Int64) {
    let totals = try rows("SELECT count, size FROM totals") { ($0.integer(0), $0.integer(1)) }
    guard let totals = totals.first, totals.0 >= 0, totals.1 >= 0 else { throw SQLiteError.damaged }
    return totals
  }

  /// Notes that the orphans are removed now, unless that was done within a day.
  ///
  /// - Parameter time: The time in milliseconds since 1970.
  /// - Returns: Whether they are to be removed.
  /// - Throws: `SQLiteError`.
  func beginSweep(at time: Int64) throws -> Bool {
    try !rows(
      "UPDATE totals SET swept = ? WHERE swept NOT BETWEEN ? AND ? RETURNING 1", .integer(time),
      .integer(time - 86_400_000), .integer(time)
    ) { _ in true }.isEmpty
  }

  /// Returns the old files that no row has.
  func orphans(of files: BodyFiles, at now: Date) throws -> [Int64] {
    try files.old(at: now).filter { number in
      try rows("SELECT 1 FROM responses WHERE file = ?", .integer(number)) { _ in true }.isEmpty
    }
  }

  private func files(_ sql: String, _ values: SQLiteValue...) throws -> [Int64] {
    try rows(sql, with: values) { $0.isNull(0) ? nil : $0.integer(0) }
  }
}
