import MartletCore
import NIOCore
import Testing

@testable import MartletTransport

/// Which exchange gets which connection.
struct PoolStateTests: PoolStateTesting {
  @Test func `the connection used last is used next`() {
    var pool = pool(connections: 2, idle: [1, 2])
    same(pool.assign(7, priority: .medium, now: start), .use(2))
    same(pool.assign(8, priority: .medium, now: start), .use(1))
  }

  @Test func `all connections are idle since the last of them is`() {
    var pool = pool(connections: 2, idle: [])
    #expect(pool.open.allIdleSince == nil)
    pool = self.pool(connections: 2, idle: [1, 2])
    #expect(pool.open.allIdleSince == start)
    _ = pool.assign(1, priority: .medium, now: start)
    #expect(pool.open.allIdleSince == nil)
    _ = pool.released(2, now: start + .seconds(1))
    #expect(pool.open.allIdleSince == start + .seconds(1))
  }

  @Test func `beyond the limit exchanges wait, first come first served`() {
    var pool = pool(connections: 1, idle: [1])
    same(pool.assign(1, priority: .medium, now: start), .use(1))
    same(pool.assign(2, priority: .medium, now: start), .wait)
    same(pool.assign(3, priority: .medium, now: start), .wait)
    same(pool.released(1, now: start), .serve(2))
    same(pool.released(1, now: start), .serve(3))
    same(pool.released(1, now: start), .keep)
  }

  @Test func `a connection that declines an exchange closes with the last one that it has`() {
    var pool = pool(connections: 1, idle: [1])
    pool.open.capacityChanged(1, to: 3)
    same(pool.assign(1, priority: .medium, now: start), .use(1))
    same(pool.assign(2, priority: .medium, now: start), .use(1))
    same(pool.assign(3, priority: .medium, now: start), .use(1))
    let isFree = pool.open.decline(1)
    #expect(!isFree)
    same(pool.released(1, now: start), .inUse)
    same(pool.released(1, now: start), .close)
  }

  @Test func `a higher priority goes first`() {
    var pool = pool(connections: 1, idle: [1])
    _ = pool.assign(1, priority: .medium, now: start)
    _ = pool.assign(2, priority: .low, now: start)
    _ = pool.assign(3, priority: .medium, now: start)
    _ = pool.assign(4, priority: .high, now: start)
    same(pool.released(1, now: start), .serve(4))
    same(pool.released(1, now: start), .serve(3))
    same(pool.released(1, now: start), .serve(2))
  }

  @Test func `an exchange that waits for its own connection takes whichever is free first`() {
    var pool = pool(connections: 2, idle: [1])
    _ = pool.assign(1, priority: .medium, now: start)
    same(pool.assign(2, priority: .medium, now: start), .connect(2))
    same(pool.released(1, now: start), .serve(2))
    same(serve(&pool, 2), [])
    #expect(pool.open.idleCount == 1)
  }

  @Test func `a failed attempt fails the exchange that it was for, and no other`() {
    var pool = PoolState(limits: limits(connections: 2))
    same(pool.assign(1, priority: .medium, now: start), .connect(1))
    same(pool.assign(2, priority: .medium, now: start), .connect(2))
    same(pool.failed(1), 1)
    same(serve(&pool, 2), [2])
  }

  @Test func `a failed attempt for an exchange that has been served fails no exchange`() {
    var pool = pool(connections: 2, idle: [1])
    _ = pool.assign(1, priority: .medium, now: start)
    _ = pool.assign(2, priority: .medium, now: start)
    same(pool.released(1, now: start), .serve(2))
    same(pool.failed(2), nil)
  }

  @Test func `when a connection goes, another is opened for the exchanges that wait`() {
    var pool = pool(connections: 1, idle: [1])
    _ = pool.assign(1, priority: .medium, now: start)
    _ = pool.assign(2, priority: .medium, now: start)
    same(pool.openAnother()?.0, nil)
    pool.open.closed(1)
    let another = pool.openAnother()
    #expect(another?.0 == 2)
    #expect(another?.for == 2)
    same(pool.openAnother()?.0, nil)
  }

  @Test func `a cancelled exchange leaves the queue and its slot`() {
    var pool = pool(connections: 1, idle: [1])
    _ = pool.assign(1, priority: .medium, now: start)
    _ = pool.assign(2, priority: .medium, now: start)
    same(pool.cancel(2), true)
    same(pool.cancel(2), false)
    same(pool.released(1, now: start), .keep)
    #expect(pool.waitingCount == 0)
  }

