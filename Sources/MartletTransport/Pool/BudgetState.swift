/// Decides which pool may open a connection under the limit on all connections, without any I/O.
///
/// When connections are scarce, the pools share them evenly. A pool that waits comes before one that holds as many
/// connections or more. A pool gives up a connection if a waiting pool holds none, or at least two fewer.
struct BudgetState<Pool: Hashable & Sendable>: Sendable {
  private var available: Int
  private var held: [Pool: Int] = [:]
  private var waitingPools: [Pool] = []
  /// How many connections each pool is closing for other pools.
  private var closing: [Pool: Int] = [:]

  init(total: Int) {
    available = max(total, 1)
  }

  /// Whether more pools wait than connections are available or being closed.
  var isShort: Bool { max(available, 0) + closing.values.reduce(0, +) < waitingPools.count }

  /// The waiting pools that may open a connection now: those with the fewest connections, and of these the ones that
  /// have waited longest.
  var eligible: [Pool] {
    guard available > 0 else { return [] }
    guard available < waitingPools.count else { return waitingPools }
    let order = waitingPools.indices.sorted {
      (holds(waitingPools[$0]), $0) < (holds(waitingPools[$1]), $1)
    }
    return order.prefix(available).map { waitingPools[$0] }
  }

  /// Takes a permit to open a connection; without one, the pool joins the waiting pools.
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

  /// Returns the permit of a closed connection.
  mutating func release(from pool: Pool) {
    available += 1
    held[pool] = holds(pool) > 1 ? holds(pool) - 1 : nil
    closing[pool] = closing[pool].flatMap { $0 > 1 ? $0 - 1 : nil }
  }

  /// Notes that a pool is closing a connection for other pools.
  mutating func willClose(for pool: Pool) {
    closing[pool, default: 0] += 1
  }

  /// Removes a pool that no longer waits.
  mutating func withdraw(_ pool: Pool) {
    waitingPools.removeAll { $0 == pool }
  }

  /// Whether a pool should give up a connection, because a waiting pool holds none, or at least two fewer.
  func shouldRelease(_ pool: Pool) -> Bool {
    guard isShort else { return false }
    return waitingPools.contains { $0 != pool && (holds($0) == 0 || holds($0) + 1 < holds(pool)) }
  }

  /// Whether another waiting pool comes first: it holds fewer connections, or as many and has waited longer.
  private func isBehindOthers(_ pool: Pool) -> Bool {
    let place = waitingPools.firstIndex(of: pool) ?? waitingPools.endIndex
    return waitingPools.indices.contains { index in
      let other = holds(waitingPools[index])
      return other < holds(pool) || (index < place && other == holds(pool))
    }
  }

  private func holds(_ pool: Pool) -> Int { held[pool] ?? 0 }
}
