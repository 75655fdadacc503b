import MartletCore
import NIOCore

/// Identifies an exchange while it waits.
typealias ExchangeID = Int
/// Identifies a connection of a pool.
typealias ConnectionID = Int

/// Decides which exchange gets which connection of one origin's pool, without any I/O.
///
/// An exchange gets the first of these that is available:
/// 1. a place on an active connection that carries several exchanges;
/// 2. the idle connection that was used last, unless it is too old;
/// 3. a new connection, if the limits allow it and the connections that are being made do not suffice;
/// 4. a place in the queue.
///
/// An exchange that waits for its new connection is in the queue as well, so that a connection that becomes free
/// earlier serves it.
struct PoolState {
  struct Limits {
    var connections: Int
    var keepAliveDuration: TimeAmount
    var age: TimeAmount?
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
    /// Other exchanges are under way on it.
    case inUse
    case keep
    case close
  }

  private struct Idle {
    var id: ConnectionID
    var since: NIODeadline
  }

  let limits: Limits
  private(set) var sharing: Sharing
  private var open = NumberedTable<ConnectionRecord>()
  /// How many of the open connections take no more exchanges.
  private var retiredCount = 0
  /// How many exchanges the open connections carry at once, without the retired ones.
  private(set) var placeCount = 0
  private var idle: [Idle] = []
  /// Connections that carry some exchanges and may have room for more.
  private var activeConnections: [ConnectionID] = []
  private var attempts = ConnectionAttempts()
  private var queue = WaitingQueue()

  init(limits: Limits, sharing: Sharing = .exclusive) {
    self.limits = limits
    self.sharing = sharing
  }

  /// The number of connections that are open or being made.
  var connectionCount: Int { open.count + attempts.count }
  /// The number of connections that count towards the limit: those that take exchanges or are being made.
  var limitedCount: Int { connectionCount - retiredCount }
  /// The places of the connections that take exchanges, and the exchanges on those that take no more. Minus all
  /// exchanges, these are the free places.
  var countedPlaces: Int {
    guard retiredCount > 0 else { return placeCount }
    let retired = open.entries.lazy.map(\.value).filter(\.isRetired)
    return retired.reduce(placeCount) { $0 + $1.activeExchangeCount }
  }
  var idleCount: Int { idle.count }
  var waitingCount: Int { queue.count }
  var isEmpty: Bool { connectionCount == 0 && queue.count == 0 }
  /// When the next idle connection expires, or the next active one reaches its maximum age.
  var nextExpiry: NIODeadline? {
    let maximumAges = activeConnections.compactMap { maximumAgeDeadline(of: $0) }
    return (idle.map { expiry(of: $0) } + maximumAges).min()
  }

  /// When all connections that take exchanges became idle; `nil` if they are not, or there are none.
  ///
  /// If an exchange waits even then, the server allows no exchanges on these connections for now.
  var allIdleSince: NIODeadline? {
    idle.count == open.count - retiredCount ? idle.lazy.map(\.since).max() : nil
  }

  /// What a connection does; `nil` if it is not open.
  func activity(of id: ConnectionID, now: NIODeadline)
    -> (state: EngineSnapshot.Connection.State, age: Duration, count: Int, capacity: Int)?
  {
    guard let connection = open[id] else { return nil }
    let rest = idle.first { $0.id == id }
    let state: EngineSnapshot.Connection.State =
      rest.map { .idle(for: Duration(now - $0.since)) }
      ?? (connection.isRetired ? .closing : .active)
    return (
      state, Duration(now - connection.openedAt), connection.activeExchangeCount,
      connection.capacity.count
    )
  }

  // MARK: Exchanges

  /// Decides what an exchange gets.
  ///
  /// - Parameters:
  ///   - exchange: The exchange.
  ///   - priority: Its priority.
  ///   - isFirst: Whether it comes before all others of its priority, if it has to wait. The default is false.
  ///   - now: The current time.
  /// - Returns: What to do for it.
  mutating func assign(
    _ exchange: ExchangeID, priority: Request.Priority, isFirst: Bool = false, now: NIODeadline
  ) -> Assignment {
    // A place may be kept for an exchange of another part, which comes before those that wait.
    if queue.count == 0 || isFirst, let id = takePlace(now: now) { return .use(id) }
    queue.add(exchange, priority: priority, isFirst: isFirst)
    guard mayConnect else { return .wait }
    return .connect(attempts.begin(for: exchange))
  }

  /// Removes an exchange from the queue; returns whether it was waiting.
  mutating func cancel(_ exchange: ExchangeID) -> Bool {
    attempts.removed(exchange)
    return queue.remove(exchange)
  }

  /// The exchange that is served next.
  var firstWaiting: ExchangeID? { queue.count > 0 ? queue.first { _ in true } : nil }

