import Foundation
import MartletCore
import MartletTesting
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import MartletTransport

/// The parts of a pool against random programs: limits hold, nothing is lost, and without delays between the loops the parts
/// begin as many exchanges as one pool does.
@Suite(.timeLimit(.minutes(30)))
struct PartsModelTests {
  /// The steps of all programs together. `MARTLET_MODEL_STEPS=1000000` runs as many as a release asks for.
  private static let steps =
    ProcessInfo.processInfo.environment["MARTLET_MODEL_STEPS"].flatMap { Int($0) } ?? 8_000

  @Test(arguments: 0..<16)
  func `in random programs limits hold and every exchange is served once`(_ seed: Int) throws {
    var program = try RandomProgram(seed: UInt64(seed), parts: [2, 3, 4, 8][seed % 4])
    for _ in 0..<Self.steps / 16 {
      try program.step()
      program.checkLimits()
    }
    try program.drain()
  }

  @Test(arguments: [2, 3, 8])
  func `without delays the parts serve as many exchanges as one pool`(_ count: Int) throws {
    for seed in 0..<10 {
      var random = SeededGenerator(seed: UInt64(seed))
      let limit = Int.random(in: 1...6, using: &random)
      var twins = try [Twin(parts: 1, limit: limit), Twin(parts: count, limit: limit)]
      for step in 0..<200 {
        let operation = Twin.Operation.random(parts: count, &random)
        for index in twins.indices { try twins[index].apply(operation) }
        #expect(twins[0].runningCount == twins[1].runningCount, "seed \(seed), step \(step)")
        #expect(
          twins[0].waitingPriorities == twins[1].waitingPriorities, "seed \(seed), step \(step)")
      }
      for index in twins.indices { try twins[index].end() }
    }
  }
}

/// Random operations on an origin whose loops run in random order.
private struct RandomProgram {
  private var random: SeededGenerator
  private let origin: SimulatedOrigin
  private let running = Running()
  private let limit: Int
  private let total: Int
  private let capacity: ConnectionRecord.Capacity
  private var begun: [Exchange] = []
  private var closing: [SimulatedConnection] = []

  /// The exchanges that have a connection.
  final class Running {
    var pairs: [(exchange: Exchange, connection: SimulatedConnection)] = []
  }

  init(seed: UInt64, parts: Int) throws {
    random = SeededGenerator(seed: seed)
    limit = Int.random(in: 1...6, using: &random)
    total = Int.random(in: 1...8, using: &random)
    let isShared = seed % 3 == 2
    capacity = isShared ? .announced(Int.random(in: 1...5, using: &random)) : .one
    origin = try SimulatedOrigin(
      parts: parts, limit: limit, total: total, versions: isShared ? .http2 : .http1)
    origin.onStart = { [running] exchange, connection in
      running.pairs.append((exchange, connection))
    }
  }

  mutating func step() throws {
    let part = origin.loops.indices.randomElement(using: &random) ?? 0
    switch Int.random(in: 0..<100, using: &random) {
    case ..<25:
      let priority = [Request.Priority.low, .medium, .high].randomElement(using: &random) ?? .low
      begun.append(try origin.begin(priority, own: Bool.random(using: &random) ? part : nil))
    case ..<55: origin.loops[part].run()
    case ..<70: endAttempt(succeeds: Int.random(in: 0..<10, using: &random) > 0)
    case ..<90: finish(isReusable: Int.random(in: 0..<8, using: &random) > 0)
    case ..<94: cancel()
    case ..<96: retire()
    case ..<98: if !closing.isEmpty { closing.removeFirst().close() }
    default: origin.loops[part].advanceTime(by: .milliseconds(1))
    }
  }

  private mutating func endAttempt(succeeds: Bool) {
    guard let index = origin.attempts.indices.randomElement(using: &random) else { return }
    origin.endAttempt(index, succeeds: succeeds, capacity: capacity)
  }

  private mutating func finish(isReusable: Bool) {
    guard let index = running.pairs.indices.randomElement(using: &random) else { return }
    let (exchange, connection) = running.pairs.remove(at: index)
    let isClosing = !isReusable && connection.exchanges.count == 1
    connection.finish(exchange, isReusable: !isClosing)
    if isClosing { closing.append(connection) }
  }

