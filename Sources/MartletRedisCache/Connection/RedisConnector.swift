import EssentialFoundation
import MartletCore
import NIOCore

/// Opens a connection to a server when it is first needed, and again after it was closed.
///
/// After a failure all commands fail at once for a second, or for up to eight seconds when connecting fails again and
/// again. Then one command connects; the others do not wait for it. A server that is dead or slow therefore costs a
/// time-out now and then, and not one for each request.
final class RedisConnector: Sendable {
  private enum State {
    case idle
    /// A connection is being opened. With an error, commands do not wait for it.
    case connecting(EventLoopFuture<RedisConnection>, after: MartletError?)
    case connected(RedisConnection)
    case paused(until: NIODeadline, MartletError)
    case closed
  }

  /// A connection, or one that is being opened.
  private enum Access {
    case open(RedisConnection)
    case pending(EventLoopFuture<RedisConnection>)
  }

  private let configuration: RedisConfiguration
  private let group: any EventLoopGroup
  private let connectionWait: Duration
  private let now: @Sendable () -> NIODeadline
  private let state = Locked(State.idle)
  /// How often connecting has failed since it last succeeded.
  private let failedConnects = Locked(0)

  init(
    _ configuration: RedisConfiguration, on group: any EventLoopGroup, connectionWait: Duration,
    now: @escaping @Sendable () -> NIODeadline
  ) {
    self.configuration = configuration
    self.group = group
    self.connectionWait = connectionWait
    self.now = now
  }

  /// Returns the connection, for which it does not wait longer than the limit.
  func connection() async throws(RedisError) -> RedisConnection {
    let found = state.withLock { state in
      Result { () throws(RedisError) in try access(&state) }
    }
    switch try found.get() {
    case .open(let connection): return connection
    case .pending(let future):
      do {
        return try await future.get(within: connectionWait)
      } catch {
        throw .unavailable(stopWaiting(for: future, after: error))
      }
    }
  }

  private func access(_ state: inout State) throws(RedisError) -> Access {
    switch state {
    case .closed: throw .permanent(.redisClosed(configuration))
    case .connected(let connection) where connection.isOpen: return .open(connection)
    case .connecting(let future, after: nil): return .pending(future)
    case .connecting(_, after: let error?):
      throw .unavailable(.redisPaused(configuration, after: error))
    case .paused(let end, let error):
      guard now() >= end else {
        throw .unavailable(.redisPaused(configuration, after: error))
      }
      return connect(&state, after: error)
    case .idle, .connected: return connect(&state, after: nil)
    }
  }

  /// Closes the connection. Later calls of `connection` fail.
  func close() async {
    let last = state.withLock { state in
      defer { state = .closed }
      return state
    }
    switch last {
    case .connected(let connection): await connection.close()
    // A connection that has just been opened is closed by `connect`.
    case .connecting(let future, after: nil): _ = try? await future.get()
    case .idle, .paused, .connecting, .closed: break
    }
  }

  // MARK: Connecting

  private func connect(_ state: inout State, after error: MartletError?) -> Access {
    let loop = group.next()
    // A task of its own, because several callers wait for it, and none of them until its end.
    let future = loop.makeFutureWithTask { [self] in
      do {
        let connection = try await RedisConnection.open(configuration, on: loop)
        guard change(to: .connected(connection)) else {
          await connection.close()
          throw MartletError.redisClosed(configuration)
        }
        failedConnects.withLock { $0 = 0 }
        return connection
      } catch {
        let count = failedConnects.withLock { count in
          count += 1
          return count
        }
        throw pause(.seconds(1 << min(count - 1, 3)), after: error)
      }
    }
    state = .connecting(future, after: error)
    return .pending(future)
  }

  /// Lets other commands not wait for a connection for which one has waited too long. Returns the error.
  private func stopWaiting(
    for future: EventLoopFuture<RedisConnection>, after error: any Error
  ) -> MartletError {
    let error = MartletError.redis(configuration, error)
    state.withLock { state in
      guard case .connecting(let current, after: nil) = state, current === future else { return }
      state = .connecting(future, after: error)
    }
    return error
  }

  /// Changes the state. Returns false if the client is closed.
  private func change(to next: State) -> Bool {
    state.withLock { state in
      if case .closed = state { return false }
      state = next
      return true
    }
  }

  private func pause(_ time: TimeAmount, after error: any Error) -> MartletError {
    let error = MartletError.redis(configuration, error)
    _ = change(to: .paused(until: now() + time, error))
    return error
  }

  /// Closes a connection that has failed, and pauses. Returns the error.
  func pause(_ connection: RedisConnection, after error: any Error) -> MartletError {
    connection.closeAtOnce()
    let isCurrent = state.withLock { state in
      if case .connected(let current) = state { current === connection } else { false }
    }
    return isCurrent ? pause(.seconds(1), after: error) : .redis(configuration, error)
  }
}