  @Test func `an attempt is spare when the exchange that it was for is gone and no other waits`() {
    var pool = PoolState(limits: limits(connections: 2))
    _ = pool.assign(1, priority: .medium, now: start)
    _ = pool.assign(2, priority: .medium, now: start)
    _ = pool.assign(3, priority: .medium, now: start)
    same(pool.cancel(1), true)
    #expect(pool.orphanedAttempts == [])
    same(pool.cancel(2), true)
    #expect(pool.orphanedAttempts == [2])
  }

  @Test func `an attempt succeeds although every exchange is gone before its own does`() {
    var pool = PoolState(limits: limits(connections: 64), sharing: .exclusive)
    for exchange in 1...30 {
      _ = pool.assign(exchange, priority: .medium, now: start)
      // Each waits for ten times as long as it takes until the next one comes.
      let gone = exchange - 10
      guard gone > 0 else { continue }
      same(pool.cancel(gone), true)
      for spare in pool.orphanedAttempts {
        #expect(spare != 1)
        pool.cancelAttempt(spare)
        same(pool.failed(spare), nil)
      }
    }
    pool.connected(1, capacity: .one, now: start)
    same(pool.next(for: 1, now: start), 21)
  }

  @Test func `an attempt that is kept for others ends with the last of them`() {
    var pool = PoolState(limits: limits(connections: 4), sharing: .exclusive)
    for exchange in 1...3 { _ = pool.assign(exchange, priority: .medium, now: start) }
    same(pool.cancel(1), true)
    #expect(pool.orphanedAttempts == [])
    same(pool.cancel(2), true)
    #expect(pool.orphanedAttempts == [2])
    pool.cancelAttempt(2)
    same(pool.cancel(3), true)
    #expect(pool.orphanedAttempts == [3, 1])
  }

  @Test func `an attempt that is kept for another ends with the failure of that one's own`() {
    var pool = PoolState(limits: limits(connections: 4), sharing: .exclusive)
    for exchange in 1...2 { _ = pool.assign(exchange, priority: .medium, now: start) }
    same(pool.cancel(1), true)
    #expect(pool.orphanedAttempts == [])
    same(pool.failed(2), 2)
    #expect(pool.orphanedAttempts == [1])
  }

  @Test func `an attempt of an exchange that got another connection goes on`() {
    var pool = pool(connections: 3, idle: [1])
    _ = pool.assign(1, priority: .medium, now: start)
    same(pool.assign(2, priority: .medium, now: start), .connect(2))
    same(pool.assign(3, priority: .medium, now: start), .connect(3))
    same(pool.released(1, now: start), .serve(2))
    same(pool.cancel(3), true)
    #expect(pool.orphanedAttempts == [3])
  }

  @Test func `an attempt that is cancelled already does not count as one that suffices`() {
    var pool = PoolState(limits: limits(connections: 2), sharing: .exclusive)
    for exchange in 1...3 { _ = pool.assign(exchange, priority: .medium, now: start) }
    same(pool.cancel(2), true)
    same(pool.cancel(3), true)
    #expect(pool.orphanedAttempts == [2])
    pool.cancelAttempt(2)
    _ = pool.assign(4, priority: .medium, now: start)
    same(pool.cancel(1), true)
    // The exchange 4 needs it.
    #expect(pool.orphanedAttempts == [])
  }

  @Test func `an idle connection expires`() {
    var pool = pool(connections: 1, idle: [1])
    same(pool.open.expired(now: start + .seconds(59)), [])
    #expect(pool.open.nextExpiry == start + .seconds(60))
    same(pool.open.expired(now: start + .seconds(60)), [1])
    #expect(pool.open.idleCount == 0)
  }

  @Test func `an expired connection is never given out`() {
    var pool = pool(connections: 2, idle: [1])
    same(pool.assign(1, priority: .medium, now: start + .seconds(61)), .connect(2))
  }

  @Test func `a connection past its age is closed when it becomes free`() {
    var pool = agingPool()
    _ = pool.assign(1, priority: .medium, now: start)
    _ = serve(&pool, 1)
    same(pool.released(1, now: start + .seconds(10)), .close)
  }

  @Test func `the connection idle longest makes room`() {
    var pool = pool(connections: 2, idle: [1, 2])
    same(pool.open.evict(), 1)
    same(pool.open.evict(), 2)
    same(pool.open.evict(), nil)
  }

  // MARK: Several exchanges on one connection

  @Test func `while the protocol is unknown, one connection is tried for all`() {
    var pool = PoolState(limits: limits(connections: 8), sharing: .unknown)
    same(pool.assign(1, priority: .medium, now: start), .connect(1))
    same(pool.assign(2, priority: .medium, now: start), .wait)
    same(pool.assign(3, priority: .medium, now: start), .wait)
    same(serve(&pool, 1, capacity: .assumed(100)), [1, 2, 3])
    #expect(pool.connectionCount == 1)
  }

