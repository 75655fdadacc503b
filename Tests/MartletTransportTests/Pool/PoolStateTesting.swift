import MartletCore
import NIOCore

@testable import MartletTransport

/// What the tests of a pool's state share.
protocol PoolStateTesting {}

extension PoolStateTesting {
  var start: NIODeadline { .uptimeNanoseconds(1_000_000_000) }

  func limits(connections: Int) -> PoolState.Limits {
    PoolState.Limits(connections: connections, keepAliveDuration: .seconds(60), age: nil)
  }

  /// A connection has been made: the exchanges that it serves.
  func serve(
    _ pool: inout PoolState, _ id: ConnectionID, capacity: ConnectionRecord.Capacity = .one
  ) -> [ExchangeID] {
    pool.connected(id, capacity: capacity, now: start)
    return next(&pool, id)
  }

  /// The exchanges that are served by the room that a connection has.
  func next(_ pool: inout PoolState, _ id: ConnectionID) -> [ExchangeID] {
    var served: [ExchangeID] = []
    while let exchange = pool.next(for: id, now: start) { served.append(exchange) }
    return served
  }
}
