import Foundation
import MartletCore
import MartletTesting
import NIOCore
import NIOEmbedded
import Testing

@testable import MartletTransport

/// The parts of a pool under load, on event loops of virtual time. One simulation at a time leaves the processor to other tests.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct PartsSimulationTests {
  @Test(arguments: [1, 2, 4, 8, 16, 32, 64])
  func `bursts are spread evenly, and no part waits while another has a free place`(_ loops: Int)
    async throws
  {
    let load = Simulation.Load(burst: 12 * loops, callers: Array(repeating: 4, count: loops))
    let result = try await Simulation.run(loops: loops, load)
    if ProcessInfo.processInfo.environment["MARTLET_SIMULATION"] != nil { print(result) }
    #expect(result.longestIdling <= .milliseconds(1))
    #expect(result.usage.min > 0.4 && result.usage.max < 0.6)
    #expect(result.wait99 < .milliseconds(1))
    // Each part may open a connection for an exchange that another part serves meanwhile.
    #expect(result.openedCount <= result.neededCount * 5 / 4 + 2 * loops)
  }

  @Test(arguments: [2, 8, 64])
  func `callers on a single loop do not make the others wait`(_ loops: Int) async throws {
    var callers = Array(repeating: 1, count: loops)
    callers[loops / 2] = 12
    let result = try await Simulation.run(loops: loops, .init(burst: 6 * loops, callers: callers))
    #expect(result.longestIdling <= .milliseconds(1))
    #expect(result.wait99 < .milliseconds(1))
  }

  @Test(arguments: [2, 8, 64])
  func `at a limit that is too low all parts share the connections`(_ loops: Int) async throws {
    let load = Simulation.Load(burst: 6 * loops, callers: Array(repeating: 2, count: loops))
    let result = try await Simulation.run(loops: loops, load, limit: 2 * loops)
    #expect(result.longestIdling <= .milliseconds(1))
    #expect(result.openedCount <= 2 * loops)
    // Two connections for each loop: some have one, some four.
    #expect(result.usage.max < 4 * result.usage.min)
  }
}

/// A simulation of an origin under load.
///
/// Each exchange costs its event loop 15 µs when it begins and when it ends. The server takes 100 to 300 µs for an answer,
/// and 3 ms for one in twenty. A connection is made within 200 µs. A loop runs its tasks when it is not occupied, at most
/// every 10 µs.
private final class Simulation {
  struct Load: Sendable {
    /// How many exchanges callers outside of the loops begin together every millisecond.
    var burst: Int
    /// How many callers on each loop begin one exchange after another.
    var callers: [Int]
  }

  struct Result: CustomStringConvertible {
    var loops: Int
    var usage: (min: Double, max: Double)
    var wait99: TimeAmount
    var openedCount: Int
    var neededCount: Int
    var longestIdling: TimeAmount

    var description: String {
      let percent = { (share: Double) in Int((share * 100).rounded()) }
      return """
        | \(loops) | \(percent(usage.min))–\(percent(usage.max)) % | \(wait99.nanoseconds / 1000) µs \
        | \(openedCount) for \(neededCount) | \(longestIdling.nanoseconds / 1000) µs |
        """
    }
  }

  private enum Event {
    case burst
    case connected
    case answered(Exchange, SimulatedConnection)
    case call(loop: Int)
  }

  private static let step = TimeAmount.microseconds(10)
  private static let cost = TimeAmount.microseconds(15)
  private static let duration = TimeAmount.milliseconds(60)

  private let origin: SimulatedOrigin
  private let load: Load
  private var random = SeededGenerator(seed: 7)
  private var now: NIODeadline
  private let start: NIODeadline
  /// The events of each step from now on.
  private var events: [Int: [Event]] = [:]
  private var occupiedUntil: [NIODeadline]
  private var occupied: [TimeAmount]
  private var ownCallers: [ObjectIdentifier: Int] = [:]
  private var waits: [TimeAmount] = []
  private var runningCount = 0
  private var neededCount = 0
  private var idlingSince: [NIODeadline?]
  private var longestIdling = TimeAmount.zero

  init(loops: Int, _ load: Load, limit: Int = 1 << 16) throws {
    origin = try SimulatedOrigin(parts: loops, limit: limit, total: 1 << 16)
    self.load = load
    start = origin.loops[0].now
    now = start
    occupiedUntil = Array(repeating: start, count: loops)
    occupied = Array(repeating: .zero, count: loops)
    idlingSince = Array(repeating: nil, count: loops)
    origin.onStart = { [unowned self] exchange, connection in
      started(exchange, connection)
    }
  }

