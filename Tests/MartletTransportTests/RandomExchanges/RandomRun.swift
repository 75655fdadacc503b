import MartletTesting
import NIOCore
import NIOEmbedded
import Synchronization

@testable import MartletCore
@testable import MartletTransport

/// The run of a random program, and what must hold after each of its steps.
///
/// All of it runs on one thread, in virtual time: a run of the same program with the same seed is the same in all steps.
final class RandomRun {
  /// What does not hold.
  struct Violation: Error, CustomStringConvertible {
    let rule: String
    let details: String
    var description: String { "not true: \(rule) (\(details))" }
  }

  /// The sums over all parts of a pool.
  struct Counts: Equatable {
    var connections = 0
    var limited = 0
    var waiting = 0
    var seen: [RandomCaller.Seen] = []
  }

  private let network: EmbeddedNetwork
  private let limit: Int
  private let total: Int
  /// Whether the engine is shut down at the end. Otherwise the server closes all connections.
  private let endsWithShutdown: Bool
  private(set) var callers: [RandomCaller] = []

  /// A run on a network that is the same for the same seed.
  init(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed &+ 1)
    limit = Int.random(in: 1...4, using: &random)
    total = Int.random(in: 1...5, using: &random)
    endsWithShutdown = seed % 5 == 0
    network = try EmbeddedNetwork(
      parts: [1, 1, 2, 3][Int(seed % 4)], limit: limit, total: total, isHTTP2: seed % 3 == 0)
  }

  /// Runs a program, lets everything end, and closes everything.
  ///
  /// - Parameters:
  ///   - program: The program.
  ///   - observe: Called with the counts after each step. The default does nothing.
  /// - Throws: `Violation`.
  func run(_ program: [RandomOperation], observe: (Counts) -> Void = { _ in }) throws {
    for operation in program {
      try perform(operation)
      try check()
      observe(counts)
    }
    try answerAll()
    try end()
    observe(counts)
  }

  // MARK: Steps

  private func perform(_ operation: RandomOperation) throws {
    switch operation {
    case .send(let kind, let part):
      let part = network.loops.count > 1 && part % 4 > 0 ? part % network.loops.count : nil
      callers.append(try RandomCaller(kind, of: network.pools, part: part))
    case .cancel(let number): pick(callers, number)?.call.cancel()
    case .cancelTask(let number): pick(callers, number)?.cancelTask()
    case .suspend(let number): pick(callers, number)?.call.suspend()
    case .resume(let number): pick(callers, number)?.call.resume()
    case .connect(let number, let succeeds):
      guard !network.attempts.isEmpty else { return }
      try network.endAttempt(number % network.attempts.count, succeeds: succeeds)
    case .serve(let number, let output):
      guard let peer = pick(network.peers, number) else { return }
      peer.send(peer.bytes(output, number / 7))
    case .setWritable(let number, let isWritable): pick(network.peers, number)?.set(isWritable)
    case .close(let number): if let peer = pick(network.peers, number) { network.close(peer) }
    case .fail(let number):
      if let peer = pick(network.peers, number) { network.close(peer, isReset: true) }
    case .runLoop(let number): network.loops[number % network.loops.count].run()
    case .passTime(let milliseconds): network.pass(.milliseconds(Int64(milliseconds)))
    case .makeRoom: network.directory.makeRoom()
    case .retire(let number):
      // A connection that is idle is closed, not retired.
      let connections = network.parts.flatMap { pool in
        pool.connections.values.filter { !$0.isIdle }.sorted { $0.id < $1.id }.map { (pool, $0) }
      }
      if let (pool, connection) = pick(connections, number) { pool.retire(connection) }
    }
    network.sweep()
  }

  private func pick<Element>(_ elements: [Element], _ number: Int) -> Element? {
    elements.isEmpty ? nil : elements[number % elements.count]
  }

  // MARK: What must hold

  private var counts: Counts {
    network.parts.reduce(into: Counts(seen: callers.map(\.seen))) { counts, pool in
      counts.connections += pool.state.connectionCount
      counts.limited += pool.state.limitedCount
      counts.waiting += pool.state.waitingCount
    }
  }

  private func require(
    _ holds: Bool, _ rule: String, _ details: @autoclosure () -> String = ""
  ) throws {
    if !holds { throw Violation(rule: rule, details: details()) }
  }

  private func check() throws {
    let counts = counts
    try require(counts.limited <= limit, "the limit to an origin holds", "\(counts)")
    try require(counts.connections <= total, "the limit on all connections holds", "\(counts)")
    for pool in network.parts {
      let state = pool.state
      try require(
        state.connectionCount == pool.connections.count + pool.attempts.count,
        "a part counts its connections", "\(state.connectionCount)")
      try require(
        state.waitingCount == pool.waiting.count, "a part counts what waits",
        "\(state.waitingCount), not \(pool.waiting.count)")
      try require(
        state.orphanedAttempts.isEmpty, "a part ends attempts to connect that nothing needs",
        "\(state.orphanedAttempts)")
      try checkPermits(of: pool)
      guard pool.limit != nil else { continue }
      try require(
        pool.limitPermits == state.limitedCount, "a part has a permit for each connection",
        "\(pool.limitPermits) for \(state.limitedCount)")
      try require(
        network.pools.parts.parts[pool.part].places.load(ordering: .relaxed)
          == state.open.countedPlaces,
        "a part publishes its places", "\(state.open.countedPlaces)")
    }
    for (number, seen) in counts.seen.enumerated() {
      try require(!seen.isLost, "no request is lost", "request \(number)")
      try require(seen.ends <= seen.starts, "an attempt ends once", "request \(number): \(seen)")
    }
  }

  /// Checks that a part waits for a permit where it says so, and only for exchanges.
  private func checkPermits(of pool: ConnectionPool) throws {
    let permit = pool.missingPermit
    try require(
      (permit == .ofOrigin) == (pool.limit?.isWaiting(pool) ?? false),
      "a part that lacks a permit of the origin waits for it", "\(permit as Any)")
    try require(
      (permit == .ofAll) == pool.budget.isWaiting(pool),
      "a part that lacks a permit of all waits for it", "\(permit as Any)")
    try require(
      permit == nil || pool.state.needsConnection, "a part waits for a permit only if it needs it")
  }

  /// Lets the server answer every request, and closes nothing: all requests end.
  private func answerAll() throws {
    for _ in 0..<2 * callers.count + 60 {
      for caller in callers { caller.call.resume() }
      while !network.attempts.isEmpty { try network.endAttempt(0, succeeds: true) }
      network.settle()
      for peer in network.peers { peer.answerAll() }
      network.pass(.milliseconds(25))
      network.settle()
      network.sweep()
      try check()
    }
    for (number, caller) in callers.enumerated() {
      let seen = caller.seen
      try require(
        seen.isOver, "a request ends when the server answers", "request \(number): \(seen)")
      try require(
        seen.ends == seen.starts, "each attempt ends", "request \(number): \(seen)")
      try require(caller.exchange == nil, "an exchange is freed", "request \(number): \(seen)")
    }
  }

  /// Ends the connections, and checks that nothing is left.
  private func end() throws {
    if endsWithShutdown { network.directory.shutDown(abandoning: true) }
    for _ in 0..<10 {
      network.settle()
      if !endsWithShutdown {
        for peer in network.peers { network.close(peer, isReset: true) }
      }
      network.sweep()
    }
    try check()
    try require(counts.connections == 0, "all connections end", "\(counts)")
    try require(network.openCount == 0, "a connection is freed", "\(network.openCount) are left")
    for pool in network.parts {
      try require(pool.suspendedExchanges.isEmpty, "no suspended request is left")
      try require(pool.missingPermit == nil, "no pool waits for a permit that it does not need")
      try require(
        network.pools.parts.load(of: pool.part).exchanges == 0, "no part counts a request")
    }
    try require(network.directory.allPools.isEmpty, "the directory forgets pools without work")
    let first = network.parts[0]
    for number in 0...total {
      try require(
        first.budget.acquire(for: first) == (number < total),
        "each permit is returned once", "\(number) of \(total)")
    }
    // The last permit was refused, and the budget would keep the pool that waits for one.
    first.budget.withdraw(first)
  }
}
