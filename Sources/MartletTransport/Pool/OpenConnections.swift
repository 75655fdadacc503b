import NIOCore

/// Identifies a connection of a pool.
typealias ConnectionID = Int

/// The open connections of a pool, and their places for exchanges, without any I/O.
///
/// An exchange gets the first of these places:
/// 1. one on an active connection that carries several exchanges;
/// 2. the idle connection that was used last, unless it is too old.
///
/// A connection that is retired takes no more exchanges, and stays until its last exchange is over: a long download may be
/// under way on it.
struct OpenConnections {
  private struct Idle {
    var id: ConnectionID
    var since: NIODeadline
  }

  private let limits: PoolState.Limits
  private var records = NumberedTable<ConnectionRecord>()
  /// How many of the open connections are retired.
  private var retiredCount = 0
  /// How many exchanges the connections carry at once, without the retired ones.
  private(set) var placeCount = 0
  private var idle: [Idle] = []
  /// Connections that carry some exchanges and may have room for more.
  private var active: [ConnectionID] = []

  init(limits: PoolState.Limits) {
    self.limits = limits
  }

  /// The number of open connections.
  var count: Int { records.count }
  /// The number of those that take exchanges.
  var takingCount: Int { records.count - retiredCount }
  var idleCount: Int { idle.count }

  /// The places of the connections that take exchanges, and the exchanges on those that take no more. Minus all
  /// exchanges, these are the free places.
  var countedPlaces: Int {
    guard retiredCount > 0 else { return placeCount }
    let retired = records.entries.lazy.map(\.value).filter(\.isRetired)
    return retired.reduce(placeCount) { $0 + $1.activeExchangeCount }
  }

  /// When all connections that take exchanges became idle; `nil` if they are not, or there are none.
  ///
  /// If an exchange waits even then, the server allows no exchanges on these connections for now.
  var allIdleSince: NIODeadline? {
    idle.count == takingCount ? idle.lazy.map(\.since).max() : nil
  }

  /// Whether the peer of a connection has not announced yet how many exchanges it allows, or allows none for now.
  var isCapacityPending: Bool {
    records.entries.contains { $0.value.isCapacityPending }
  }

  /// What a connection does; `nil` if it is not open.
  func activity(of id: ConnectionID, now: NIODeadline)
    -> (state: EngineSnapshot.Connection.State, age: Duration, count: Int, capacity: Int)?
  {
    guard let connection = records[id] else { return nil }
    let rest = idle.first { $0.id == id }
    let state: EngineSnapshot.Connection.State =
      rest.map { .idle(for: Duration(now - $0.since)) }
      ?? (connection.isRetired ? .closing : .active)
    return (
      state, Duration(now - connection.openedAt), connection.activeExchangeCount,
      connection.capacity.count
    )
  }

  // MARK: Connections

  /// Adds a connection that carries `capacity` exchanges at once, as far as is known yet.
  mutating func add(_ id: ConnectionID, capacity: ConnectionRecord.Capacity, now: NIODeadline) {
    records[id] = ConnectionRecord(openedAt: now, capacity: capacity)
    placeCount += capacity.count
    idle.append(Idle(id: id, since: now))
  }

  /// Sets how many exchanges a connection carries at once, as announced by the peer.
  mutating func capacityChanged(_ id: ConnectionID, to count: Int) {
    guard let connection = records[id] else { return }
    if !connection.isRetired { placeCount += count - connection.capacity.count }
    records[id]?.capacity = .announced(count)
  }

  /// Gives a connection no more exchanges.
  mutating func retire(_ id: ConnectionID) {
    if let connection = records[id], !connection.isRetired {
      records[id]?.isRetired = true
      retiredCount += 1
      placeCount -= connection.capacity.count
    }
    idle.removeAll { $0.id == id }
    active.removeAll { $0 == id }
  }

  /// Removes a closed connection.
  mutating func closed(_ id: ConnectionID) {
    if let connection = records.removeValue(forKey: id) {
      if connection.isRetired { retiredCount -= 1 } else { placeCount -= connection.capacity.count }
    }
    idle.removeAll { $0.id == id }
    active.removeAll { $0 == id }
  }

  /// Retires and returns the connection that has been idle longest, to make room elsewhere.
  mutating func evict() -> ConnectionID? {
    guard let id = idle.first?.id else { return nil }
    retire(id)
    return id
  }

  // MARK: Places