  /// Runs a simulation on a thread of its own, so that other tests go on meanwhile.
  static func run(loops: Int, _ load: Load, limit: Int = 1 << 16) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          with: Swift.Result { try Simulation(loops: loops, load, limit: limit).run() })
      }
    }
  }

  private func run() throws -> Result {
    schedule(.burst, in: .zero)
    for (loop, count) in load.callers.enumerated() {
      for _ in 0..<count { schedule(.call(loop: loop), in: .microseconds(Int64(loop % 50))) }
    }
    while now < start + Self.duration {
      for event in events.removeValue(forKey: index(now)) ?? [] { try handle(event) }
      runLoops()
      noteIdling()
      now = now + Self.step
    }
    defer { end() }
    return result
  }

  /// Ends what runs, and closes the connections, which refer to their pools.
  private func end() {
    origin.shutDown()
    for case .answered(let exchange, let connection) in events.values.joined() {
      connection.finish(exchange)
    }
    origin.settle()
  }

  private func handle(_ event: Event) throws {
    switch event {
    case .burst:
      for _ in 0..<load.burst { _ = try origin.begin(now: now) }
      schedule(.burst, in: .milliseconds(1))
    case .connected: if !origin.attempts.isEmpty { connect() }
    case .answered(let exchange, let connection):
      let loop = connection.pool.part
      guard isFree(loop) else { return schedule(event, in: Self.step) }
      occupy(loop)
      runningCount -= 1
      connection.finish(exchange)
      if let caller = ownCallers.removeValue(forKey: ObjectIdentifier(exchange)) {
        schedule(
          .call(loop: caller), in: .microseconds(Int64.random(in: 100...600, using: &random)))
      }
    case .call(let loop):
      guard isFree(loop) else { return schedule(event, in: Self.step) }
      let exchange = try origin.begin(own: loop, now: now)
      ownCallers[ObjectIdentifier(exchange)] = loop
    }
  }

  private func connect() {
    origin.endAttempt(0)
  }

  private func started(_ exchange: Exchange, _ connection: SimulatedConnection) {
    waits.append(now - exchange.clock.begin)
    runningCount += 1
    occupy(connection.pool.part)
    let isSlow = Int.random(in: 0..<20, using: &random) == 0
    let time = isSlow ? 3000 : Int64.random(in: 100...300, using: &random)
    schedule(.answered(exchange, connection), in: .microseconds(time))
  }

  /// Runs the tasks of the loops that are not occupied.
  private func runLoops() {
    for (index, loop) in origin.loops.enumerated() where isFree(index) {
      loop.advanceTime(to: now)
    }
    let waiting = origin.parts.reduce(0) { $0 + $1.state.waitingCount }
    neededCount = max(neededCount, runningCount + waiting)
    while begunAttempts < origin.openedCount + origin.attempts.count {
      begunAttempts += 1
      schedule(.connected, in: .microseconds(200))
    }
  }

  private var begunAttempts = 0

  /// Notes how long exchanges have waited in a part while another part had a free place.
  private func noteIdling() {
    let pools = origin.parts
    let free = pools.map { $0.state.open.idleCount > 0 && $0.state.waitingCount == 0 }
    let freeCount = free.count { $0 }
    for (part, pool) in pools.enumerated() {
      guard pool.state.waitingCount > 0, freeCount > 0 else {
        idlingSince[part] = nil
        continue
      }
      let since = idlingSince[part] ?? now
      idlingSince[part] = since
      longestIdling = max(longestIdling, now - since)
    }
  }

  private func isFree(_ loop: Int) -> Bool { occupiedUntil[loop] <= now }

  private func occupy(_ loop: Int) {
    occupiedUntil[loop] = max(occupiedUntil[loop], now) + Self.cost
    occupied[loop] = occupied[loop] + Self.cost
  }

  private func schedule(_ event: Event, in time: TimeAmount) {
    events[max(index(now + time), index(now) + (time == .zero ? 0 : 1)), default: []].append(event)
  }

  private func index(_ time: NIODeadline) -> Int {
    Int((time - start).nanoseconds / Self.step.nanoseconds)
  }

  private var result: Result {
    let shares = occupied.map { Double($0.nanoseconds) / Double(Self.duration.nanoseconds) }
    let sorted = waits.sorted()
    return Result(
      loops: origin.loops.count, usage: (shares.min() ?? 0, shares.max() ?? 0),
      wait99: sorted.isEmpty ? .zero : sorted[sorted.count * 99 / 100],
      openedCount: origin.openedCount, neededCount: neededCount, longestIdling: longestIdling)
  }
}
