public import EssentialFoundation
public import MartletCore

/// A file of cookies on disk, in the format of Netscape's `cookies.txt`.
///
/// curl, wget, browser extensions and Python's `MozillaCookieJar` read and write this format.
///
///     let file = CookieFile(folder.appending(path: "cookies.txt"))
///     let jar = CookieJar()
///     try file.load(into: jar)
///     …
///     try file.save(jar)
///
/// Several processes may use one file. Saving keeps the changes of the other processes, except for cookies that the jar
/// has changed as well. The format has neither `SameSite` nor the creation date. A file that is not a cookie file is
/// never changed.
public final class CookieFile: Sendable {
  /// The URL of the file.
  public let url: URL
  /// The rows that the file had when it was last read or written, without those that the jar did not have.
  private let known = Locked<[CookieRow]>([])

  /// A file, which need not exist.
  public init(_ url: URL) {
    self.url = url
  }

  /// Puts the cookies of the file into a jar, in place of those with the same name, domain, `isHostOnly` and path.
  ///
  /// A file that does not exist has no cookies. Expired cookies are ignored. Cookies that no server could set are not
  /// loaded, but stay in the file.
  ///
  /// - Throws: `MartletError` with code `.fileNotReachable`, or `.invalidCookieFile` when it is not a cookie file. The
  ///   jar is not changed then.
  public func load(into jar: CookieJar) throws(MartletError) {
    let rows = try read()
    let held = jar.change { store, now in
      for row in rows where row.cookie.isAllowed && !row.cookie.isExpired(at: now) {
        store.insert(row.cookie, limits: jar.limits, at: now)
      }
      return rows.filter { store.holds($0) }
    }
    known.withLock { $0 = held }
  }

  /// Writes the cookies of a jar into the file, atomically: a reader gets either the old or the new file.
  ///
  /// The changes that other processes have made since this object last read or wrote the file are kept, and are copied
  /// into the jar, except for cookies that the jar has changed as well. Comments are not kept. A new file is accessible
  /// only to its owner. A replaced file keeps its mode, and its owner if the system allows that. If another process is
  /// writing the file, this function waits for ten seconds at most.
  ///
  /// - Parameters:
  ///   - jar: The jar.
  ///   - sessionCookies: Whether session cookies are written; if not, the file has none. The default is true, because
  ///     the session continues where the file is read.
  /// - Throws: `MartletError` with code `.fileNotReachable`, `.fileNotWritable`, `.cookieFileInUse`, or
  ///   `.invalidCookieFile` when it is not a cookie file. The file is not changed then.
  public func save(_ jar: CookieJar, sessionCookies: Bool = true) throws(MartletError) {
    let lock = try lock()
    defer { withExtendedLifetime(lock) {} }
    let isWanted = { (row: CookieRow) in sessionCookies || row.cookie.expires != nil }
    let jarRows = jar.cookies.compactMap { CookieRow($0) }.filter(isWanted)
    let merge = CookieMerge(
      known: known.current.filter(isWanted), jarRows: jarRows,
      fileRows: try read().filter(isWanted), at: jar.now)
    try write(CookieText.data(merge.rows))
    let held = jar.apply(merge, replacing: jarRows)
    known.withLock { $0 = held }
  }
}

/// The format, for texts that are stored elsewhere.
extension CookieFile {
  /// Returns the cookies of a text in the format of cookie files, including expired ones.
  ///
  /// - Throws: `MartletError` with code `.invalidCookieFile` that names the invalid line.
  public static func cookies(in text: Data) throws(MartletError) -> [Cookie] {
    do {
      return try CookieText.rows(in: text, at: Date()).map(\.cookie)
    } catch {
      throw .notCookies(error, in: nil)
    }
  }

  /// Returns cookies in the format of cookie files, except those with a tab in a name, domain or path.
  public static func encode(_ cookies: some Sequence<Cookie>) -> Data {
    CookieText.data(cookies.compactMap { CookieRow($0) })
  }
}

extension CookieJar {
  /// Applies the changes of other processes to the jar, except for cookies that have meanwhile changed in the jar.
  ///
  /// - Returns: The written rows that the jar now has, and those that it has changed since they were read from it. A
  ///   later difference from these rows is a change of the jar. Cookies that were removed just now to make room for
  ///   others are not among them.
  fileprivate func apply(_ merge: CookieMerge, replacing rows: [CookieRow]) -> [CookieRow] {
    let seen = Dictionary(rows.map { ($0.cookie.key, $0.line) }) { _, later in later }
    return change { store, now in
      let changed = merge.rows.filter { seen[$0.cookie.key] == $0.line && !store.holds($0) }
      for (key, row) in merge.changes where store.line(of: key) == seen[key] {
        guard let cookie = row?.cookie else {
          store.remove(key)
          continue
        }
        if cookie.isAllowed { store.insert(cookie, limits: limits, at: now) }
      }
      return changed + merge.rows.filter { store.holds($0) }
    }
  }
}

extension Cookie {
  /// Whether a jar may contain it.
  fileprivate var isAllowed: Bool { (try? check()) != nil }
}

extension CookieStore {
  fileprivate func holds(_ row: CookieRow) -> Bool { line(of: row.cookie.key) == row.line }

  fileprivate func line(of key: CookieKey) -> String? {
    domains[key.domain]?.first { $0.key == key }.flatMap { CookieRow($0.cookie)?.line }
  }
}

/// Merges the cookies of a jar with a cookie file that other processes write as well.
///
/// Cookies that the jar has changed since the file was last read or written are taken from the jar. All others are
/// taken from the file.
struct CookieMerge {
  /// The rows of the merged file: those of the file first, then those that only the jar has.
  private(set) var rows: [CookieRow] = []
  /// The changes of other processes: new rows, and `nil` for removed ones.
  private(set) var changes: [(key: CookieKey, row: CookieRow?)] = []

  /// - Parameters:
  ///   - known: The rows of the file when it was last read or written.
  ///   - jarRows: The rows of the jar.
  ///   - fileRows: The rows of the file now.
  ///   - now: The current time.
  init(known: [CookieRow], jarRows: [CookieRow], fileRows: [CookieRow], at now: Date) {
    // The expiry of a cookie is not a change.
    let known = Self.table(known.filter { !$0.cookie.isExpired(at: now) })
    let fileRows = fileRows.filter { !$0.cookie.isExpired(at: now) }
    let (jarRowsByKey, fileRowsByKey) = (Self.table(jarRows), Self.table(fileRows))
    var seen: Set<CookieKey> = []
    for row in fileRows + jarRows {
      let key = row.cookie.key
      guard seen.insert(key).inserted else { continue }
      let (old, jarRow, fileRow) = (known[key], jarRowsByKey[key], fileRowsByKey[key])
      let winner = jarRow?.line == old?.line ? fileRow : jarRow
      if let winner { rows.append(winner) }
      if winner?.line != jarRow?.line { changes.append((key, winner)) }
    }
  }

  /// Returns the rows by key. If several have the same key, the last one is used.
  private static func table(_ rows: [CookieRow]) -> [CookieKey: CookieRow] {
    Dictionary(rows.map { ($0.cookie.key, $0) }) { _, later in later }
  }
}
