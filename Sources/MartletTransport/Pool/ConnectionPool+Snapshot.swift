import NIOCore

extension ConnectionPool {
  /// The connections and the waiting requests at this moment.
  var snapshot: EngineSnapshot.Server {
    loop.assertInEventLoop()
    let now = NIODeadline.now()
    let open = connections.entries.compactMap { id, connection in
      state.activity(of: id, now: now).map { activity in
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
    var servers: [EngineSnapshot.Server] = []
    for pool in directory.allPools {
      if let server = try? await pool.loop.submit({ pool.snapshot }).get() {
        servers.append(server)
      }
    }
    return EngineSnapshot(servers: servers.sorted { "\($0.origin)" < "\($1.origin)" })
  }
}
