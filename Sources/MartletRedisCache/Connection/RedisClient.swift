import EssentialFoundation
import MartletCore
import NIOCore

/// One connection to a server, which is opened when it is first used, and again after it was closed.
///
/// After a failure all commands fail at once for a second, or for up to eight seconds when connecting fails again and
/// again. Then one command connects; the others do not wait for it. A server that is dead or slow therefore costs a
/// time-out now and then, and not one for each request.
final class RedisClient: Sendable {
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

  /// How long commands that are repeated wait for the server to recover.
  private static let retryTime = TimeAmount.seconds(5)

  let configuration: RedisConfiguration
  private let group: any EventLoopGroup
  /// How long commands wait for a connection.
  private let connectionWait: Duration
  private let clock: RedisClock
  private let state = Locked(State.idle)
  /// How often connecting has failed since it last succeeded.
  private let failedConnects = Locked(0)

  init(
    _ configuration: RedisConfiguration, on group: any EventLoopGroup,
    connectionWait: Duration? = nil, clock: RedisClock = .system
  ) {
    self.connectionWait = connectionWait ?? configuration.timeout
    self.configuration = configuration
    self.group = group
    self.clock = clock
  }

  /// Sends commands, and returns their replies.
  ///
  /// - Parameters:
  ///   - commands: One command or more.
  ///   - isRepeated: Whether they are sent again for five seconds while the server cannot be used. They may run twice.
  ///     The default is false.
  /// - Returns: A reply to each command.
  /// - Throws: `MartletError` with code `.cacheFailed`, also when a reply is an error; `CancellationError` between two
  ///   attempts.
  func send(_ commands: [RESPCommand], isRepeated: Bool = false) async throws -> [RESPValue] {
    let end = clock.now() + (isRepeated ? Self.retryTime : .zero)
    while true {
      do {
        return try await attempt(commands)
      } catch .unavailable(let error) {
        guard clock.now() < end else { throw error }
        try await clock.sleep(.milliseconds(250))
      } catch .permanent(let error) {
        throw error
      }
    }
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
    case .connecting(let future, after: nil): _ = try? await future.get()
    case .idle, .paused, .connecting, .closed: break
    }
  }

  // MARK: Sending

  private enum AttemptError: Error {
    /// The server cannot be used now.
    case unavailable(MartletError)
    case permanent(MartletError)
  }

  private func attempt(_ commands: [RESPCommand]) async throws(AttemptError) -> [RESPValue] {
    let connection = try await connection()
    let replies: [RESPValue]
    do {
      replies = try await connection.send(commands, configuration.limits)
    } catch {
      throw .unavailable(pause(connection, after: error))
    }
    for (command, reply) in zip(commands, replies) {
      guard let error = reply.error.map(RedisServerError.init) else { continue }
      let failure = error.failure(of: command)
      guard !error.isUnavailable else { throw .unavailable(pause(connection, after: failure)) }
      throw .permanent(.redis(configuration, failure))
    }
    return replies
  }

  private func connection() async throws(AttemptError) -> RedisConnection {
    let found = state.withLock { state in
      Result { () throws(AttemptError) in try access(&state) }
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

  private func access(_ state: inout State) throws(AttemptError) -> Access {
    switch state {
    case .closed: throw .permanent(.redisClosed(configuration))
    case .connected(let connection) where connection.isOpen: return .open(connection)
    case .connecting(let future, after: nil): return .pending(future)
    case .connecting(_, after: let error?):
      throw .unavailable(.redisPaused(configuration, after: error))
    case .paused(let end, let error):
      guard clock.now() >= end else {
        throw .unavailable(.redisPaused(configuration, after: error))
      }
      return connect(&state, after: error)
    case .idle, .connected: return connect(&state, after: nil)
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
    _ = change(to: .paused(until: clock.now() + time, error))
    return error
  }

  /// Closes a connection that has failed. Returns the error.
  private func pause(_ connection: RedisConnection, after error: any Error) -> MartletError {
    connection.closeAtOnce()
    let isCurrent = state.withLock { state in
      if case .connected(let current) = state { current === connection } else { false }
    }
    return isCurrent ? pause(.seconds(1), after: error) : .redis(configuration, error)
  }
}

extension RedisConfiguration {
  /// The time limits of all commands but the first ones of a connection.
  fileprivate var limits: RedisTimeLimits {
    RedisTimeLimits(silence: timeout, total: timeout * 10)
  }
}

extension EventLoopFuture<RedisConnection> {
  /// Returns the connection, or throws `RedisFailure` after a time.
  fileprivate func get(within time: Duration) async throws -> RedisConnection {
    let promise = eventLoop.makePromise(of: RedisConnection.self)
    let timer = eventLoop.scheduleTask(in: TimeAmount(time)) {
      promise.fail(RedisFailure.notConnected(after: time))
    }
    whenComplete { result in
      timer.cancel()
      promise.completeWith(result)
    }
    return try await promise.futureResult.get()
  }
}
