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
