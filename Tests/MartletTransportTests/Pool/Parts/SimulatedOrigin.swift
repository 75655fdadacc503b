import MartletCore
import NIOCore
import NIOEmbedded

@testable import MartletTransport

/// The pools of an origin on event loops with virtual time, and connections without I/O: everything but the network is the
/// engine's own code.
///
/// A loop runs what it has been given only when the test says so, in any order, so that a program of a test decides how the
/// loops overlap.
final class SimulatedOrigin {
  let loops: [EmbeddedEventLoop]
  let directory: PoolDirectory
  let pools: OriginPools
  /// The attempts to connect that have not ended, as part and connection.
  private(set) var attempts: [(part: Int, id: ConnectionID)] = []
  private(set) var openedCount = 0
  /// Called when an exchange gets its connection.
  var onStart: (Exchange, SimulatedConnection) -> Void = { _, _ in }

  init(
    parts: Int, limit: Int, total: Int = 1024,
    versions: HTTPTransportConfiguration.Versions = .http1
  ) throws {
    var configuration = HTTPTransportConfiguration()
    configuration.versions = versions
    configuration.connections.maximumPerOrigin = limit
    configuration.connections.maximumTotal = total
    configuration.proxies = .none
    loops = (0..<parts).map { _ in EmbeddedEventLoop() }
    directory = PoolDirectory(
      configuration, loops: loops, hasVirtualTime: true, outsideWork: OutsideWork())
    pools = try directory.pools(for: Request("http://127.0.0.1/").origin)
    for part in 0..<parts {
      loops[part].advanceTime(by: .seconds(1))
      pools[part].connect = { [unowned self] pool, id, _ in
        attempts.append((pool.part, id))
        return Task {}
      }
    }
  }

  /// The parts, which have all been made.
  var parts: [ConnectionPool] { loops.indices.map { pools[$0] } }

  /// Makes an exchange that begins as soon as the loop of its part runs, or at once if the caller is on that loop.
  func begin(
    _ priority: Request.Priority = .medium, own: Int? = nil, now: NIODeadline? = nil
  ) throws -> Exchange {
    var request = try Request("http://127.0.0.1/")
    if priority != .medium { request.call = Call(priority: priority) }
    let exchange = Exchange(
      request, origin: pools.origin, timeouts: .none, pools: pools, ownPart: own)
    if let now { exchange.clock = ExchangeClock(begin: now) }
    let pool = exchange.pool
    if pool.part == own {
      pool.submit(exchange)
    } else {
      loops[pool.part].execute { pool.submit(exchange) }
    }
    return exchange
  }

  /// Begins an exchange in a given part, whichever would be chosen for it.
  ///
  /// - Parameters:
  ///   - priority: Its priority. The default is `.medium`.
  ///   - part: The part.
  ///   - runs: Whether it is submitted. If not, it is on its way. The default is true.
  /// - Returns: The exchange.
  /// - Throws: What making a request throws.
  func begin(_ priority: Request.Priority = .medium, in part: Int, runs: Bool = true) throws
    -> Exchange
  {
    var request = try Request("http://127.0.0.1/")
    if priority != .medium { request.call = Call(priority: priority) }
    let exchange = Exchange(request, origin: pools.origin, timeouts: .none, pools: pools)
    exchange.clock = ExchangeClock(begin: loops[part].now)
    exchange.leavePart()
    exchange.move(to: pools[part])
    exchange.enterPart()
    if runs { pools[part].submit(exchange) }
    return exchange
  }

  /// Ends an attempt to connect.
  func endAttempt(_ index: Int, succeeds: Bool = true, capacity: ConnectionRecord.Capacity = .one) {
    let (part, id) = attempts.remove(at: index)
    guard succeeds else { return pools[part].attemptFailed(id, .shutDown) }
    openedCount += 1
    pools[part].add(SimulatedConnection(id, of: pools[part], capacity: capacity, onStart: onStart))
  }

  /// Closes the connections that are idle, and lets the timers end.
  func shutDown() {
    directory.shutDown(abandoning: true)
    settle()
    for loop in loops { loop.advanceTime(by: .seconds(1)) }
  }

  /// Runs the tasks of all loops until none has any.
  func settle() {
    // A task of one loop may give another loop a task, three times in a row for one exchange.
    for _ in 0..<8 { for loop in loops { loop.run() } }
  }
}

/// A connection without I/O.
///
/// Unchecked because a test uses it on one thread.
final class SimulatedConnection: PooledConnection, @unchecked Sendable {
  let id: ConnectionID
  let pool: ConnectionPool
  let capacity: ConnectionRecord.Capacity
  private(set) var exchanges: [Exchange] = []
  private(set) var isClosed = false
  private let onStart: (Exchange, SimulatedConnection) -> Void

  init(
    _ id: ConnectionID, of pool: ConnectionPool, capacity: ConnectionRecord.Capacity,
    onStart: @escaping (Exchange, SimulatedConnection) -> Void
  ) {
    self.id = id
    self.pool = pool
    self.capacity = capacity
    self.onStart = onStart
  }

  var info: ConnectionInfo {
    ConnectionInfo(
      protocolName: "http/1.1", localAddress: nil, remoteAddress: nil, resolveDuration: nil,
      connectDuration: .zero, tlsDuration: nil, tlsVersion: nil)
  }
  var isIdle: Bool { exchanges.isEmpty }
  var setupError: MartletError? { nil }
  var isSocketOpen: Bool { true }

  func start(_ exchange: Exchange) {
    exchanges.append(exchange)
    // The ticker would find that no codec carries it.
    pool.ticker.remove(exchange)
    onStart(exchange, self)
  }

  func carries(_ exchange: Exchange) -> Bool { exchanges.contains { $0 === exchange } }

  func becomeIdle() {}

  func close() {
    guard !isClosed else { return }
    isClosed = true
    pool.closed(self)
  }

  func shutDown(abandoning: Bool) {
    if exchanges.isEmpty { close() }
  }

  /// Ends an exchange in the order in which the engine does. A connection that cannot be reused closes when the test calls
  /// `close()`, as TLS takes its time.
  func finish(_ exchange: Exchange, isReusable: Bool = true) {
    exchanges.removeAll { $0 === exchange }
    exchange.leavePart()
    if isReusable { pool.released(self) } else { pool.retire(self) }
    exchange.end(.shutDown)
  }
}
