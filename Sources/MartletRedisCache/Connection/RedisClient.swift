import EssentialFoundation
import MartletCore
import NIOCore

/// Sends commands to a server, over one connection.
final class RedisClient: Sendable {
  /// How long commands that are repeated wait for the server to recover.
  private static let retryTime = TimeAmount.seconds(5)

  let configuration: RedisConfiguration
  private let connector: RedisConnector
  private let clock: RedisClock

  /// A client.
  ///
  /// - Parameters:
  ///   - configuration: The server.
  ///   - group: The event loops for the connection.
  ///   - connectionWait: How long commands wait for a connection. The default is the time-out of the configuration.
  ///   - clock: The time. The default is that of the system.
  init(
    _ configuration: RedisConfiguration, on group: any EventLoopGroup,
    connectionWait: Duration? = nil, clock: RedisClock = .system
  ) {
    self.configuration = configuration
    self.clock = clock
    connector = RedisConnector(
      configuration, on: group, connectionWait: connectionWait ?? configuration.timeout,
      now: clock.now)
  }

  /// Sends commands, and returns their replies.
  ///
  /// - Parameters:
  ///   - commands: One command or more.
  ///   - isRepeated: Whether they are sent again when the server cannot be used, for five seconds. They may run twice.
  ///     The default returns false.
  /// - Returns: A reply to each command.
  /// - Throws: `MartletError` with code `.cacheFailed`, also when a reply is an error; `CancellationError` between two
  ///   attempts.
  func send(_ commands: [RESPCommand], isRepeated: () -> Bool = { false }) async throws
    -> [RESPValue]
  {
    let end = clock.now() + Self.retryTime
    while true {
      do {
        return try await attempt(commands)
      } catch .unavailable(let error) {
        guard isRepeated(), clock.now() < end else { throw error }
        try await clock.sleep(.milliseconds(250))
      } catch .permanent(let error) {
        throw error
      }
    }
  }

  private func attempt(_ commands: [RESPCommand]) async throws(RedisError) -> [RESPValue] {
    let connection = try await connector.connection()
    let replies: [RESPValue]
    do {
      replies = try await connection.send(commands, configuration.limits)
    } catch {
      throw .unavailable(connector.pause(connection, after: error))
    }
    for (command, reply) in zip(commands, replies) {
      guard let error = reply.error.map(RedisServerError.init) else { continue }
      let failure = error.failure(of: command)
      guard !error.isUnavailable else {
        throw .unavailable(connector.pause(connection, after: failure))
      }
      throw .permanent(.redis(configuration, failure))
    }
    return replies
  }

  /// Closes the connection. All later commands fail.
  func close() async {
    await connector.close()
  }
}

/// The time, which tests move.
struct RedisClock: Sendable {
  var now: @Sendable () -> NIODeadline
  var sleep: @Sendable (TimeAmount) async throws -> Void

  static let system = RedisClock(now: { .now() }) { time in
    try await Task.sleep(nanoseconds: UInt64(time.nanoseconds))
  }
}

/// Why commands have failed.
enum RedisError: Error {
  /// The server cannot be used now.
  case unavailable(MartletError)
  /// Sending the commands again would not help.
  case permanent(MartletError)
}

extension RedisConfiguration {
  /// The time limits of all commands but the first ones of a connection.
  fileprivate var limits: RedisTimeLimits {
    RedisTimeLimits(silence: timeout, total: timeout * 10)
  }
}