  /// Removes the exchange that is served next.
  mutating func popWaiting() -> ExchangeID? {
    queue.popFirst()
  }

  /// Puts exchanges back that `popWaiting()` has removed, in the order in which they were removed.
  mutating func putBack(_ exchanges: [(id: ExchangeID, priority: Request.Priority)]) {
    for exchange in exchanges.reversed() {
      queue.add(exchange.id, priority: exchange.priority, isFirst: true)
    }
  }

  /// Takes over what the connections of other parts have shown, while this part has had none.
  mutating func learn(_ sharing: Sharing) {
    if self.sharing == .unknown { self.sharing = sharing }
  }

  /// The attempts of exchanges that were removed, as far as no other exchange needs them.
  var orphanedAttempts: [ConnectionID] { attempts.orphans(waiting: queue.count) }

  /// The attempts that are no longer needed: connections carry several exchanges, and no exchange waits.
  var spareAttempts: [ConnectionID] {
    guard sharing == .shared, queue.count == 0 else { return [] }
    return attempts.live
  }

  // MARK: Connections

  /// Adds a connection that carries `capacity` exchanges at once, as far as is known yet.
  ///
  /// `next(for:)` returns the waiting exchanges that it has room for.
  mutating func connected(_ id: ConnectionID, capacity: ConnectionRecord.Capacity, now: NIODeadline)
  {
    attempts.succeeded(id)
    sharing = capacity == .one ? .exclusive : .shared
    open[id] = ConnectionRecord(openedAt: now, capacity: capacity)
    placeCount += capacity.count
    idle.append(Idle(id: id, since: now))
  }

  /// Takes the next exchange from the queue and a place on the connection, if it has room.
  mutating func next(for id: ConnectionID, now: NIODeadline) -> ExchangeID? {
    guard queue.count > 0, hasRoom(id, now: now) else { return nil }
    occupy(id)
    return queue.popFirst()
  }

  /// Takes the next exchange from the queue and a place on any connection that has room.
  mutating func nextForAnyPlace(now: NIODeadline) -> (ExchangeID, on: ConnectionID)? {
    guard queue.count > 0, let id = takePlace(now: now), let exchange = queue.popFirst() else {
      return nil
    }
    return (exchange, on: id)
  }

  /// Notes that an attempt is cancelled, so that its end does not count as a failure.
  mutating func cancelAttempt(_ id: ConnectionID) {
    attempts.cancel(id)
  }

  /// Whether an attempt is cancelled, so that its connection cannot be used.
  func isCancelled(_ id: ConnectionID) -> Bool { attempts.isCancelled(id) }

  /// Removes a failed attempt, and its exchange from the queue; returns the exchange if it was still waiting.
  mutating func failed(_ id: ConnectionID) -> ExchangeID? {
    guard let exchange = attempts.failed(id), queue.remove(exchange) else { return nil }
    return exchange
  }

  /// Handles the end of an exchange on a connection that can carry another.
  ///
  /// - Parameters:
  ///   - id: The connection.
  ///   - keepsPlace: Whether the place is kept for an exchange of another part. The default is false.
  ///   - now: The current time.
  /// - Returns: What to do with the connection.
  mutating func released(_ id: ConnectionID, keepsPlace: Bool = false, now: NIODeadline) -> Release
  {
    guard var connection = open[id] else { return .close }
    connection.activeExchangeCount -= 1
    open[id] = connection
    if connection.isRetired || isTooOld(id, now) { return retire(id) ? .close : .inUse }
    if !keepsPlace, connection.hasRoom, let exchange = queue.popFirst() {
      open[id]?.activeExchangeCount += 1
      return .serve(exchange)
    }
    guard connection.activeExchangeCount == 0 else { return .inUse }
    activeConnections.removeAll { $0 == id }
    idle.append(Idle(id: id, since: now))
    return .keep
  }

  /// Sets how many exchanges a connection carries at once, as announced by the peer.
  mutating func capacityChanged(_ id: ConnectionID, to count: Int) {
    guard let connection = open[id] else { return }
    if !connection.isRetired { placeCount += count - connection.capacity.count }
    open[id]?.capacity = .announced(count)
  }

  /// Takes back an exchange that was assigned to a connection that cannot carry it, and retires the connection; returns
  /// whether it has no exchanges now, so that it may be closed.
  mutating func decline(_ id: ConnectionID) -> Bool {
    open[id]?.activeExchangeCount -= 1
    return retire(id)
  }

  /// Gives a connection no more exchanges; returns whether it has none now, so that it may be closed.
  mutating func retire(_ id: ConnectionID) -> Bool {
    if let connection = open[id], !connection.isRetired {
      open[id]?.isRetired = true
      retiredCount += 1
      placeCount -= connection.capacity.count
    }
    idle.removeAll { $0.id == id }
    activeConnections.removeAll { $0 == id }
    return open[id]?.activeExchangeCount == 0
  }

