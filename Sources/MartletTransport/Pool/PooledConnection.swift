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
