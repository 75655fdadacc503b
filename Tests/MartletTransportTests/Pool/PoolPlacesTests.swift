import MartletCore
import NIOCore
import Testing

@testable import MartletTransport

/// How many exchanges the connections of a pool can carry, and which of those that wait get the next place.
struct PoolPlacesTests: PoolStateTesting {
  // MARK: Places

  @Test func `the places of a connection count until it takes no more exchanges`() {
    var pool = shared(connections: 2, waiting: 2)
    _ = serve(&pool, 1, capacity: .announced(100))
    #expect(pool.open.placeCount == 100 && pool.open.countedPlaces == 100)
    #expect(pool.open.roomCount(now: start) == 98)
    pool.open.retire(1)
    // The exchanges on it take the places that it has left.
    #expect(pool.open.placeCount == 0 && pool.open.countedPlaces == 2)
    #expect(pool.open.roomCount(now: start) == 0)
    _ = pool.assign(3, priority: .medium, now: start)
    _ = serve(&pool, 2, capacity: .announced(5))
    #expect(pool.open.placeCount == 5 && pool.open.countedPlaces == 7)
    pool.open.closed(1)
    #expect(pool.open.placeCount == 5 && pool.open.countedPlaces == 5)
    pool.open.closed(2)
    #expect(pool.open.placeCount == 0)
  }

  @Test func `places come and go with what the peer announces`() {
    var pool = shared(connections: 1, waiting: 1)
    _ = serve(&pool, 1, capacity: .announced(2))
    pool.open.capacityChanged(1, to: 4)
    #expect(pool.open.placeCount == 4)
    pool.open.capacityChanged(1, to: 3)
    #expect(pool.open.placeCount == 3)
    pool.open.retire(1)
    pool.open.capacityChanged(1, to: 9)
    #expect(pool.open.placeCount == 0)
  }

  @Test func `a connection that closes takes no other with it`() {
    var pool = shared(connections: 2, waiting: 2)
    _ = serve(&pool, 1, capacity: .announced(1))
    _ = pool.openAnother()
    _ = serve(&pool, 2, capacity: .announced(2))
    pool.open.closed(1)
    same(pool.assign(3, priority: .medium, now: start), .use(2))
    for _ in 2...3 { _ = pool.released(2, now: start) }
    _ = pool.assign(4, priority: .medium, now: start)
    _ = pool.assign(5, priority: .medium, now: start)
    _ = pool.assign(6, priority: .medium, now: start)
    _ = serve(&pool, 3, capacity: .announced(1))
    for id in [2, 2, 3] { _ = pool.released(id, now: start) }
    #expect(pool.open.idleCount == 2)
    pool.open.closed(3)
    #expect(pool.open.idleCount == 1)
    same(pool.assign(7, priority: .medium, now: start), .use(2))
  }

  @Test func `all that take exchanges are idle, whatever the others do`() {
    var pool = shared(connections: 2, waiting: 1)
    _ = serve(&pool, 1, capacity: .announced(1))
    pool.open.retire(1)
    #expect(pool.open.allIdleSince == nil)
    _ = pool.assign(2, priority: .medium, now: start)
    _ = serve(&pool, 2, capacity: .announced(1))
    _ = pool.released(2, now: start)
    #expect(pool.open.allIdleSince == start)
  }

  @Test func `an idle connection expires with its age, if it rests for longer`() {
    var pool = PoolState(
      limits: PoolState.Limits(connections: 1, keepAliveDuration: .seconds(60), age: .seconds(10)))
    _ = pool.assign(1, priority: .medium, now: start)
    _ = serve(&pool, 1)
    _ = pool.released(1, now: start + .seconds(1))
    #expect(pool.open.nextExpiry == start + .seconds(10))
  }

  @Test func `a connection that is gone carries nothing, and is not kept`() {
    var pool = shared(connections: 1, waiting: 2)
    _ = serve(&pool, 1, capacity: .announced(2))
    pool.open.closed(1)
    #expect(!pool.open.carriesExchanges(1))
    same(pool.released(1, now: start), .close)
    let mayBeClosed = pool.open.decline(1)
    #expect(mayBeClosed)
    #expect(pool.open.idleCount == 0)
  }