  /// Removes a closed connection.
  mutating func closed(_ id: ConnectionID) {
    if let connection = open.removeValue(forKey: id) {
      if connection.isRetired { retiredCount -= 1 } else { placeCount -= connection.capacity.count }
    }
    idle.removeAll { $0.id == id }
    activeConnections.removeAll { $0 == id }
  }

  /// Begins another connection for waiting exchanges, if those being made do not suffice.
  mutating func openAnother() -> (ConnectionID, for: ExchangeID)? {
    guard let exchange = exchangeToConnectFor else { return nil }
    return (attempts.begin(for: exchange), for: exchange)
  }

  /// Whether exchanges wait for which another connection may be opened.
  var needsConnection: Bool { exchangeToConnectFor != nil }

  private var exchangeToConnectFor: ExchangeID? {
    mayConnect ? queue.first { !isAttempted($0) } : nil
  }

  /// Removes an attempt that the budget does not allow; its exchange stays in the queue.
  mutating func withdraw(_ id: ConnectionID) {
    attempts.withdraw(id)
  }

  /// Removes the idle connections that have expired, and returns them for the caller to close.
  ///
  /// Active connections that are too old finish their exchanges, and do not count towards the limit meanwhile.
  mutating func expired(now: NIODeadline) -> [ConnectionID] {
    for id in activeConnections where isTooOld(id, now) { _ = retire(id) }
    let gone = idle.filter { !isFresh($0, now: now) }.map(\.id)
    for id in gone { _ = retire(id) }
    return gone
  }

  /// Whether there is an idle connection.
  var hasIdle: Bool { !idle.isEmpty }

  /// Removes and returns the connection that has been idle longest, to make room elsewhere.
  mutating func evict() -> ConnectionID? {
    guard let id = idle.first?.id else { return nil }
    _ = retire(id)
    return id
  }

  // MARK: Room

  /// How many more exchanges the connections can carry now. Connections that have expired or are about to close have no
  /// room, although they are places until they are gone.
  func roomCount(now: NIODeadline) -> Int {
    let ids = activeConnections + idle.lazy.filter { isFresh($0, now: now) }.map(\.id)
    return ids.lazy.filter { hasRoom($0, now: now) }
      .compactMap { open[$0] }
      .reduce(0) { $0 + $1.capacity.count - $1.activeExchangeCount }
  }

  /// Takes a place on a connection that has room.
  private mutating func takePlace(now: NIODeadline) -> ConnectionID? {
    if let id = activeConnections.first(where: { hasRoom($0, now: now) }) {
      open[id]?.activeExchangeCount += 1
      return id
    }
    // An expired connection stays in the list until `expired` removes it.
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
    guard var connection = open[id] else { return }
    if connection.activeExchangeCount == 0 {
      // The idle connection used last is at the end.
      if let index = idle.lastIndex(where: { $0.id == id }) { idle.remove(at: index) }
      if connection.capacity != .one { activeConnections.append(id) }
    }
    connection.activeExchangeCount += 1
    connection.hasServed = true
    open[id] = connection
  }

  /// Whether another connection is needed and allowed.
  ///
  /// A retired connection does not count towards the limit: a long download may be under way on it.
  private var mayConnect: Bool {
    guard limitedCount < limits.connections else { return false }
    if sharing == .exclusive || attempts.areFailing { return queue.count > attempts.count }
    // One attempt may suffice for all exchanges, and so may one connection whose peer has not announced its limit
    // yet. If the peer allows no exchanges for now, another connection would not help.
    return queue.count > 0 && attempts.isEmpty && !isCapacityPending
  }

  /// Whether the peer of an open connection has not announced yet how many exchanges it allows, or allows none for now.
  var isCapacityPending: Bool {
    open.entries.contains { $0.value.isCapacityPending }
  }

  /// Whether a connection is being made for an exchange.
  func isAttempted(_ exchange: ExchangeID) -> Bool {
    attempts.contains(exchange)
  }

  // MARK: Age

  private func isFresh(_ candidate: Idle, now: NIODeadline) -> Bool {
    expiry(of: candidate) > now
  }

  private func expiry(of candidate: Idle) -> NIODeadline {
    let rested = candidate.since + limits.keepAliveDuration
    return maximumAgeDeadline(of: candidate.id).map { min(rested, $0) } ?? rested
  }

  /// When a connection reaches its maximum age; `nil` without such a limit, or before it has served an exchange.
  private func maximumAgeDeadline(of id: ConnectionID) -> NIODeadline? {
    guard let age = limits.age, let connection = open[id], connection.hasServed else { return nil }
    return connection.openedAt + age
  }

  private func isTooOld(_ id: ConnectionID, _ now: NIODeadline) -> Bool {
    maximumAgeDeadline(of: id).map { $0 <= now } ?? false
  }
}
