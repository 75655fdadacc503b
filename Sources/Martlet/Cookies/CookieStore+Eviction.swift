import Foundation

/// Making room (RFC 6265bis §5.7): first goes what has expired, then what a domain has too much of, what is not
/// secure before what is, and then anything; of several the one that was not used for longest.
extension CookieStore {
  /// Brings a domain, and then the whole, down to the limits.
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

extension CookieStore.Kept {
  /// Who goes first of a domain that has too many.
  fileprivate func domainRank(at now: Date) -> (Int, Date, Int) {
    (cookie.isExpired(at: now) ? 0 : cookie.isSecure ? 2 : 1, cookie.lastUsed, number)
  }

  /// Who goes first of all.
  fileprivate func rank(at now: Date) -> (Int, Date, Int) {
    (cookie.isExpired(at: now) ? 0 : 1, cookie.lastUsed, number)
  }
}
