import Foundation

/// What becomes of a cookie file that others write as well.
///
/// What has changed on our side since we read or wrote the file counts; what has not is as the others left it.
struct CookieMerge {
  /// The rows of the file, ours behind those that were there.
  private(set) var rows: [CookieRow] = []
  /// What the others have changed: new rows, and `nil` for those that are gone.
  private(set) var news: [(key: CookieKey, row: CookieRow?)] = []

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
      if winner?.line != my?.line { news.append((key, winner)) }
    }
  }

  /// Of rows about the same cookie the last one counts.
  private static func table(_ rows: [CookieRow]) -> [CookieKey: CookieRow] {
    Dictionary(rows.map { ($0.cookie.key, $0) }) { _, later in later }
  }
}
