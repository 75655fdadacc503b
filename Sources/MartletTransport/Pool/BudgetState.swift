/// Who may open a connection under the limit on connections in all, without any I/O.
///
/// While there are too few, the pools share them alike: one that has waited in vain goes before one
/// that holds as many or more, and one that holds more than another needs gives one up.
struct BudgetState<Pool: Hashable & Sendable>: Sendable {
  private var available: Int
  private var held: [Pool: Int] = [:]
  private var waitingPools: [Pool] = []
  /// How many connections are being closed for the sake of others, and by whom.
  private var closing: [Pool: Int] = [:]

  init(total: Int) {
    available = max(total, 1)
  }

  /// Whether more pools wait for leave than connections are being closed for them.
  var isShort: Bool { max(available, 0) + closing.values.reduce(0, +) < waitingPools.count }

  /// The pools that were refused and could be granted leave now: those that hold least, and of them those
  /// that have waited longest.
  var eligible: [Pool] {
    guard available > 0 else { return [] }
    guard available < waitingPools.count else { return waitingPools }
    let order = waitingPools.indices.sorted {
      (holds(waitingPools[$0]), $0) < (holds(waitingPools[$1]), $1)
    }
    return order.prefix(available).map { waitingPools[$0] }
  }

  /// Takes leave to open a connection; a pool that is refused stands in line.
  mutating func acquire(for pool: Pool) -> Bool {
    guard available > 0, !isBehindOthers(pool) else {
      if !waitingPools.contains(pool) { waitingPools.append(pool) }
      return false
    }
    available -= 1
    held[pool, default: 0] += 1
    waitingPools.removeAll { $0 == pool }
    return true
  }

  /// A connection is gone.
  mutating func release(from pool: Pool) {
    available += 1
    held[pool] = holds(pool) > 1 ? holds(pool) - 1 : nil
    closing[pool] = closing[pool].flatMap { $0 > 1 ? $0 - 1 : nil }
  }

  /// A pool is closing a connection for the sake of others.
  mutating func willClose(for pool: Pool) {
    closing[pool, default: 0] += 1
  }

  /// A pool needs nothing any more.
  mutating func withdraw(_ pool: Pool) {
    waitingPools.removeAll { $0 == pool }
  }

  /// Whether a pool should give a connection up, because another has too few to compare.
  func shouldRelease(_ pool: Pool) -> Bool {
    guard isShort else { return false }
    return waitingPools.contains { $0 != pool && (holds($0) == 0 || holds($0) + 1 < holds(pool)) }
  }

  /// Whether others who wait go first: they hold less, or no more and have waited longer.
  private func isBehindOthers(_ pool: Pool) -> Bool {
    let place = waitingPools.firstIndex(of: pool) ?? waitingPools.endIndex
    return waitingPools.indices.contains { index in
      let other = holds(waitingPools[index])
      return other < holds(pool) || (index < place && other == holds(pool))
    }
  }

  private func holds(_ pool: Pool) -> Int { held[pool] ?? 0 }
}