  // MARK: Who is next

  @Test func `a place that was kept for another part goes to the first that waits`() {
    var pool = PoolState(limits: limits(connections: 1))
    _ = pool.assign(1, priority: .medium, now: start)
    _ = serve(&pool, 1)
    _ = pool.assign(2, priority: .medium, now: start)
    same(pool.released(1, keepsPlace: true, now: start), .keep)
    let next = pool.nextForAnyPlace(now: start)
    #expect(next?.0 == 2 && next?.on == 1)
    _ = pool.released(1, now: start)
    // Where none waits, none takes a place.
    let none = pool.nextForAnyPlace(now: start)
    #expect(none == nil)
    #expect(pool.open.idleCount == 1)
  }

  @Test func `exchanges that are put back come before those that have come since`() {
    var pool = shared(connections: 1, waiting: 3)
    let popped = [pool.popWaiting(), pool.popWaiting()].compactMap(\.self)
    #expect(popped == [1, 2])
    pool.putBack(popped.map { ($0, .medium) })
    #expect(pool.firstWaiting == 1)
    let order = (0..<3).map { _ in pool.popWaiting() }
    #expect(order == [1, 2, 3])
  }

  @Test func `a connection that has closed serves none of those that wait`() {
    var pool = shared(connections: 1, waiting: 2)
    _ = serve(&pool, 1, capacity: .announced(1))
    pool.open.closed(1)
    same(pool.next(for: 1, now: start), nil)
    #expect(pool.waitingCount == 1)
  }

  @Test func `what other parts have shown counts as long as a part has shown nothing itself`() {
    var pool = PoolState(limits: limits(connections: 1), sharing: .unknown)
    pool.learn(.exclusive)
    #expect(pool.sharing == .exclusive)
    pool.learn(.shared)
    #expect(pool.sharing == .exclusive)
  }

  // MARK: New connections

  @Test func `an exchange without an attempt needs a connection, if the limit allows one`() {
    var pool = PoolState(limits: limits(connections: 1))
    same(pool.assign(1, priority: .medium, now: start), .connect(1))
    #expect(!pool.needsConnection)
    pool.withdraw(1)
    #expect(pool.needsConnection)
  }

  @Test func `the attempt of an exchange that was served elsewhere suffices for the next`() {
    var pool = PoolState(limits: limits(connections: 3))
    _ = pool.assign(1, priority: .medium, now: start)
    _ = serve(&pool, 1)
    same(pool.assign(2, priority: .medium, now: start), .connect(2))
    same(pool.released(1, now: start), .serve(2))
    same(pool.assign(3, priority: .medium, now: start), .wait)
  }

  @Test func `no more attempts end with their exchanges than are not needed by others`() {
    var pool = PoolState(limits: limits(connections: 3))
    for exchange in 1...3 { _ = pool.assign(exchange, priority: .medium, now: start) }
    for exchange in 1...3 { _ = pool.cancel(exchange) }
    for exchange in 4...5 { _ = pool.assign(exchange, priority: .medium, now: start) }
    #expect(pool.orphanedAttempts == [3])
  }

  @Test func `attempts that are cancelled serve none of those that wait`() {
    var pool = PoolState(limits: limits(connections: 3))
    for exchange in 1...3 { _ = pool.assign(exchange, priority: .medium, now: start) }
    _ = pool.cancel(3)
    pool.cancelAttempt(3)
    #expect(pool.isCancelled(3) && !pool.isCancelled(2))
    _ = pool.cancel(2)
    _ = pool.assign(4, priority: .medium, now: start)
    #expect(pool.orphanedAttempts == [])
    _ = pool.failed(3)
    #expect(!pool.isCancelled(3))
  }

  // MARK: Shorthands

  /// A pool whose connections carry several exchanges, and the exchanges from 1 on that wait for the first one.
  private func shared(connections: Int, waiting: Int) -> PoolState {
    var pool = PoolState(limits: limits(connections: connections), sharing: .shared)
    for exchange in 1...waiting { _ = pool.assign(exchange, priority: .medium, now: start) }
    return pool
  }
}
