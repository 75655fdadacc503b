/// The connections of a pool that are being made, without any I/O.
///
/// Each attempt begins for an exchange. A connection that becomes free earlier may serve that exchange, and the new connection
/// another one.
struct ConnectionAttempts {
  private struct Attempt {
    let exchange: ExchangeID
    /// Whether the exchange was removed, so that the attempt is only for others. The attempt of one that was served, or moved to
    /// another part of the pool, goes on if connections carry one exchange each: its connection may be the next one that is free.
    var isOrphan = false
    var isCancelled = false
  }

  private var attempts: [ConnectionID: Attempt] = [:]
  private var lastID: ConnectionID = 0
  /// Whether the last attempt failed. If so, the next attempts are made in parallel, so that no exchange waits for the
  /// time-out of another one.
  private(set) var areFailing = false

  var count: Int { attempts.count }
  var isEmpty: Bool { attempts.isEmpty }

  /// The attempts that are not cancelled.
  var live: [ConnectionID] { attempts.filter { !$0.value.isCancelled }.map(\.key) }

  /// Whether a connection is being made for an exchange.
  func contains(_ exchange: ExchangeID) -> Bool {
    attempts.values.contains { $0.exchange == exchange }
  }

  /// Whether an attempt is cancelled, so that its connection cannot be used.
  func isCancelled(_ id: ConnectionID) -> Bool { attempts[id]?.isCancelled ?? false }

  /// The attempts of removed exchanges, as far as the other attempts suffice for `waiting` exchanges; the newest first.
  ///
  /// The oldest attempt is kept for those that wait, because it should succeed first. If each attempt ended with its exchange,
  /// none might ever succeed.
  func orphans(waiting: Int) -> [ConnectionID] {
    guard attempts.count > waiting,
      attempts.contains(where: { $0.value.isOrphan && !$0.value.isCancelled })
    else { return [] }
    let live = live.sorted()
    let kept = waiting > 0 ? live.first : nil
    let orphans = live.reversed().filter { attempts[$0]?.isOrphan == true && $0 != kept }
    return Array(orphans.prefix(max(live.count - waiting, 0)))
  }

  /// Notes that an exchange was removed, so that its attempt is only for others.
  mutating func removed(_ exchange: ExchangeID) {
    guard let own = attempts.first(where: { $0.value.exchange == exchange })?.key else { return }
    attempts[own]?.isOrphan = true
  }

  /// Begins an attempt.
  mutating func begin(for exchange: ExchangeID) -> ConnectionID {
    lastID += 1
    attempts[lastID] = Attempt(exchange: exchange)
    return lastID
  }

  /// Notes that an attempt is cancelled, so that its end does not count as a failure.
  mutating func cancel(_ id: ConnectionID) {
    attempts[id]?.isCancelled = true
  }

  /// Removes an attempt that has not begun, because no further connection is allowed now.
  mutating func withdraw(_ id: ConnectionID) {
    attempts[id] = nil
  }

  /// Removes an attempt that has succeeded.
  mutating func succeeded(_ id: ConnectionID) {
    attempts[id] = nil
    areFailing = false
  }

  /// Removes an attempt that has failed or was cancelled; returns the exchange for which it was begun.
  mutating func failed(_ id: ConnectionID) -> ExchangeID? {
    let attempt = attempts.removeValue(forKey: id)
    if attempt?.isCancelled == false { areFailing = true }
    return attempt?.exchange
  }
}