  @Test func `a server that turns out to speak HTTP/1 gets a connection for each that waits`() {
    var pool = PoolState(limits: limits(connections: 8), sharing: .unknown)
    for exchange in 1...3 { _ = pool.assign(exchange, priority: .medium, now: start) }
    same(serve(&pool, 1), [1])
    same(pool.openAnother()?.for, 2)
    same(pool.openAnother()?.for, 3)
    same(pool.openAnother()?.for, nil)
  }

  @Test func `a shared connection takes exchanges up to its capacity, and the rest wait for it`() {
    var pool = PoolState(limits: limits(connections: 8), sharing: .shared)
    for exchange in 1...3 { _ = pool.assign(exchange, priority: .medium, now: start) }
    same(serve(&pool, 1, capacity: .assumed(2)), [1, 2])
    // It has not said how much it really carries.
    same(pool.openAnother()?.for, nil)
    pool.open.capacityChanged(1, to: 4)
    same(next(&pool, 1), [3])
    same(pool.assign(4, priority: .medium, now: start), .use(1))
    same(pool.assign(5, priority: .medium, now: start), .connect(2))
    same(pool.assign(6, priority: .medium, now: start), .wait)
  }

  @Test func `a place that becomes free on a shared connection serves an exchange that waits`() {
    var pool = PoolState(limits: limits(connections: 1), sharing: .shared)
    for exchange in 1...3 { _ = pool.assign(exchange, priority: .medium, now: start) }
    _ = serve(&pool, 1, capacity: .announced(2))
    same(pool.released(1, now: start), .serve(3))
    same(pool.released(1, now: start), .inUse)
    same(pool.released(1, now: start), .keep)
    #expect(pool.open.idleCount == 1)
  }

  @Test
  func `a peer that allows fewer streams than are under way gets no more until there is room`() {
    var pool = PoolState(limits: limits(connections: 1), sharing: .shared)
    for exchange in 1...3 { _ = pool.assign(exchange, priority: .medium, now: start) }
    same(serve(&pool, 1, capacity: .assumed(3)), [1, 2, 3])
    pool.open.capacityChanged(1, to: 1)
    same(pool.assign(4, priority: .medium, now: start), .wait)
    same(pool.released(1, now: start), .inUse)
    same(pool.released(1, now: start), .inUse)
    same(pool.released(1, now: start), .serve(4))
  }

  @Test func `where a peer allows nothing for now, no more connections are opened`() {
    var pool = PoolState(limits: limits(connections: 8), sharing: .shared)
    for exchange in 1...3 { _ = pool.assign(exchange, priority: .medium, now: start) }
    same(serve(&pool, 1, capacity: .announced(0)), [])
    same(pool.openAnother()?.for, nil)
    pool.open.capacityChanged(1, to: 2)
    same(next(&pool, 1), [1, 2])
    same(pool.openAnother()?.for, 3)
  }

  @Test func `a retired connection takes no more exchanges and closes after its last`() {
    var pool = PoolState(limits: limits(connections: 8), sharing: .shared)
    for exchange in 1...2 { _ = pool.assign(exchange, priority: .medium, now: start) }
    _ = serve(&pool, 1, capacity: .announced(100))
    pool.open.retire(1)
    #expect(pool.open.carriesExchanges(1))
    same(pool.assign(3, priority: .medium, now: start), .connect(2))
    same(pool.released(1, now: start), .inUse)
    same(pool.released(1, now: start), .close)
  }

  @Test func `a busy connection is preferred to an idle one, so that the idle one may go`() {
    var pool = PoolState(limits: limits(connections: 8), sharing: .shared)
    for exchange in 1...3 { _ = pool.assign(exchange, priority: .medium, now: start) }
    _ = serve(&pool, 1, capacity: .announced(2))
    same(pool.openAnother()?.0, 2)
    _ = serve(&pool, 2, capacity: .announced(2))
    same(pool.released(2, now: start), .keep)
    same(pool.released(1, now: start), .inUse)
    same(pool.assign(4, priority: .medium, now: start), .use(1))
  }

  @Test(arguments: [ConnectionRecord.Capacity.one, .announced(2)])
  func `a connection is good for one exchange, however low the limit on its age`(
    _ capacity: ConnectionRecord.Capacity
  ) {
    var pool = PoolState(
      limits: PoolState.Limits(
        connections: 8, keepAliveDuration: .seconds(60), age: .nanoseconds(0)))
    same(pool.assign(1, priority: .medium, now: start), .connect(1))
    same(serve(&pool, 1, capacity: capacity), [1])
    same(pool.released(1, now: start), .close)
  }

