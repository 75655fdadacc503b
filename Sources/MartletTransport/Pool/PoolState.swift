import MartletCore
import NIOCore

/// Names one call for as long as it waits.
typealias CallID = Int
/// Names one connection of a pool.
typealias ConnectionID = Int

/// Which call gets which connection: the decisions of one origin's pool, without any I/O.
///
/// A call is given, in this order:
/// 1. the idle connection used last, unless it is too old;
/// 2. a new connection, if the limit allows;
/// 3. a place in the line.
/// A call that waits for its new connection stands in the line as well, so that a connection that
/// becomes free earlier serves it.
struct PoolState {
  struct Limits {
    var connections: Int
    var idleTime: TimeAmount
    var age: TimeAmount?
  }

  /// What to do for a call.
  enum Assignment: Equatable {
    case reuse(ConnectionID)
    case connect(ConnectionID)
    case wait
  }

  /// What to do with a connection that has become free.
  enum Release: Equatable {
    case serve(CallID)
    case keep
    case close
  }

  private struct Idle {
    var id: ConnectionID
    var since: NIODeadline
  }

  let limits: Limits
  private var born: [ConnectionID: NIODeadline] = [:]
  private var idle: [Idle] = []
  private var attempts: [ConnectionID: CallID] = [:]
  private var line = WaitingQueue()
  private var nextConnection = 0

  init(limits: Limits) {
    self.limits = limits
  }

  /// Connections that are open or being made.
  var connectionCount: Int { born.count + attempts.count }
  var idleCount: Int { idle.count }
  var waitingCount: Int { line.count }
  var isEmpty: Bool { connectionCount == 0 && line.count == 0 }
  /// When the next idle connection must go.
  var nextExpiry: NIODeadline? {
    idle.lazy.map { expiry(of: $0) }.min()
  }

  // MARK: Calls

  mutating func assign(_ call: CallID, priority: Request.Priority, now: NIODeadline) -> Assignment {
    // What is not fresh any more stays idle until `expired` takes it out.
    if let index = idle.lastIndex(where: { isFresh($0, now: now) }) {
      return .reuse(idle.remove(at: index).id)
    }
    line.append(call, priority: priority)
    return openAnother(for: call).map { .connect($0) } ?? .wait
  }

  /// Forgets a call that waits no longer; whether it did.
  mutating func cancel(_ call: CallID) -> Bool {
    line.remove(call)
  }

  /// The attempt that was begun for a call that is gone, when those who still wait have enough others.
  func spareAttempt(of call: CallID) -> ConnectionID? {
    guard attempts.count > line.count else { return nil }
    return attempts.first { $0.value == call }?.key
  }

  // MARK: Connections

  /// A connection has been made: who gets it, if anybody still waits.
  mutating func connected(_ id: ConnectionID, now: NIODeadline) -> CallID? {
    attempts[id] = nil
    born[id] = now
    guard let call = line.popFirst() else {
      idle.append(Idle(id: id, since: now))
      return nil
    }
    return call
  }

  /// A connection could not be made: the call that it was for, if that call still waits.
  mutating func failed(_ id: ConnectionID) -> CallID? {
    guard let call = attempts.removeValue(forKey: id), line.remove(call) else { return nil }
    return call
  }

  /// A connection's exchange is over and it can serve another.
  mutating func released(_ id: ConnectionID, now: NIODeadline) -> Release {
    guard let birth = born[id], !isTooOld(birth, now: now) else { return .close }
    if let call = line.popFirst() { return .serve(call) }
    idle.append(Idle(id: id, since: now))
    return .keep
  }

  /// A connection is gone.
  mutating func closed(_ id: ConnectionID) {
    born[id] = nil
    idle.removeAll { $0.id == id }
  }

  /// Another connection for those who wait, if there are more of them than attempts.
  mutating func openAnother() -> (ConnectionID, for: CallID)? {
    guard line.count > attempts.count, let call = line.first(where: { !isAttempted($0) }) else {
      return nil
    }
    return openAnother(for: call).map { ($0, for: call) }
  }

  /// A connection may not be made after all; its call stays in line.
  mutating func withdraw(_ id: ConnectionID) {
    attempts[id] = nil
  }

  /// The idle connections whose time is over; they are the caller's to close.
  mutating func expired(now: NIODeadline) -> [ConnectionID] {
    let gone = idle.filter { !isFresh($0, now: now) }.map(\.id)
    idle.removeAll { gone.contains($0.id) }
    return gone
  }

  /// The connection that has been idle longest, taken out to make room elsewhere.
  mutating func evict() -> ConnectionID? {
    idle.isEmpty ? nil : idle.removeFirst().id
  }

  private mutating func openAnother(for call: CallID) -> ConnectionID? {
    guard connectionCount < limits.connections else { return nil }
    nextConnection += 1
    attempts[nextConnection] = call
    return nextConnection
  }

  private func isAttempted(_ call: CallID) -> Bool {
    attempts.values.contains(call)
  }

  private func isFresh(_ candidate: Idle, now: NIODeadline) -> Bool {
    expiry(of: candidate) > now
  }

  private func expiry(of candidate: Idle) -> NIODeadline {
    let rested = candidate.since + limits.idleTime
    guard let age = limits.age, let birth = born[candidate.id] else { return rested }
    return min(rested, birth + age)
  }

  private func isTooOld(_ birth: NIODeadline, now: NIODeadline) -> Bool {
    limits.age.map { birth + $0 <= now } ?? false
  }
}
