import EssentialFoundation
import HTTPTypes
import MartletTesting
import NIOCore
import NIOEmbedded

@testable import MartletCore
@testable import MartletTransport

/// The run of a random program, and what must hold after each of its steps.
final class RandomRun {
  /// What does not hold.
  struct Violation: Error, CustomStringConvertible {
    let description: String
  }

  /// A request, and what was reported about it.
  private final class Sent {
    let call = Call()
    weak var exchange: Exchange?
    private let events = Locked((starts: 0, finishes: 0, failures: 0, retries: 0))

    init() {
      call.observe { [events] event in
        switch event.kind {
        case .attemptStarted: events.withLock { $0.starts += 1 }
        case .attemptFinished: events.withLock { $0.finishes += 1 }
        case .attemptFailed: events.withLock { $0.failures += 1 }
        case .retrying: events.withLock { $0.retries += 1 }
        default: break
        }
      }
    }

    var starts: Int { events.current.starts }
    var finishes: Int { events.current.finishes }
    var ends: Int { events.current.finishes + events.current.failures }
    var retries: Int { events.current.retries }
  }

  private let network: EmbeddedNetwork
  private let limit: Int
  private let total: Int
  private var sent: [Sent] = []

  /// A run on a network that is the same for the same seed.
  init(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed &+ 1)
    limit = Int.random(in: 1...4, using: &random)
    total = Int.random(in: 1...5, using: &random)
    network = try EmbeddedNetwork(
      parts: [1, 1, 2, 3][Int(seed % 4)], limit: limit, total: total, isHTTP2: seed % 3 == 0)
  }

  /// Runs a program, and lets everything end.
  ///
  /// - Throws: `Violation`.
  func run(_ program: [RandomOperation]) throws {
    for operation in program {
      try perform(operation)
      try check()
    }
    try drain()
  }

  /// How many requests were sent, answered and sent again.
  var counts: (sent: Int, answered: Int, retried: Int) {
    (sent.count, sent.count { $0.finishes > 0 }, sent.count { $0.retries > 0 })
  }

  // MARK: Steps

  private func perform(_ operation: RandomOperation) throws {
    switch operation {
    case .send(let kind, let part): try send(kind, in: part % network.loops.count)
    case .cancel(let number): pick(sent, number)?.call.cancel()
    case .suspend(let number): pick(sent, number)?.call.suspend()
    case .resume(let number): pick(sent, number)?.call.resume()
    case .connect(let number, let succeeds):
      guard !network.attempts.isEmpty else { return }
      try network.endAttempt(number % network.attempts.count, succeeds: succeeds)
    case .speak(let number, let speech):
      guard let peer = pick(network.peers, number) else { return }
      peer.say(peer.bytes(speech, number / 7))
    case .close(let number): if let peer = pick(network.peers, number) { network.close(peer) }
    case .fail(let number):
      if let peer = pick(network.peers, number) { network.close(peer, isReset: true) }
    case .runLoop(let number): network.loops[number % network.loops.count].run()
    case .passTime(let milliseconds):
      for loop in network.loops { loop.advanceTime(by: .milliseconds(Int64(milliseconds))) }
    case .makeRoom: network.directory.makeRoom()
    case .retire(let number):
      let connections = network.parts.flatMap { pool in
        pool.connections.values.sorted { $0.id < $1.id }.map { (pool, $0) }
      }
      if let (pool, connection) = pick(connections, number) { pool.retire(connection) }
    }
    network.sweep()
  }

  private func pick<Element>(_ elements: [Element], _ number: Int) -> Element? {
    elements.isEmpty ? nil : elements[number % elements.count]
  }

  private func send(_ kind: RandomOperation.Kind, in part: Int) throws {
    var request = try Request(kind.method, "http://127.0.0.1/")
    request.body = kind.body
    if let delivery = kind.delivery { request.delivery = delivery }
    if kind == .expecting { request.headers[.expect] = "100-continue" }
    let sent = Sent()
    request.call = sent.call
    let exchange = Exchange(
      request, origin: network.pools.origin, timeouts: .none, pools: network.pools,
      ownPart: network.loops.count > 1 ? part : nil)
    sent.exchange = exchange
    self.sent.append(sent)
    network.loops[exchange.pool.part].execute { exchange.begin(nil) }
  }

  // MARK: What must hold

  private func require(_ holds: Bool, _ sentence: @autoclosure () -> String) throws {
    if !holds { throw Violation(description: sentence()) }
  }

  private func check() throws {
    let pools = network.parts
    let limited = pools.reduce(0) { $0 + $1.state.limitedCount }
    let open = pools.reduce(0) { $0 + $1.state.connectionCount }
    try require(limited <= limit, "\(limited) connections of at most \(limit) to the origin")
    try require(open <= total, "\(open) connections of at most \(total) in all")
    for sent in sent {
      try require(sent.ends <= sent.starts, "\(sent.ends) ends of \(sent.starts) attempts")
    }
  }

  /// Lets all that is under way end, and checks that nothing is left.
  private func drain() throws {
    for sent in sent { sent.call.resume() }
    for _ in 0..<sent.count + 20 {
      network.settle()
      while !network.attempts.isEmpty { try network.endAttempt(0, succeeds: false) }
      for peer in network.peers { network.close(peer, isReset: true) }
      network.sweep()
    }
    for loop in network.loops { loop.advanceTime(by: .seconds(120)) }
    network.settle()
    try check()
    for (number, sent) in sent.enumerated() {
      try require(
        sent.starts > 0 && sent.ends == sent.starts,
        "request \(number) has \(sent.ends) ends of \(sent.starts) attempts")
      try require(sent.exchange == nil, "request \(number) has left its exchange")
    }
    for pool in network.parts {
      try require(
        pool.connections.isEmpty && pool.state.connectionCount == 0, "a connection is left")
      try require(pool.waiting.isEmpty && pool.state.waitingCount == 0, "a waiting request is left")
      try require(pool.suspendedExchanges.isEmpty, "a suspended request is left")
      try require(!pool.isWaitingForBudget, "a pool waits for a permit that it does not need")
      try require(
        network.pools.parts.load(of: pool.part).exchanges == 0, "part \(pool.part) counts a request"
      )
    }
    let first = network.parts[0]
    for _ in 0..<total {
      try require(first.budget.acquire(for: first), "a permit has not been returned")
    }
  }
}

extension RandomOperation.Kind {
  fileprivate var method: HTTPRequest.Method {
    switch self {
    case .get, .stream, .discard: .get
    case .post, .upload, .expecting: .post
    }
  }

  fileprivate var body: RequestBody {
    switch self {
    case .get, .stream, .discard: .empty
    case .post, .expecting: .text("abc")
    case .upload: .bytes(ByteBuffer(repeating: 0x78, count: 200_000))
    }
  }

  fileprivate var delivery: Delivery? {
    switch self {
    case .stream: Delivery(.stream)
    case .discard: Delivery(.discard)
    default: nil
    }
  }
}