  @Test func `after a failed attempt the others are made side by side`() {
    var pool = PoolState(limits: limits(connections: 8), sharing: .unknown)
    for exchange in 1...3 { _ = pool.assign(exchange, priority: .medium, now: start) }
    same(pool.failed(1), 1)
    same(pool.openAnother()?.for, 2)
    same(pool.openAnother()?.for, 3)
  }

  @Test func `an attempt that was called off says nothing about the server`() {
    var pool = PoolState(limits: limits(connections: 8), sharing: .shared)
    same(pool.assign(1, priority: .medium, now: start), .connect(1))
    same(pool.cancel(1), true)
    #expect(pool.orphanedAttempts == [1])
    pool.cancelAttempt(1)
    for exchange in 2...4 { _ = pool.assign(exchange, priority: .medium, now: start) }
    same(pool.failed(1), nil)
    same(pool.openAnother()?.for, 2)
    same(pool.openAnother()?.for, nil)
  }

  @Test
  func `a connection that takes no more exchanges takes no place, whatever is under way on it`() {
    var pool = PoolState(limits: limits(connections: 1), sharing: .shared)
    same(pool.assign(1, priority: .medium, now: start), .connect(1))
    same(serve(&pool, 1, capacity: .announced(100)), [1])
    pool.open.retire(1)
    #expect(pool.open.carriesExchanges(1))
    pool.open.retire(1)
    #expect(pool.open.carriesExchanges(1))
    same(pool.assign(2, priority: .medium, now: start), .connect(2))
    same(pool.assign(3, priority: .medium, now: start), .wait)
    same(serve(&pool, 2, capacity: .announced(1)), [2])
    pool.open.closed(1)
    same(pool.openAnother()?.for, nil)
  }

  @Test func `a connection past its age finishes what it carries, and takes no place meanwhile`() {
    var pool = agingPool()
    for exchange in 1...2 { _ = pool.assign(exchange, priority: .medium, now: start) }
    same(serve(&pool, 1, capacity: .announced(100)), [1, 2])
    let late = start + .seconds(10)
    #expect(pool.open.nextExpiry == late)
    same(pool.open.expired(now: late), [])
    #expect(pool.open.nextExpiry == nil)
    same(pool.assign(3, priority: .medium, now: late), .connect(2))
    same(pool.released(1, now: late), .inUse)
    same(pool.released(1, now: late), .close)
  }

  @Test func `an exchange that waits for a connection that reaches its age gets another`() {
    var pool = agingPool()
    for exchange in 1...4 { _ = pool.assign(exchange, priority: .medium, now: start) }
    same(serve(&pool, 1, capacity: .announced(2)), [1, 2])
    same(pool.openAnother()?.for, nil)
    same(pool.released(1, now: start + .seconds(9)), .serve(3))
    same(pool.released(1, now: start + .seconds(10)), .inUse)
    same(pool.openAnother()?.for, 4)
  }

  @Test func `a connection that has served no exchange yet has no age`() {
    var pool = agingPool()
    same(pool.assign(1, priority: .medium, now: start), .connect(1))
    pool.connected(1, capacity: .assumed(100), now: start)
    same(pool.open.expired(now: start + .seconds(11)), [])
    same(next(&pool, 1), [1])
  }

  private func agingPool() -> PoolState {
    PoolState(
      limits: PoolState.Limits(connections: 1, keepAliveDuration: .seconds(60), age: .seconds(10)),
      sharing: .shared)
  }

  @Test func `once one connection serves all, what else is being made is not needed`() {
    var pool = PoolState(limits: limits(connections: 8), sharing: .unknown)
    for exchange in 1...4 { _ = pool.assign(exchange, priority: .medium, now: start) }
    same(pool.failed(1), 1)
    for _ in 2...4 { _ = pool.openAnother() }
    same(serve(&pool, 2, capacity: .assumed(2)), [2, 3])
    #expect(pool.spareAttempts == [])
    same(pool.released(2, now: start), .serve(4))
    #expect(pool.spareAttempts.sorted() == [3, 4])
    pool.cancelAttempt(3)
    #expect(pool.spareAttempts == [4])
  }

  @Test func `where a connection carries one exchange, the others that are being made are kept`() {
    var pool = PoolState(limits: limits(connections: 8))
    for exchange in 1...2 { _ = pool.assign(exchange, priority: .medium, now: start) }
    same(serve(&pool, 1), [1])
    _ = pool.cancel(2)
    #expect(pool.spareAttempts == [])
  }

  /// A pool in which the given connections, numbered from 1, are idle.
  private func pool(connections: Int, idle: [ConnectionID]) -> PoolState {
    var pool = PoolState(limits: limits(connections: connections))
    for exchange in idle { _ = pool.assign(-exchange, priority: .medium, now: start) }
    for id in idle { _ = serve(&pool, id) }
    for id in idle { _ = pool.released(id, now: start) }
    return pool
  }
}
