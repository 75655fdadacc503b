import MartletCore
import NIOCore

/// Identifies an exchange while it waits.
typealias ExchangeID = Int

/// Decides which exchange gets which connection of one origin's pool, without any I/O.
///
/// An exchange gets the first of these that is available:
/// 1. a place on an open connection;
/// 2. a new connection, if the limits allow it and the connections that are being made do not suffice;
/// 3. a place in the queue.
///
/// An exchange that waits for its new connection is in the queue as well, so that a connection that becomes free
/// earlier serves it.
struct PoolState {
  struct Limits {
    var connections: Int
    var keepAliveDuration: TimeAmount
    var age: TimeAmount?
  }

  /// How many exchanges a connection to this origin carries at once.
  enum Sharing: UInt8 {
    /// Unknown until the first connection is made, so there is one attempt at a time.
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
    /// Other exchanges are under way on it.
    case inUse
    case keep
    case close
  }

  let limits: Limits
  private(set) var sharing: Sharing
  /// The pool also reports here which connections are retired and closed, and how many exchanges they allow.
  var open: OpenConnections
  private var attempts = ConnectionAttempts()
  private var queue = WaitingQueue()

  init(limits: Limits, sharing: Sharing = .exclusive) {
    self.limits = limits
    self.sharing = sharing
    open = OpenConnections(limits: limits)
  }

  /// The number of connections that are open or being made.
  var connectionCount: Int { open.count + attempts.count }
  /// The number of connections that count towards the limit: those that take exchanges or are being made.
  var limitedCount: Int { open.takingCount + attempts.count }
  var waitingCount: Int { queue.count }
  var isEmpty: Bool { connectionCount == 0 && queue.count == 0 }

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
    if queue.count == 0 || isFirst, let id = open.takePlace(now: now) { return .use(id) }
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
    open.add(id, capacity: capacity, now: now)
  }

  /// Takes the next exchange from the queue and a place on the connection, if it has room.
  mutating func next(for id: ConnectionID, now: NIODeadline) -> ExchangeID? {
    guard queue.count > 0, open.hasRoom(id, now: now) else { return nil }
    open.takePlace(on: id)
    return queue.popFirst()
  }

  /// Takes the next exchange from the queue and a place on any connection that has room.
  mutating func nextForAnyPlace(now: NIODeadline) -> (ExchangeID, on: ConnectionID)? {
    guard queue.count > 0, let id = open.takePlace(now: now), let exchange = queue.popFirst()
    else { return nil }
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
    guard open.giveBackPlace(on: id, now: now) else {
      return open.carriesExchanges(id) ? .inUse : .close
    }
    if !keepsPlace, open.hasRoom(id, now: now), let exchange = queue.popFirst() {
      open.addExchange(to: id)
      return .serve(exchange)
    }
    return open.rest(id, now: now) ? .keep : .inUse
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

  /// Whether another connection is needed and allowed.
  ///
  /// A retired connection does not count towards the limit: a long download may be under way on it.
  private var mayConnect: Bool {
    guard limitedCount < limits.connections else { return false }
    if sharing == .exclusive || attempts.areFailing { return queue.count > attempts.count }
    // One attempt may suffice for all exchanges, and so may one connection whose peer has not announced its limit
    // yet. If the peer allows no exchanges for now, another connection would not help.
    return queue.count > 0 && attempts.isEmpty && !open.isCapacityPending
  }

  /// Whether a connection is being made for an exchange.
  func isAttempted(_ exchange: ExchangeID) -> Bool {
    attempts.contains(exchange)
  }
}
