import MartletCore
import NIOCore

/// What a pool needs of a connection, whatever protocol it speaks.
///
/// Confined to the pool's event loop.
protocol PooledConnection: AnyObject, Sendable {
  /// Names the connection in its pool.
  var id: ConnectionID { get }
  /// How it was made.
  var info: ConnectionInfo { get }
  /// How many exchanges it carries at once.
  var capacity: ConnectionRecord.Capacity { get }
  /// Whether it carries none now.
  var isIdle: Bool { get }
  /// Why it takes no exchanges, if it never took one.
  var setupError: MartletError? { get }
  /// Carries an exchange from now on, and has it send its request.
  func start(_ exchange: Exchange)
  /// Whether the system still takes the connection for open in both directions, as of now.
  var isSocketOpen: Bool { get }
  /// The connection is idle from now on.
  func becomeIdle()
  /// Closes the connection, which is idle.
  func close()
  /// Closes the connection if it is idle; otherwise ends its exchanges, or lets them end.
  func shutDown(abandoning: Bool)
}

/// What a pool's decisions need to know of an open connection.
struct ConnectionRecord {
  /// How many exchanges a connection carries at once.
  enum Capacity: Equatable {
    /// One, whatever happens.
    case one
    /// So many until the peer says how many.
    case assumed(Int)
    /// So many, says the peer.
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
  /// It has been given an exchange: whatever its age, it is good for one.
  var hasServed = false
  /// It takes no more exchanges.
  var isRetired = false

  var hasRoom: Bool { !isRetired && activeExchangeCount < capacity.count }

  /// Whether the peer has yet to say how many exchanges it will carry, or wants none for now.
  var isCapacityPending: Bool {
    guard !isRetired else { return false }
    if case .assumed = capacity { return true }
    return capacity.count == 0
  }
}
