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
    let idle = state.open.idleCount
    let counts = ConnectionCounts(active: connections.count - idle, idle: idle)
    guard counts != reportedConnections || age != nil else { return }
    let change = ConnectionChange(
      active: counts.active - reportedConnections.active,
      idle: counts.idle - reportedConnections.idle, closedAfter: age)
    reportedConnections = counts
    connectionObserver(change)
  }
}

extension ConnectionPool {
  /// The connections and the waiting requests of this part at this moment.
  var snapshot: EngineSnapshot.Server {
    loop.assertInEventLoop()
    let now = now
    let open = connections.entries.compactMap { id, connection in
      state.open.activity(of: id, now: now).map { activity in
        EngineSnapshot.Connection(
          info: connection.info, state: activity.state, age: activity.age,
          requestCount: activity.count, maximumRequests: activity.capacity)
      }
    }
    return EngineSnapshot.Server(
      origin: origin, connections: open, connectingCount: attempts.count,
      waitingCount: waiting.count, suspendedCount: suspendedExchanges.count,
      maximumConnections: state.limits.connections, isRetired: isRetired)
  }
}

extension HTTPTransport {
  /// Returns what the engine has and does at this moment.
  ///
  /// Each server is looked at on its own event loop, so that the parts of a snapshot may be some microseconds apart.
  public func snapshot() async -> EngineSnapshot {
    let token = directory.callers?.begin()
    defer { withExtendedLifetime(token) {} }
    // An origin has new pools after a change of trust, beside those whose requests are under way.
    var servers: [ObjectIdentifier: EngineSnapshot.Server] = [:]
    for pool in directory.allPools {
      guard let part = try? await pool.loop.submit({ pool.snapshot }).get() else { continue }
      let id = ObjectIdentifier(pool.parts)
      servers[id] = servers[id].map { $0.merged(with: part) } ?? part
    }
    return EngineSnapshot(servers: servers.values.sorted { "\($0.origin)" < "\($1.origin)" })
  }
}

extension EngineSnapshot.Server {
  /// The same server with the connections and requests of another part of its pool.
  fileprivate func merged(with part: EngineSnapshot.Server) -> EngineSnapshot.Server {
    EngineSnapshot.Server(
      origin: origin, connections: (connections + part.connections).sorted { $0.age > $1.age },
      connectingCount: connectingCount + part.connectingCount,
      waitingCount: waitingCount + part.waitingCount,
      suspendedCount: suspendedCount + part.suspendedCount, maximumConnections: maximumConnections,
      isRetired: isRetired || part.isRetired)
  }
}