  /// How many more exchanges the connections can carry now. Connections that have expired or are about to close have no
  /// room, although they are places until they are gone.
  func roomCount(now: NIODeadline) -> Int {
    let ids = active + idle.lazy.filter { isFresh($0, now: now) }.map(\.id)
    return ids.lazy.filter { hasRoom($0, now: now) }
      .compactMap { records[$0] }
      .reduce(0) { $0 + $1.capacity.count - $1.activeExchangeCount }
  }

  /// Whether a connection takes another exchange.
  func hasRoom(_ id: ConnectionID, now: NIODeadline) -> Bool {
    records[id].map { $0.hasRoom && !isTooOld(id, now) } ?? false
  }

  /// Takes a place on a connection that has room.
  mutating func takePlace(now: NIODeadline) -> ConnectionID? {
    if let id = active.first(where: { hasRoom($0, now: now) }) {
      addExchange(to: id)
      return id
    }
    // An expired connection stays in the list until `expired` removes it.
    guard let index = idle.lastIndex(where: { isFresh($0, now: now) && hasRoom($0.id, now: now) })
    else { return nil }
    let id = idle[index].id
    takePlace(on: id)
    return id
  }

  /// Takes a place on a connection, which has room.
  mutating func takePlace(on id: ConnectionID) {
    guard var connection = records[id] else { return }
    if connection.activeExchangeCount == 0 {
      // The idle connection used last is at the end.
      if let index = idle.lastIndex(where: { $0.id == id }) { idle.remove(at: index) }
      if connection.capacity != .one { active.append(id) }
    }
    connection.activeExchangeCount += 1
    connection.hasServed = true
    records[id] = connection
  }

  /// Takes a place on a connection that is active already, or whose place was given back right before.
  mutating func addExchange(to id: ConnectionID) {
    records[id]?.activeExchangeCount += 1
  }

  /// Gives back the place of an exchange that is over.
  ///
  /// - Parameters:
  ///   - id: The connection.
  ///   - now: The current time.
  /// - Returns: Whether the connection takes exchanges. If so, `addExchange(to:)` or `rest(_:now:)` follows.
  mutating func giveBackPlace(on id: ConnectionID, now: NIODeadline) -> Bool {
    guard var connection = records[id] else { return false }
    connection.activeExchangeCount -= 1
    records[id] = connection
    guard connection.isRetired || isTooOld(id, now) else { return true }
    retire(id)
    return false
  }

  /// Makes a connection idle if it carries no exchanges; returns whether it does not.
  mutating func rest(_ id: ConnectionID, now: NIODeadline) -> Bool {
    guard !carriesExchanges(id) else { return false }
    active.removeAll { $0 == id }
    idle.append(Idle(id: id, since: now))
    return true
  }

  /// Takes back an exchange that was given to a connection that cannot carry it, and retires the connection; returns
  /// whether it carries no exchanges now, so that it may be closed.
  mutating func decline(_ id: ConnectionID) -> Bool {
    records[id]?.activeExchangeCount -= 1
    retire(id)
    return !carriesExchanges(id)
  }

  /// Whether exchanges are under way on a connection.
  func carriesExchanges(_ id: ConnectionID) -> Bool {
    records[id].map { $0.activeExchangeCount > 0 } ?? false
  }

  // MARK: Age

  /// When the next idle connection expires, or the next active one reaches its maximum age.
  var nextExpiry: NIODeadline? {
    let maximumAges = active.compactMap { maximumAgeDeadline(of: $0) }
    return (idle.map { expiry(of: $0) } + maximumAges).min()
  }

  /// Retires the idle connections that have expired, and returns them for the caller to close.
  ///
  /// Active connections that are too old finish their exchanges, and do not count towards the limit meanwhile.
  mutating func expired(now: NIODeadline) -> [ConnectionID] {
    for id in active where isTooOld(id, now) { retire(id) }
    let gone = idle.filter { !isFresh($0, now: now) }.map(\.id)
    for id in gone { retire(id) }
    return gone
  }

  private func isFresh(_ candidate: Idle, now: NIODeadline) -> Bool {
    expiry(of: candidate) > now
  }

  private func expiry(of candidate: Idle) -> NIODeadline {
    let rested = candidate.since + limits.keepAliveDuration
    return maximumAgeDeadline(of: candidate.id).map { min(rested, $0) } ?? rested
  }

  /// When a connection reaches its maximum age; `nil` without such a limit, or before it has served an exchange.
  private func maximumAgeDeadline(of id: ConnectionID) -> NIODeadline? {
    guard let age = limits.age, let connection = records[id], connection.hasServed else {
      return nil
    }
    return connection.openedAt + age
  }

  private func isTooOld(_ id: ConnectionID, _ now: NIODeadline) -> Bool {
    maximumAgeDeadline(of: id).map { $0 <= now } ?? false
  }
}
