import MartletCore
import NIOCore
import NIOEmbedded
import Testing

@testable import MartletTransport

/// Exchanges that wait in one part of a pool while another part could serve them, step by step.
struct WaitingElsewhereTests {
  /// An origin whose exchanges with a connection are noted.
  private final class Running {
    var exchanges: [Exchange] = []
    var connections: [SimulatedConnection] = []

    func contains(_ exchange: Exchange) -> Bool { exchanges.contains { $0 === exchange } }
  }

  /// An origin in whose first `busy` parts an exchange has the only connection.
  private func start(parts: Int, limit: Int, busy: Int = 1) throws -> (SimulatedOrigin, Running) {
    let origin = try SimulatedOrigin(parts: parts, limit: limit)
    let running = Running()
    origin.onStart = { [running] exchange, connection in
      running.exchanges.append(exchange)
      running.connections.append(connection)
    }
    for part in 0..<busy {
      _ = try origin.begin(in: part)
      origin.endAttempt(0)
    }
    return (origin, running)
  }

  @Test func `a place is not kept for a part whose loop is held up while another part waits`()
    throws
  {
    let (origin, running) = try start(parts: 3, limit: 1)
    let heldUp = try origin.begin(in: 1)
    let other = try origin.begin(in: 2)
    running.connections[0].finish(running.exchanges[0])
    // Part 1 has been asked, and does not answer. A millisecond later, part 2 is asked.
    origin.loops[0].run()
    origin.loops[2].run()
    #expect(!running.contains(other))
    origin.loops[0].advanceTime(by: .milliseconds(1))
    origin.loops[2].run()
    origin.loops[0].run()
    #expect(running.contains(other))
    #expect(!running.contains(heldUp))
  }

  @Test func `a place that is kept for a higher priority is given away when that does not come`()
    throws
  {
    let (origin, running) = try start(parts: 2, limit: 1)
    let own = try origin.begin(in: 0)
    _ = try origin.begin(.high, in: 1)
    running.connections[0].finish(running.exchanges[0])
    origin.loops[0].run()
    #expect(!running.contains(own))
    origin.loops[0].advanceTime(by: .milliseconds(1))
    #expect(running.contains(own))
  }

  @Test func `a part that was refused because of its share opens when the others need no more`()
    throws
  {
    let (origin, _) = try start(parts: 2, limit: 6)
    let others = try (0..<60).map { _ in try origin.begin(in: 1, runs: false) }
    _ = try origin.begin(in: 0)
    #expect(origin.attempts.isEmpty)
    for exchange in others { exchange.cancel() }
    origin.settle()
    #expect(origin.attempts.map(\.part) == [0])
  }

  @Test func `an exchange on its way leaves one with the same number alone`() throws {
    let (origin, _) = try start(parts: 2, limit: 2, busy: 2)
    let moving = try origin.begin(in: 0)
    let other = try origin.begin(in: 1)
    #expect(moving.id == other.id)
    origin.pools[0].give(1, to: origin.pools[1])
    moving.cancel()
    #expect(origin.pools[1].contains(other))
    origin.settle()
    #expect(origin.pools[1].contains(other))
    #expect(origin.pools.parts.load(of: 1).exchanges == 2)
  }

  @Test func `an exchange that begins before it arrives still has its time-outs`() throws {
    let (origin, running) = try start(parts: 2, limit: 2, busy: 2)
    let moving = try origin.begin(in: 0)
    running.connections[1].finish(running.exchanges[1])
    origin.pools[0].give(1, to: origin.pools[1])
    // As when its call is suspended and resumed meanwhile.
    origin.pools[1].submit(moving)
    #expect(running.contains(moving))
    #expect(moving.tickerSlot == nil)
    origin.settle()
    #expect(moving.tickerSlot != nil)
    #expect(running.exchanges.count { $0 === moving } == 1)
  }

  @Test func `suspended exchanges need no places`() throws {
    let (origin, running) = try start(parts: 2, limit: 8)
    running.connections[0].finish(running.exchanges[0])
    for _ in 0..<5 {
      let suspended = try origin.begin(in: 0, runs: false)
      origin.pools[0].addSuspended(suspended)
    }
    #expect(origin.pools.parts.load(of: 0).free == 1)
  }
}
