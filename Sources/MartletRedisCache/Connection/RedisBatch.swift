import NIOCore

/// Commands that are sent together, with a promise of their replies.
struct RedisBatch: Sendable {
  let bytes: ByteBuffer
  let replies: [RESPCommand.Reply]
  let limits: RedisTimeLimits
  let promise: EventLoopPromise<[RESPValue]>

  init(
    _ commands: [RESPCommand], _ limits: RedisTimeLimits, _ promise: EventLoopPromise<[RESPValue]>
  ) {
    bytes = commands.reduce(into: ByteBuffer()) { $1.write(to: &$0) }
    replies = commands.map(\.reply)
    self.limits = limits
    self.promise = promise
  }
}

/// How long replies may take. The time in which earlier commands wait for theirs does not count.
struct RedisTimeLimits: Sendable {
  /// The longest time without a byte, after the commands were written.
  var silence: Duration
  /// The longest time until the last byte, with the time for writing.
  var total: Duration
}
