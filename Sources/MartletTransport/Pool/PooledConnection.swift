import MartletCore
import NIOCore

/// A connection as its pool uses it, whatever its protocol.
///
/// Confined to the pool's event loop.
protocol PooledConnection: AnyObject, Sendable {
  /// Identifies the connection in its pool.
  var id: ConnectionID { get }
  /// How the connection was made: its protocol, addresses and durations.
  var info: ConnectionInfo { get }
  /// How many exchanges the connection carries at once.
  var capacity: ConnectionRecord.Capacity { get }
  /// Whether it carries no exchanges now.
  var isIdle: Bool { get }
  /// The error for a connection that ended before it took any exchange.
  var setupError: MartletError? { get }
  /// Starts an exchange, which then sends its request.
  func start(_ exchange: Exchange)
  /// Whether the system currently reports the connection as open in both directions.
  var isSocketOpen: Bool { get }
  /// Called when the connection becomes idle.
  func becomeIdle()
  /// Closes the connection, which must be idle.
  func close()
  /// Closes the connection if it is idle. Otherwise its exchanges fail if `abandoning` is true, or else finish.
  func shutDown(abandoning: Bool)
}

/// The state of an open connection, as `PoolState` keeps it.
struct ConnectionRecord {
  /// How many exchanges a connection carries at once.
  enum Capacity: Equatable {
    /// Always one.
    case one
    /// This many, until the peer announces its limit.
    case assumed(Int)
    /// This many, as announced by the peer.
    case announced(Int)

    var count: Int {
      switch self {
      case .one: 1
      case .assumed(let count), .announced(let count): count
      }
    }
  }

  let openedAt: NIODeadline
  var capacity: Capacity
  /// How many exchanges are under way.
  var activeExchangeCount = 0
  /// Whether it has carried an exchange. Until then, its age does not matter.
  var hasServed = false
  /// Whether it takes no more exchanges.
  var isRetired = false

  var hasRoom: Bool { !isRetired && activeExchangeCount < capacity.count }

  /// Whether the peer has not announced its limit yet, or allows no exchanges for now.
  var isCapacityPending: Bool {
    guard !isRetired else { return false }
    if case .assumed = capacity { return true }
    return capacity.count == 0
  }
}

extension PoolState {
  /// How many exchanges a connection to this origin carries at once.
  enum Sharing: UInt8 {
    /// Unknown until the first connection is made, so there is one attempt at a time.
    case unknown
    /// One (HTTP/1.1).
    case exclusive
    /// Several (HTTP/2).
    case shared
  }
}