  /// Cancels an exchange that waits, or is on its way to another part, on the loop that has it.
  private mutating func cancel() {
    begun.randomElement(using: &random)?.onLoop { exchange in
      let connections = exchange.pool.connections.values.compactMap { $0 as? SimulatedConnection }
      if !connections.contains(where: { $0.carries(exchange) }) { exchange.cancel() }
    }
  }

  /// Lets a connection take no more exchanges, as after a GOAWAY.
  private mutating func retire() {
    guard let connection = running.pairs.randomElement(using: &random)?.connection else { return }
    connection.pool.retire(connection)
  }

  func checkLimits() {
    let pools = origin.parts
    let limited = pools.reduce(0) { $0 + $1.state.limitedCount }
    #expect(limited <= limit)
    #expect(pools.reduce(0) { $0 + $1.state.connectionCount } <= total)
    for pool in pools {
      #expect(
        origin.pools.parts.parts[pool.part].places.load(ordering: .relaxed)
          == pool.state.open.countedPlaces
      )
      #expect(pool.limit == nil || pool.limitPermits == pool.state.limitedCount)
    }
  }

  /// Begins nothing more, and lets everything end.
  mutating func drain() throws {
    for _ in 0..<begun.count + 100 {
      origin.settle()
      while !closing.isEmpty { closing.removeFirst().close() }
      while !origin.attempts.isEmpty { origin.endAttempt(0, capacity: capacity) }
      while !running.pairs.isEmpty {
        let (exchange, connection) = running.pairs.removeFirst()
        connection.finish(exchange)
      }
    }
    origin.settle()
    let unserved = begun.filter { if case .over = $0.stage { false } else { true } }
    #expect(unserved.isEmpty, "\(unserved.count) exchanges were never served")
    for pool in origin.parts {
      #expect(pool.waiting.isEmpty && pool.state.waitingCount == 0)
      #expect(origin.pools.parts.load(of: pool.part).exchanges == 0)
      #expect(origin.pools.parts.head(of: pool.part) == .none)
    }
    checkLimits()
    origin.shutDown()
  }
}

/// An origin whose loops run at once after each operation, and whose connections are made at once.
private struct Twin {
  enum Operation {
    case begin(Request.Priority, part: Int)
    case finish(Int)

    static func random(parts: Int, _ random: inout SeededGenerator) -> Operation {
      if Bool.random(using: &random) { return .finish(Int.random(in: 0..<100, using: &random)) }
      let priority = [Request.Priority.low, .medium, .high].randomElement(using: &random) ?? .low
      return .begin(priority, part: Int.random(in: 0..<parts, using: &random))
    }
  }

  private let origin: SimulatedOrigin
  private let running = Running()
  private var begun: [Exchange] = []

  /// The exchanges that have a connection, in the order in which they got it.
  private final class Running {
    var pairs: [(exchange: Exchange, connection: SimulatedConnection)] = []
  }

  init(parts: Int, limit: Int) throws {
    origin = try SimulatedOrigin(parts: parts, limit: limit)
    origin.onStart = { [running] in running.pairs.append(($0, $1)) }
  }

  var runningCount: Int { running.pairs.count }

  /// The priorities of the exchanges that wait, the lowest first.
  var waitingPriorities: [Int] {
    origin.parts.flatMap(\.waiting.values).map(\.priority.rawValue).sorted()
  }

  mutating func apply(_ operation: Operation) throws {
    switch operation {
    case .begin(let priority, let part):
      begun.append(try origin.begin(priority, own: origin.loops.count > 1 ? part : 0))
    case .finish(let number):
      guard !running.pairs.isEmpty else { return }
      let (exchange, connection) = running.pairs.remove(at: number % running.pairs.count)
      connection.finish(exchange)
    }
    origin.settle()
    while !origin.attempts.isEmpty {
      origin.endAttempt(0)
      origin.settle()
    }
  }

  /// Lets everything end, and closes the connections, which refer to their pools.
  mutating func end() throws {
    while runningCount > 0 { try apply(.finish(0)) }
    origin.shutDown()
  }
}
