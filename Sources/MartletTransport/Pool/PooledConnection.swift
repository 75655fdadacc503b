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
  var capacity: PoolConnection.Capacity { get }
  /// Whether it carries none now.
  var isAtRest: Bool { get }
  /// Why it takes no exchanges, if it never took one.
  var refusal: MartletError? { get }
  /// Carries an exchange from now on, and has it send its request.
  func start(_ exchange: Exchange)
  /// Whether the system still takes the connection for open in both directions, as of now.
  var isStanding: Bool { get }
  /// The connection is idle from now on.
  func rest()
  /// Closes the connection, which is idle.
  func close()
  /// Closes the connection if it is idle; otherwise ends its exchanges, or lets them end.
  func shutDown(abandoning: Bool)
}

/// What a pool's decisions need to know of an open connection.
struct PoolConnection {
  /// How many exchanges a connection carries at once.
  enum Capacity: Equatable {
    /// One, whatever happens.
    case one
    /// So many until the peer says how many.
    case assumed(Int)
    /// So many, says the peer.
    case told(Int)

    var count: Int {
      switch self {
      case .one: 1
      case .assumed(let count), .told(let count): count
      }
    }
  }

  let birth: NIODeadline
  var capacity: Capacity
  /// How many exchanges are under way.
  var used = 0
  /// It has been given an exchange: whatever its age, it is good for one.
  var hasServed = false
  /// It takes no more exchanges.
  var isRetired = false

  var hasRoom: Bool { !isRetired && used < capacity.count }

  /// Whether the peer has yet to say how many exchanges it will carry, or wants none for now.
  var isUndecided: Bool {
    guard !isRetired else { return false }
    if case .assumed = capacity { return true }
    return capacity.count == 0
  }
}
