import MartletCore
import NIOCore

/// Names one exchange for as long as it waits.
typealias ExchangeID = Int
/// Names one connection of a pool.
typealias ConnectionID = Int

/// Which exchange gets which connection: the decisions of one origin's pool, without any I/O.
///
/// An exchange is given, in this order:
/// 1. a place on a connection that carries several exchanges and is at work;
/// 2. the idle connection used last, unless it is too old;
/// 3. a new connection, if the limits allow and no connection that is being made will do;
/// 4. a place in the queue.
/// An exchange that waits for its new connection stands in the queue as well, so that whatever becomes free
/// earlier serves it.
struct PoolState {
  struct Limits {
    var connections: Int
    var keepAliveDuration: TimeAmount
    var age: TimeAmount?
  }

  /// How many exchanges a connection to this origin carries at once.
  enum Sharing {
    /// The first connection will tell, so there is one attempt at a time.
    case unknown
    /// One (HTTP/1.1).
    case exclusive
    /// Several (HTTP/2).
    case shared
  }

  /// What to do for an exchange.
  enum Assignment: Equatable {
    case use(ConnectionID)
    case connect(ConnectionID)
    case wait
  }

  /// What to do with a connection when one of its exchanges is over.
  enum Release: Equatable {
    case serve(ExchangeID)
    /// Others are under way on it.
    case inUse
    case keep
    case close
  }

  private struct Idle {
    var id: ConnectionID
    var since: NIODeadline
  }

  let limits: Limits
  private var sharing: Sharing
  private var open: [ConnectionID: ConnectionRecord] = [:]
  /// How many of those take no more exchanges.
  private var retiredCount = 0
  private var idle: [Idle] = []
  /// Connections that carry some exchanges and may have room for more.
  private var activeConnections: [ConnectionID] = []
  private var attempts: [ConnectionID: ExchangeID] = [:]
  private var cancelledAttempts: Set<ConnectionID> = []
  /// The last attempt failed: the next are made side by side, so that no exchange waits for another's time-out.
  private var isFailing = false
  private var queue = WaitingQueue()
  private var nextConnection = 0

  init(limits: Limits, sharing: Sharing = .exclusive) {
    self.limits = limits
    self.sharing = sharing
  }

  /// Connections that are open or being made.
  var connectionCount: Int { open.count + attempts.count }
  var idleCount: Int { idle.count }
  var waitingCount: Int { queue.count }
  var isEmpty: Bool { connectionCount == 0 && queue.count == 0 }
  /// When the next idle connection must go, or one at work comes to its age.
  var nextExpiry: NIODeadline? {
    (idle.map { expiry(of: $0) } + activeConnections.compactMap { end(of: $0) }).min()
  }

  /// Since when all connections that take exchanges are idle, if there are any. An exchange that waits all the
  /// same waits for a place on them that the server does not allow for now.
  var allIdleSince: NIODeadline? {
    idle.count == open.count - retiredCount ? idle.lazy.map(\.since).max() : nil
  }

  // MARK: Exchanges

  mutating func assign(_ exchange: ExchangeID, priority: Request.Priority, now: NIODeadline)
    -> Assignment
  {
    if let id = room(now: now) { return .use(id) }
    queue.append(exchange, priority: priority)
    guard mayConnect else { return .wait }
    return .connect(connect(for: exchange))
  }

  /// Forgets an exchange that waits no longer; whether it did.
  mutating func cancel(_ exchange: ExchangeID) -> Bool {
    queue.remove(exchange)
  }

  /// The attempt that was begun for an exchange that is gone, when those who still wait have enough others.
  func spareAttempt(of exchange: ExchangeID) -> ConnectionID? {
    guard attempts.count > queue.count else { return nil }
    return attempts.first { $0.value == exchange }?.key
  }

  /// The attempts that are not needed any more, since one connection serves all exchanges that wait.
  var spareAttempts: [ConnectionID] {
    guard sharing == .shared, queue.count == 0 else { return [] }
    return attempts.keys.filter { !cancelledAttempts.contains($0) }
  }

  // MARK: Connections

  /// A connection has been made that carries `capacity` exchanges at once, as far as is known yet;
  /// `next(for:)` gives the exchanges that wait and have room on it.
  mutating func connected(_ id: ConnectionID, capacity: ConnectionRecord.Capacity, now: NIODeadline)
  {
    attempts[id] = nil
    cancelledAttempts.remove(id)
    isFailing = false
    sharing = capacity == .one ? .exclusive : .shared
    open[id] = ConnectionRecord(openedAt: now, capacity: capacity)
    idle.append(Idle(id: id, since: now))
  }

  /// The next exchange in line, if the connection has room for it; the place is taken.
  mutating func next(for id: ConnectionID, now: NIODeadline) -> ExchangeID? {
    guard queue.count > 0, hasRoom(id, now: now) else { return nil }
    occupy(id)
    return queue.popFirst()
  }

  /// An attempt is called off, which says nothing about the server.
  mutating func cancelAttempt(_ id: ConnectionID) {
    cancelledAttempts.insert(id)
  }

  /// A connection could not be made: the exchange that it was for, if that exchange still waits.
  mutating func failed(_ id: ConnectionID) -> ExchangeID? {
    if cancelledAttempts.remove(id) == nil { isFailing = true }
    guard let exchange = attempts.removeValue(forKey: id), queue.remove(exchange) else {
      return nil
    }
    return exchange
  }

