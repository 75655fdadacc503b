/// Decides which pool may open a connection under the limit on all connections, without any I/O.
///
/// When connections are scarce, the pools share them evenly. A waiting pool comes before a pool that holds more
/// connections, and before a pool that holds as many and has not waited as long. A pool gives up a connection if a
/// waiting pool holds none, or at least two fewer.
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
  var hasUnservedPools: Bool { served < waitingPools.count }

  /// Whether more pools other than `pool` wait than connections are available or being closed.
  func hasUnservedPools(besides pool: Pool) -> Bool {
    served < waitingPools.count { $0 != pool }
  }

  private var served: Int { max(available, 0) + closing.values.reduce(0, +) }

  /// The waiting pools that may open a connection now: those with the fewest connections, and of these the ones that
  /// have waited longest.
  var eligible: [Pool] {
    guard available > 0 else { return [] }
    guard available < waitingPools.count else { return waitingPools }
    let order = waitingPools.indices.sorted {
      (heldCount(of: waitingPools[$0]), $0) < (heldCount(of: waitingPools[$1]), $1)
    }
    return order.prefix(available).map { waitingPools[$0] }
  }

  /// Whether a permit is left that no pool waits for.
  var isAvailable: Bool { available > waitingPools.count }

  /// Takes a permit to open a connection; returns whether there was one. If not, the pool joins the waiting pools.
  ///
  /// A permit that the waiting pools before it do not need is free: a pool that waited for it would not be woken when they
  /// have taken theirs.
  mutating func acquire(for pool: Pool) -> Bool {
    guard available > waitingCount(before: pool) else {
      wait(for: pool)
      return false
    }
    available -= 1
    held[pool, default: 0] += 1
    waitingPools.removeAll { $0 == pool }
    return true
  }

  /// Adds a pool to the waiting pools.
  mutating func wait(for pool: Pool) {
    if !waitingPools.contains(pool) { waitingPools.append(pool) }
  }

  /// Returns the permit of a closed connection or a failed attempt.
  mutating func release(from pool: Pool) {
    available += 1
    held[pool] = heldCount(of: pool) > 1 ? heldCount(of: pool) - 1 : nil
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
    guard hasUnservedPools else { return false }
    return waitingPools.contains {
      $0 != pool && (heldCount(of: $0) == 0 || heldCount(of: $0) + 1 < heldCount(of: pool))
    }
  }

  /// How many waiting pools come before a pool: they hold fewer connections, or as many and have waited longer.
  private func waitingCount(before pool: Pool) -> Int {
    let place = waitingPools.firstIndex(of: pool) ?? waitingPools.endIndex
    return waitingPools.indices.count { index in
      let other = heldCount(of: waitingPools[index])
      return other < heldCount(of: pool) || (index < place && other == heldCount(of: pool))
    }
  }

  private func heldCount(of pool: Pool) -> Int { held[pool] ?? 0 }
}
