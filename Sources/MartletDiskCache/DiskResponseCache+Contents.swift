public import EssentialFoundation
import MartletCore
public import MartletEssentials
import NIOCore

/// What is stored, for programs that show and check it.
extension DiskResponseCache {
  /// A stored response, without its body.
  public struct Entry: Sendable {
    /// The key of the response.
    public let key: CacheKey
    /// The response.
    public let record: CachedResponse.Record
    /// The number of bytes of the body that are stored.
    public let bodyLength: Int64
    /// When the response was last used, give or take a minute.
    public let lastUse: Date
  }

  /// What ``verify()`` has found.
  public struct Verification: Hashable, Sendable {
    /// The number of responses that were checked.
    public internal(set) var checked = 0
    /// The URLs of the responses that were damaged, and are removed now.
    public internal(set) var damaged: [String] = []
    /// The number of removed files that belonged to no response. They remain when a process is killed while it stores a
    /// body.
    public internal(set) var orphans = 0
  }

  /// The number of stored responses.
  public var count: Int {
    get async throws { Int(clamping: try await totals.count) }
  }

  /// The number of bytes that the stored responses need, approximately.
  public var size: Int64 {
    get async throws { try await totals.size }
  }

  private var totals: (count: Int64, size: Int64) {
    get async throws { try await database.read { try $0.totals() } }
  }

  /// Whether the directory has a cache, or one that was renamed.
  package var exists: Bool { database.exists }

  /// Calls a closure with each stored response, in no particular order.
  ///
  /// - Parameter body: The closure. Responses that are stored or removed meanwhile may be missing.
  /// - Throws: What the closure throws; `MartletError` with code `.cacheFailed` when the database was damaged; an error of
  ///   SQLite.
  public func forEach(_ body: (Entry) async throws -> Void) async throws {
    try await forEachRow { key, row in
      guard let record = CachedResponse.Record(bytes: row.record) else { return }
      let lastUse = Date(timeIntervalSince1970: Double(row.used) / 1000)
      try await body(Entry(key: key, record: record, bodyLength: row.length, lastUse: lastUse))
    }
  }

  /// Checks each response against its checksum, and removes those that are damaged and the files that belong to none.
  ///
  /// - Returns: What was found.
  /// - Throws: `MartletError` with code `.cacheFailed` when the database was damaged; an error of SQLite.
  public func verify() async throws -> Verification {
    try await database.read { try $0.checkPages() }
    var found = Verification()
    try await forEachRow { key, row in
      found.checked += 1
      if try await !isIntact(row), try await remove(row) { found.damaged.append(key.url) }
    }
    found.orphans = try await database.read { [files, now] connection in
      let orphans = try connection.orphans(of: files, at: now)
      files.remove(orphans)
      return orphans.count
    }
    return found
  }

  /// Removes a row. Returns false if it has been replaced or removed meanwhile.
  func remove(_ row: StoredRow) async throws -> Bool {
    let isRemoved = Locked(false)
    try await write { connection in
      let files = try connection.remove(row)
      isRemoved.withLock { $0 = connection.changes > 0 }
      return files
    }
    return isRemoved.current
  }

  /// Whether a response has its checksum, and the file of its body its length.
  ///
  /// - Throws: An error of the system when the file cannot be read.
  func isIntact(_ row: StoredRow) async throws -> Bool {
    guard let response = response(in: row) else { return false }
    // A body in the database has been checked.
    guard case .file = row.content else { return true }
    var (checksum, length) = (Checksum(), Int64(0))
    for try await chunk in response.body {
      checksum.add(chunk)
      length += Int64(chunk.readableBytes)
    }
    return checksum.value == row.checksum && length == row.length
  }

  private func forEachRow(_ body: (CacheKey, StoredRow) async throws -> Void) async throws {
    var last = Int64.min
    while case let page = try await database.read({ [last] in try $0.page(after: last) }),
      !page.isEmpty
    {
      for (key, row) in page {
        try await body(key, row)
        last = row.row
      }
    }
  }
}

extension SQLiteConnection {
  /// Returns the next rows, in the order of their numbers.
  fileprivate func page(after row: Int64) throws -> [(CacheKey, StoredRow)] {
    try rows(
      "SELECT \(StoredRow.columns), url, credentials FROM responses WHERE rowid > ? ORDER BY rowid LIMIT 100",
      .integer(row)
    ) { row in
      let credentials = row.text(StoredRow.columnCount + 1)
      let key = CacheKey(
        url: row.text(StoredRow.columnCount),
        credentialsDigest: credentials.isEmpty ? nil : credentials)
      return (key, StoredRow(row))
    }
  }

  /// Checks the pages of the database.
  ///
  /// - Throws: `SQLiteError` when one is damaged.
  fileprivate func checkPages() throws {
    let messages = try rows("PRAGMA quick_check(1)") { $0.text(0) }
    guard messages == ["ok"] else { throw SQLiteError.damaged }
  }
}
