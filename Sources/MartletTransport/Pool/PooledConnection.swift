import MartletCore
import NIOCore

/// What a pool and a call need of a connection, whatever protocol it speaks.
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
  /// Why it takes no calls, if it never took one.
  var refusal: MartletError? { get }
  /// Sends a call's request.
  func start(_ call: Call)
  /// Whether the call is under way on the connection.
  func carries(_ call: Call) -> Bool
  /// Gives a call up, and returns the head of its response, if that had come.
  func abort(_ call: Call, _ error: MartletError) -> ResponseHead?
  /// Stops or resumes sending and receiving for a call.
  func setSuspended(_ suspended: Bool, _ call: Call)
  /// Acts on what is due for a call beside its time-outs.
  func checkDeadlines(_ call: Call, _ now: NIODeadline)
  /// Whether the system still takes the connection for open in both directions, as of now.
  var isStanding: Bool { get }
  /// The connection is idle from now on.
  func rest()
  /// Closes the connection, which is idle.
  func close()
  /// Closes the connection if it is idle; otherwise ends its exchanges, or lets them end.
  func shutDown(abandoning: Bool)
}
