public import EssentialFoundation
public import MartletCore

/// A file of cookies on disk, in the format of Netscape's `cookies.txt`, which curl, wget, browsers' extensions and
/// Python's `MozillaCookieJar` read and write.
///
///     let file = CookieFile(folder.appending(path: "cookies.txt"))
///     let jar = CookieJar()
///     try file.load(into: jar)
///     …
///     try file.save(jar)
///
/// Several processes may use one file: saving keeps what the others have written meanwhile, as far as the jar has
/// no newer say. The format knows neither `SameSite` nor when a cookie was made. A file that is something else
/// is left as it is.
public final class CookieFile: Sendable {
  /// Where it is.
  public let url: URL
  /// What it held when it was read or written last, as far as the jar had the same.
  private let known = Locked<[CookieRow]>([])

  /// A file, which need not exist.
  public init(_ url: URL) {
    self.url = url
  }

  /// Puts the cookies of the file into a jar, in place of those with the same name, domain and path.
  ///
  /// A file that is not there has none. Cookies that no server could set any more are left out, and stay in the
  /// file.
  ///
  /// - Throws: `MartletError` with code `.fileNotReachable`, or `.invalidCookieFile` when it is no such file: the
  ///   jar is as it was then.
  public func load(into jar: CookieJar) throws(MartletError) {
    let rows = try read()
    let held = jar.change { store, now in
      for row in rows where row.cookie.isAllowed {
        store.insert(row.cookie, limits: jar.limits, at: now)
      }
      return rows.filter { store.holds($0) }
    }
    known.withLock { $0 = held }
  }

  /// Writes the cookies of a jar into the file, in one step: a reader gets the old or the new one.
  ///
  /// What other processes have changed since this object has read or written the file is kept, and taken into the
  /// jar, except for cookies that the jar has changed as well. Comments are not kept. A new file is for its owner
  /// alone; one that is replaced keeps its mode, and its owner where the system allows that. If another process writes it, that is waited for, for ten seconds at most.
  ///
  /// - Parameters:
  ///   - jar: The jar.
  ///   - sessionCookies: Whether those are written that last as long as a session; otherwise the file has none.
  ///     The default is true, for the session goes on where the file is read.
  /// - Throws: `MartletError` with code `.fileNotReachable`, `.fileNotWritable`, `.cookieFileInUse`, or
  ///   `.invalidCookieFile` when it is no such file; whatever is there stays as it is then.
  public func save(_ jar: CookieJar, sessionCookies: Bool = true) throws(MartletError) {
    let lock = try lock()
    defer { withExtendedLifetime(lock) {} }
    let isWanted = { (row: CookieRow) in sessionCookies || row.cookie.expires != nil }
    let mine = jar.cookies.compactMap { CookieRow($0) }.filter(isWanted)
    let merge = CookieMerge(
      known: known.current.filter(isWanted), mine: mine, theirs: try read().filter(isWanted),
      at: jar.now)
    try write(CookieText.data(merge.rows))
    let held = jar.take(merge, inPlaceOf: mine)
    known.withLock { $0 = held }
  }
}

/// The format, for texts that are kept elsewhere.
extension CookieFile {
  /// The cookies of a text in the format of such files, expired ones included.
  ///
  /// - Throws: `MartletError` with code `.invalidCookieFile` that names the line at fault.
  public static func cookies(in text: Data) throws(MartletError) -> [Cookie] {
    do {
      return try CookieText.rows(in: text, at: Date()).map(\.cookie)
    } catch {
      throw .notCookies(error, in: nil)
    }
  }

  /// Cookies as such files have them, but for those with a tab in a name, domain or path.
  public static func encode(_ cookies: some Sequence<Cookie>) -> Data {
    CookieText.data(cookies.compactMap { CookieRow($0) })
  }
}

extension CookieJar {
  /// Takes over what others have changed, unless the cookie has changed here as well meanwhile.
  ///
  /// - Returns: What is written, and was ours or is now: whatever becomes of it from now on is our doing. What had
  ///   to make way for others' is not.
  fileprivate func take(_ merge: CookieMerge, inPlaceOf rows: [CookieRow]) -> [CookieRow] {
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
  /// Whether a jar may have it.
  fileprivate var isAllowed: Bool { (try? check()) != nil }
}

extension CookieStore {
  fileprivate func holds(_ row: CookieRow) -> Bool { line(of: row.cookie.key) == row.line }

  fileprivate func line(of key: CookieKey) -> String? {
    domains[key.domain]?.first { $0.key == key }.flatMap { CookieRow($0.cookie)?.line }
  }
}

/// What becomes of a cookie file that others write as well.
///
/// What has changed on our side since we read or wrote the file counts; what has not is as the others left it.
struct CookieMerge {
  /// The rows of the file, ours behind those that were there.
  private(set) var rows: [CookieRow] = []
  /// What the others have changed: new rows, and `nil` for those that are gone.
  private(set) var changes: [(key: CookieKey, row: CookieRow?)] = []

  /// - Parameters:
  ///   - known: What the file held when it was read or written last.
  ///   - mine: What the jar holds.
  ///   - theirs: What the file holds.
  ///   - now: What time it is.
  init(known: [CookieRow], mine: [CookieRow], theirs: [CookieRow], at now: Date) {
    // That a cookie has expired is no change.
    let known = Self.table(known.filter { !$0.cookie.isExpired(at: now) })
    let theirs = theirs.filter { !$0.cookie.isExpired(at: now) }
    let (mineByKey, theirsByKey) = (Self.table(mine), Self.table(theirs))
    var seen: Set<CookieKey> = []
    for row in theirs + mine {
      let key = row.cookie.key
      guard seen.insert(key).inserted else { continue }
      let (old, my, their) = (known[key], mineByKey[key], theirsByKey[key])
      let winner = my?.line == old?.line ? their : my
      if let winner { rows.append(winner) }
      if winner?.line != my?.line { changes.append((key, winner)) }
    }
  }

  /// Of rows about the same cookie the last one counts.
  private static func table(_ rows: [CookieRow]) -> [CookieKey: CookieRow] {
    Dictionary(rows.map { ($0.cookie.key, $0) }) { _, later in later }
  }
}