  /// One of a connection's exchanges is over and the connection can carry another.
  mutating func released(_ id: ConnectionID, now: NIODeadline) -> Release {
    guard var connection = open[id] else { return .close }
    connection.activeExchangeCount -= 1
    open[id] = connection
    if connection.isRetired || isTooOld(id, now) { return retire(id) ? .close : .inUse }
    if connection.hasRoom, let exchange = queue.popFirst() {
      open[id]?.activeExchangeCount += 1
      return .serve(exchange)
    }
    guard connection.activeExchangeCount == 0 else { return .inUse }
    activeConnections.removeAll { $0 == id }
    idle.append(Idle(id: id, since: now))
    return .keep
  }

  /// The peer has said how many exchanges a connection carries at once.
  mutating func capacityChanged(_ id: ConnectionID, to count: Int) {
    open[id]?.capacity = .announced(count)
  }

  /// A connection takes no more exchanges; whether it has none now, so that it may close.
  mutating func retire(_ id: ConnectionID) -> Bool {
    if open[id]?.isRetired == false {
      open[id]?.isRetired = true
      retiredCount += 1
    }
    idle.removeAll { $0.id == id }
    activeConnections.removeAll { $0 == id }
    return open[id]?.activeExchangeCount == 0
  }

  /// A connection is gone.
  mutating func closed(_ id: ConnectionID) {
    if open.removeValue(forKey: id)?.isRetired == true { retiredCount -= 1 }
    idle.removeAll { $0.id == id }
    activeConnections.removeAll { $0 == id }
  }

  /// Another connection for those who wait, if what is being made will not do for them.
  mutating func openAnother() -> (ConnectionID, for: ExchangeID)? {
    guard mayConnect, let exchange = queue.first(where: { !isAttempted($0) }) else { return nil }
    return (connect(for: exchange), for: exchange)
  }

  /// A connection may not be made after all; its exchange stays in line.
  mutating func withdraw(_ id: ConnectionID) {
    attempts[id] = nil
  }

  /// The idle connections whose time is over; they are the caller's to close. Those that are at work finish
  /// that, and take no place meanwhile.
  mutating func expired(now: NIODeadline) -> [ConnectionID] {
    for id in activeConnections where isTooOld(id, now) { _ = retire(id) }
    let gone = idle.filter { !isFresh($0, now: now) }.map(\.id)
    for id in gone { _ = retire(id) }
    return gone
  }

  /// Whether there is an idle connection.
  var hasIdle: Bool { !idle.isEmpty }

  /// The connection that has been idle longest, taken out to make room elsewhere.
  mutating func evict() -> ConnectionID? {
    guard let id = idle.first?.id else { return nil }
    _ = retire(id)
    return id
  }

  // MARK: Room

  /// Takes a place on a connection that has one.
  private mutating func room(now: NIODeadline) -> ConnectionID? {
    if let id = activeConnections.first(where: { hasRoom($0, now: now) }) {
      open[id]?.activeExchangeCount += 1
      return id
    }
    // What is not fresh any more stays idle until `expired` takes it out.
    guard let index = idle.lastIndex(where: { isFresh($0, now: now) && hasRoom($0.id, now: now) })
    else { return nil }
    let id = idle[index].id
    occupy(id)
    return id
  }

  private func hasRoom(_ id: ConnectionID, now: NIODeadline) -> Bool {
    open[id].map { $0.hasRoom && !isTooOld(id, now) } ?? false
  }

  private mutating func occupy(_ id: ConnectionID) {
    if open[id]?.activeExchangeCount == 0 {
      // The idle connection used last is at the end.
      if let index = idle.lastIndex(where: { $0.id == id }) { idle.remove(at: index) }
      if open[id]?.capacity != .one { activeConnections.append(id) }
    }
    open[id]?.activeExchangeCount += 1
    open[id]?.hasServed = true
  }

  /// Whether those who wait need more than what is being made. A connection that is retired takes no place: a
  /// long download may be under way on it.
  private var mayConnect: Bool {
    guard connectionCount - retiredCount < limits.connections else { return false }
    if sharing == .exclusive || isFailing { return queue.count > attempts.count }
    // One attempt, or one connection that has not said yet how much it carries, may do for all; and
    // where one may carry nothing for now, others would not, either.
    return queue.count > 0 && attempts.isEmpty && !open.values.contains { $0.isCapacityPending }
  }

  private mutating func connect(for exchange: ExchangeID) -> ConnectionID {
    nextConnection += 1
    attempts[nextConnection] = exchange
    return nextConnection
  }

  /// Whether a connection is being made for an exchange.
  func isAttempted(_ exchange: ExchangeID) -> Bool {
    attempts.values.contains(exchange)
  }

  // MARK: Age

  private func isFresh(_ candidate: Idle, now: NIODeadline) -> Bool {
    expiry(of: candidate) > now
  }

  private func expiry(of candidate: Idle) -> NIODeadline {
    let rested = candidate.since + limits.keepAliveDuration
    return end(of: candidate.id).map { min(rested, $0) } ?? rested
  }

  /// When a connection that has served an exchange is too old.
  private func end(of id: ConnectionID) -> NIODeadline? {
    guard let age = limits.age, let connection = open[id], connection.hasServed else { return nil }
    return connection.openedAt + age
  }

  private func isTooOld(_ id: ConnectionID, _ now: NIODeadline) -> Bool {
    end(of: id).map { $0 <= now } ?? false
  }
}
