import EssentialFoundation
import MartletCore
import NIOCore

/// One connection to a server, which is opened when it is first used, and again after it was closed.
///
/// After a failure all commands fail at once for a second. Then one command connects again; the others do not wait for
/// it. A server that is dead or slow therefore costs a time-out now and then, and not one for each request.
final class RedisClient: Sendable {
  private enum State {
    case idle
    case connecting(EventLoopFuture<RedisConnection>)
    case connected(RedisConnection)
    case paused(until: NIODeadline, MartletError)
    /// As connecting, after a failure.
    case reconnecting(MartletError)
    case closed
  }

  /// A connection, or one that is being opened.
  private enum Access {
    case open(RedisConnection)
    case pending(EventLoopFuture<RedisConnection>)
  }

  private static let pause = TimeAmount.seconds(1)

  let configuration: RedisConfiguration
  private let group: any EventLoopGroup
  private let clock: @Sendable () -> NIODeadline
  private let state = Locked(State.idle)

  init(
    _ configuration: RedisConfiguration, on group: any EventLoopGroup,
    clock: @escaping @Sendable () -> NIODeadline = { .now() }
  ) {
    self.configuration = configuration
    self.group = group
    self.clock = clock
  }

  /// Sends commands, and returns their replies.
  ///
  /// - Throws: `MartletError` with code `.cacheFailed`, also when a reply is an error.
  func send(_ commands: [RESPCommand]) async throws -> [RESPValue] {
    let connection = try await connection()
    let replies: [RESPValue]
    do {
      replies = try await connection.send(commands, within: configuration.timeout)
    } catch {
      throw pause(connection, after: error)
    }
    for (command, reply) in zip(commands, replies) {
      guard let text = reply.error else { continue }
      let error = RedisServerError(text, password: configuration.password)
      let failure = RedisFailure.refused(command.name, error)
      throw error.isUnavailable
        ? pause(connection, after: failure) : MartletError.redis(configuration, failure)
    }
    return replies
  }

  /// Closes the connection. All later commands fail.
  func close() async {
    let last = state.withLock { state in
      defer { state = .closed }
      return state
    }
    switch last {
    case .connected(let connection): await connection.close()
    // A connection that has just been opened is closed by `connect`.
    case .connecting(let future): _ = try? await future.get()
    case .idle, .paused, .reconnecting, .closed: break
    }
  }

  // MARK: The connection

  private func connection() async throws -> RedisConnection {
    switch try state.withLock({ try access(&$0) }) {
    case .open(let connection): return connection
    case .pending(let future): return try await future.get()
    }
  }

  private func access(_ state: inout State) throws(MartletError) -> Access {
    switch state {
    case .closed: throw .redisClosed(configuration)
    case .connected(let connection) where connection.isOpen: return .open(connection)
    case .connecting(let future): return .pending(future)
    case .paused(let end, let error):
      guard clock() >= end else { throw .redisPaused(configuration, after: error) }
      state = .reconnecting(error)
      return .pending(connect())
    case .reconnecting(let error): throw .redisPaused(configuration, after: error)
    case .idle, .connected:
      let future = connect()
      state = .connecting(future)
      return .pending(future)
    }
  }

  private func connect() -> EventLoopFuture<RedisConnection> {
    let loop = group.next()
    // A task of its own, because several callers wait for it.
    return loop.makeFutureWithTask { [self] in
      do {
        let connection = try await RedisConnection.open(configuration, on: loop)
        guard change(to: .connected(connection)) else {
          await connection.close()
          throw MartletError.redisClosed(configuration)
        }
        return connection
      } catch {
        throw pause(after: error)
      }
    }
  }

  /// Changes the state. Returns false if the client is closed.
  private func change(to next: State) -> Bool {
    state.withLock { state in
      if case .closed = state { return false }
      state = next
      return true
    }
  }

  private func pause(after error: any Error) -> MartletError {
    let error = MartletError.redis(configuration, error)
    _ = change(to: .paused(until: clock() + Self.pause, error))
    return error
  }

  /// Closes a connection that has failed. Returns the error.
  private func pause(_ connection: RedisConnection, after error: any Error) -> MartletError {
    connection.drop()
    let isCurrent = state.withLock { state in
      if case .connected(let current) = state { current === connection } else { false }
    }
    return isCurrent ? pause(after: error) : MartletError.redis(configuration, error)
  }
}
