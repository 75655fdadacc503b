/// Who may open a connection under the limit on connections in all, without any I/O.
///
/// While there are too few, the pools share them alike: one that has waited in vain goes before one
/// that holds as many or more, and one that holds more than another needs gives one up.
struct BudgetState<Pool: Hashable & Sendable>: Sendable {
  private var left: Int
  private var held: [Pool: Int] = [:]
  private var hungry: [Pool] = []
  /// How many connections are being closed for the sake of others, and by whom.
  private var leaving: [Pool: Int] = [:]

  init(total: Int) {
    left = max(total, 1)
  }

  /// Whether more pools wait for leave than connections are being closed for them.
  var isShort: Bool { max(left, 0) + leaving.values.reduce(0, +) < hungry.count }

  /// The pools that were refused and could be granted leave now: those that hold least, and of them those
  /// that have waited longest.
  var eligible: [Pool] {
    guard left > 0 else { return [] }
    guard left < hungry.count else { return hungry }
    let order = hungry.indices.sorted { (holds(hungry[$0]), $0) < (holds(hungry[$1]), $1) }
    return order.prefix(left).map { hungry[$0] }
  }

  /// Takes leave to open a connection; a pool that is refused stands in line.
  mutating func acquire(for pool: Pool) -> Bool {
    guard left > 0, !isBehindOthers(pool) else {
      if !hungry.contains(pool) { hungry.append(pool) }
      return false
    }
    left -= 1
    held[pool, default: 0] += 1
    hungry.removeAll { $0 == pool }
    return true
  }

  /// A connection is gone.
  mutating func release(from pool: Pool) {
    left += 1
    held[pool] = holds(pool) > 1 ? holds(pool) - 1 : nil
    leaving[pool] = leaving[pool].flatMap { $0 > 1 ? $0 - 1 : nil }
  }

  /// A pool is closing a connection for the sake of others.
  mutating func makesWay(_ pool: Pool) {
    leaving[pool, default: 0] += 1
  }

  /// A pool needs nothing any more.
  mutating func leave(_ pool: Pool) {
    hungry.removeAll { $0 == pool }
  }

  /// Whether a pool should give a connection up, because another has too few to compare.
  func shouldMakeWay(_ pool: Pool) -> Bool {
    guard isShort else { return false }
    return hungry.contains { $0 != pool && (holds($0) == 0 || holds($0) + 1 < holds(pool)) }
  }

  /// Whether others who wait go first: they hold less, or no more and have waited longer.
  private func isBehindOthers(_ pool: Pool) -> Bool {
    let place = hungry.firstIndex(of: pool) ?? hungry.endIndex
    return hungry.indices.contains { index in
      let other = holds(hungry[index])
      return other < holds(pool) || (index < place && other == holds(pool))
    }
  }

  private func holds(_ pool: Pool) -> Int { held[pool] ?? 0 }
}
