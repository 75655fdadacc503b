import EssentialFoundation

/// The cookies of a jar, and the selection of those for a request (RFC 6265bis §5.7, §5.8.3).
///
/// The store has no clock: the time is a parameter.
struct CookieStore: Sendable {
  /// A cookie with its number in the order of arrival, which decides between cookies with the same date.
  struct Entry: Sendable {
    let key: CookieKey
    var cookie: Cookie
    let number: Int
  }

  /// The entries by domain. No list is empty.
  var domains: [String: [Entry]] = [:]
  /// The number of cookies, including those that have expired but are not removed yet.
  var count = 0
  private var lastNumber = 0

  /// Stores a cookie in place of one with the same key. An expired cookie only removes the other cookie.
  ///
  /// The new cookie keeps the creation date of the replaced cookie, and so its position in the order, unless the
  /// replaced cookie had expired.
  mutating func insert(_ cookie: Cookie, limits: CookieJar.Limits, at now: Date) {
    let key = cookie.key
    let old = remove(key).flatMap { $0.cookie.isExpired(at: now) ? nil : $0 }
    guard !cookie.isExpired(at: now) else { return }
    var cookie = cookie
    if let old { cookie.created = old.cookie.created }
    if old == nil { lastNumber += 1 }
    domains[cookie.domain, default: []].append(
      Entry(key: key, cookie: cookie, number: old?.number ?? lastNumber))
    count += 1
    evict(from: cookie.domain, limits: limits, at: now)
  }

  /// Whether a cookie from an insecure connection would hide a secure one (§5.7).
  func hidesSecure(_ cookie: Cookie, at now: Date) -> Bool {
    guard !cookie.isSecure, count > 0 else { return false }
    return domains.contains { domain, kept in
      (CookieDomain.contains(domain, in: cookie.domain)
        || CookieDomain.contains(cookie.domain, in: domain))
        && kept.contains { other in
          other.cookie.isSecure && !other.cookie.isExpired(at: now)
            && other.cookie.name.utf8.elementsEqual(cookie.name.utf8)
            && CookiePath.contains(cookie.path, in: other.cookie.path)
        }
    }
  }

  /// Returns the cookies for a request in the order in which they are sent: those with longer paths first, then older
  /// ones.
  func cookies(for target: CookieTarget, at now: Date) -> [Cookie] {
    guard count > 0 else { return [] }
    let found = CookieDomain.all(of: target.host).flatMap { domain in
      (domains[String(domain)] ?? []).filter { $0.cookie.isSent(to: target, at: now) }
    }
    return found.sorted { $0.precedes($1) }.map(\.cookie)
  }

  /// Records that cookies are sent.
  mutating func touch(_ cookies: [Cookie], at now: Date) {
    for cookie in cookies {
      guard let index = index(of: cookie.key) else { continue }
      domains[cookie.domain]?[index].cookie.lastUsed = now
    }
  }

  /// Returns all cookies that have not expired, the oldest first.
  func all(at now: Date) -> [Cookie] {
    domains.values.joined().filter { !$0.cookie.isExpired(at: now) }
      .sorted { ($0.cookie.created, $0.number) < ($1.cookie.created, $1.number) }.map(\.cookie)
  }

  @discardableResult
  mutating func remove(_ key: CookieKey) -> Entry? {
    guard let index = index(of: key) else { return nil }
    let kept = domains[key.domain]?.remove(at: index)
    if domains[key.domain]?.isEmpty == true { domains[key.domain] = nil }
    count -= 1
    return kept
  }

  mutating func removeAll(where isUnwanted: (Cookie) throws -> Bool) rethrows {
    for kept in domains.values.joined() where try isUnwanted(kept.cookie) {
      remove(kept.key)
    }
  }

  private func index(of key: CookieKey) -> Int? {
    domains[key.domain]?.firstIndex { $0.key == key }
  }
}

extension Cookie {
  /// Whether it is sent with a request (§5.8.3).
  fileprivate func isSent(to target: CookieTarget, at now: Date) -> Bool {
    (!isHostOnly || domain.utf8.elementsEqual(target.host.utf8))
      && CookiePath.contains(target.path, in: path) && (target.isSecure || !isSecure)
      && !isExpired(at: now)
  }
}

extension CookieStore.Entry {
  fileprivate func precedes(_ other: CookieStore.Entry) -> Bool {
    let (length, otherLength) = (cookie.path.utf8.count, other.cookie.path.utf8.count)
    guard length == otherLength else { return length > otherLength }
    return (cookie.created, number) < (other.cookie.created, other.number)
  }
}

/// Removes cookies to make room (RFC 6265bis §5.7).
///
/// From a domain that has too many, expired cookies are removed first, then insecure cookies, and then secure ones. If
/// the store then still has too many, expired cookies are removed first, and then any others. In each group, the least
/// recently used cookie is removed first.
extension CookieStore {
  /// Removes cookies until a domain, and then the whole store, is within the limits.
  mutating func evict(from domain: String, limits: CookieJar.Limits, at now: Date) {
    while domains[domain]?.count ?? 0 > limits.perDomain {
      let first = domains[domain]?.min { $0.domainRank(at: now) < $1.domainRank(at: now) }
      guard let first else { break }
      remove(first.key)
    }
    while count > limits.total {
      let oldest = domains.values.compactMap { $0.min { $0.rank(at: now) < $1.rank(at: now) } }
      guard let first = oldest.min(by: { $0.rank(at: now) < $1.rank(at: now) }) else { break }
      remove(first.key)
    }
  }
}

extension CookieStore.Entry {
  /// The order of removal in a domain that has too many cookies.
  fileprivate func domainRank(at now: Date) -> (Int, Date, Int) {
    (cookie.isExpired(at: now) ? 0 : cookie.isSecure ? 2 : 1, cookie.lastUsed, number)
  }

  /// The order of removal in the whole store.
  fileprivate func rank(at now: Date) -> (Int, Date, Int) {
    (cookie.isExpired(at: now) ? 0 : 1, cookie.lastUsed, number)
  }
}
