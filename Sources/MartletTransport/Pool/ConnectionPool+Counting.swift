import MartletCore
import NIOCore

/// The numbers of a pool's connections, as they were last reported.
struct ConnectionCounts: Equatable {
  var active = 0
  var idle = 0
}

/// Reporting how many connections there are.
extension ConnectionPool {
  /// Reports the connections to their observer, if their number or what they do has changed.
  ///
  /// - Parameter age: The age of the connection that was closed, if one was.
  func reportConnections(closedAfter age: Duration? = nil) {
    guard let connectionObserver else { return }
    loop.assertInEventLoop()
    // A connection that is about to close is not idle any more.
    let idle = state.idleCount
    let counts = ConnectionCounts(active: connections.count - idle, idle: idle)
    guard counts != reportedConnections || age != nil else { return }
    let change = ConnectionChange(
      active: counts.active - reportedConnections.active,
      idle: counts.idle - reportedConnections.idle, closedAfter: age)
    reportedConnections = counts
    connectionObserver(change)
  }
}
