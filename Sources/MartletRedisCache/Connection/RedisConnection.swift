import EssentialFoundation
import MartletTransport
import NIOCore
import NIOPosix

/// A connection to a server.
final class RedisConnection: Sendable {
  private let channel: any Channel

  private init(_ channel: any Channel) {
    self.channel = channel
  }

  deinit { channel.close(promise: nil) }

  /// Whether commands can be sent.
  var isOpen: Bool { channel.isActive }

  /// Connects, authenticates, and selects the database.
  ///
  /// - Throws: `RedisFailure`, and errors of NIO.
  static func open(_ configuration: RedisConfiguration, on loop: any EventLoop) async throws
    -> RedisConnection
  {
    guard (1...65535).contains(configuration.port) else { throw RedisFailure.invalidPort }
    let tls = try await RedisTLS(configuration)
    let bootstrap = ClientBootstrap(group: loop)
      .connectTimeout(TimeAmount(configuration.connectTimeout))
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          channel.closeOnExec()
          let pipeline = channel.pipeline.syncOperations
          if let tls { try pipeline.addHandler(tls.makeHandler()) }
          try pipeline.addHandler(RedisChannelHandler(RedisLayout.limits))
        }
      }
    let channel = try await bootstrap.connect(host: configuration.host, port: configuration.port)
      .get()
    let connection = RedisConnection(channel)
    do {
      try await connection.greet(configuration)
    } catch {
      throw tls?.failure ?? error
    }
    return connection
  }

  private func greet(_ configuration: RedisConfiguration) async throws {
    let (commands, limit) = (configuration.greeting, configuration.connectTimeout)
    let replies = try await send(commands, RedisTimeLimits(silence: limit, total: limit))
    for (command, reply) in zip(commands, replies) {
      if let error = reply.error { throw RedisServerError(error).failure(of: command) }
    }
  }

  /// Sends commands, and returns their replies. It also waits for them when the task is cancelled.
  ///
  /// - Parameters:
  ///   - commands: One command or more.
  ///   - limits: How long the replies may take. Then the connection is closed.
  /// - Returns: A reply to each command.
  /// - Throws: `RedisFailure`.
  func send(_ commands: [RESPCommand], _ limits: RedisTimeLimits) async throws -> [RESPValue] {
    let promise = channel.eventLoop.makePromise(of: [RESPValue].self)
    channel.writeAndFlush(RedisBatch(commands, limits, promise)).whenFailure { error in
      // A connection that is closed does not pass the commands to its handler.
      promise.fail(error is ChannelError ? RedisFailure.closed : .failed(error))
    }
    return try await promise.futureResult.get()
  }

  /// Closes the connection. Commands without a reply fail.
  func close() async {
    try? await channel.close()
  }

  /// Closes the connection without waiting.
  func closeAtOnce() {
    channel.close(promise: nil)
  }
}

extension EventLoopFuture<RedisConnection> {
  /// Returns the connection, or throws `RedisFailure` after a time.
  func get(within time: Duration) async throws -> RedisConnection {
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

extension RedisConfiguration {
  /// The first commands of a connection, at least one.
  fileprivate var greeting: [RESPCommand] {
    var commands: [RESPCommand] = []
    if let password {
      let arguments = [user, password].compactMap(\.self)
      commands.append(RESPCommand("AUTH", arguments: arguments, reply: .status))
    }
    if database != 0 { commands.append(RESPCommand("SELECT", Int64(database), reply: .status)) }
    return commands.isEmpty ? [RESPCommand("PING", reply: .status)] : commands
  }
}
