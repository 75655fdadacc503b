import MartletCore
import NIOCore
import NIOEmbedded
import Testing

@testable import MartletRedisCache

/// Takes no bytes before it is closed.
private final class FullSocket: ChannelOutboundHandler {
  typealias OutboundIn = ByteBuffer

  private var waiting: [EventLoopPromise<Void>] = []

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if let promise { waiting.append(promise) }
  }

  func flush(context: ChannelHandlerContext) {}

  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    for promise in waiting { promise.fail(ChannelError.ioOnClosedChannel) }
    context.close(mode: mode, promise: promise)
  }
}

@Suite(.timeLimit(.minutes(5)))
final class RedisChannelHandlerTests {
  private let channel: EmbeddedChannel

  init() throws {
    channel = EmbeddedChannel(handler: RedisChannelHandler(RedisLayout.limits))
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
  }

  /// A channel that is not closed refers to itself.
  deinit {
    _ = try? channel.finish(acceptAlreadyClosed: true)
  }

  private func send(
    _ commands: RESPCommand..., silence: Duration = .seconds(1), total: Duration = .seconds(10),
    isFlushed: Bool = true
  ) -> EventLoopFuture<[RESPValue]> {
    let promise = channel.eventLoop.makePromise(of: [RESPValue].self)
    let limits = RedisTimeLimits(silence: silence, total: total)
    channel.write(RedisBatch(commands, limits, promise), promise: nil)
    if isFlushed { channel.flush() }
    return promise.futureResult
  }

  private func advance(_ time: TimeAmount) {
    channel.embeddedEventLoop.advanceTime(by: time)
  }

  private func receive(_ text: String) throws {
    try channel.writeInbound(ByteBuffer(string: text))
  }

  private func failure(_ future: EventLoopFuture<[RESPValue]>) throws -> String {
    // Otherwise the future may have no result, for which it would wait without an end.
    try #require(!channel.isActive)
    let error = #expect(throws: RedisFailure.self) { try future.wait() }
    return try #require(error?.reason)
  }

  @Test func `commands are sent at once, and replies are matched in order`() throws {
    let first = send(.get("a"), .exists(["b"]))
    let second = send(.get("c"))
    #expect(try channel.readOutbound(as: ByteBuffer.self) != nil)
    #expect(try channel.readOutbound(as: ByteBuffer.self) != nil)
    try receive("$1\r\nA\r\n:1\r\n$1\r")
    #expect(try first.wait() == [.bulk(ByteBuffer(string: "A")), .integer(1)])
    try receive("\nC\r\n")
    #expect(try second.wait() == [.bulk(ByteBuffer(string: "C"))])
    _ = try channel.finish()
  }

  @Test func `an error is a reply, and the connection stays open`() throws {
    let reply = send(.get("a"))
    try receive("-WRONGTYPE no\r\n")
    #expect(try reply.wait() == [.error("WRONGTYPE no")])
    #expect(channel.isActive)
    _ = try channel.finish()
  }

  @Test func `when a reply is late, all commands fail and the connection is closed`() throws {
    let first = send(.get("a"))
    advance(.milliseconds(600))
    let second = send(.get("b"))
    advance(.milliseconds(399))
    #expect(channel.isActive)
    advance(.milliseconds(1))
    #expect(!channel.isActive)
    #expect(try failure(first) == "did not answer within 1 s")
    #expect(try failure(second) == "did not answer within 1 s")
  }

  @Test func `a reply that moves is not late`() throws {
    let reply = send(.get("a"))
    for part in ["$", "3", "\r\n", "a", "bc", "\r"] {
      advance(.milliseconds(900))
      try receive(part)
    }
    advance(.milliseconds(900))
    try receive("\n")
    #expect(try reply.wait() == [.bulk(ByteBuffer(string: "abc"))])
    _ = try channel.finish()
  }

  @Test func `a reply that moves without an end is late`() throws {
    let reply = send(.get("a"))
    try receive("+")
    for _ in 0..<19 {
      advance(.milliseconds(500))
      try receive("a")
    }
    #expect(channel.isActive)
    advance(.milliseconds(500))
    #expect(!channel.isActive)
    #expect(try failure(reply) == "did not answer within 10 s")
  }

  @Test func `the time in which earlier commands wait does not count`() throws {
    let replies = (0..<5).map { _ in send(.get("a")) }
    for reply in replies {
      advance(.milliseconds(900))
      try receive("$-1\r\n")
      #expect(try reply.wait() == [.bulk(nil)])
    }
    _ = try channel.finish()
  }

  @Test func `the silence begins when the commands are written`() throws {
    let reply = send(.get("a"), isFlushed: false)
    advance(.seconds(5))
    #expect(channel.isActive)
    channel.flush()
    advance(.milliseconds(999))
    #expect(channel.isActive)
    advance(.milliseconds(1))
    #expect(try failure(reply) == "did not answer within 1 s")
  }

  @Test func `commands that cannot be written fail at the end of their time`() throws {
    try channel.pipeline.syncOperations.addHandler(FullSocket(), position: .first)
    let reply = send(.get("a"))
    advance(.seconds(10))
    #expect(!channel.isActive)
    #expect(try failure(reply) == "did not answer within 10 s")
  }

  @Test func `each command has a deadline of its own`() throws {
    for _ in 0..<5 {
      let reply = send(.get("a"))
      advance(.milliseconds(900))
      try receive("$-1\r\n")
      #expect(try reply.wait() == [.bulk(nil)])
    }
    advance(.hours(1))
    #expect(channel.isActive)
    _ = try channel.finish()
  }

  @Test func `a deadline is not delayed by the longer one of earlier commands`() throws {
    let first = send(.get("a"), silence: .seconds(100), total: .seconds(100))
    try receive("$-1\r\n")
    #expect(try first.wait() == [.bulk(nil)])
    let second = send(.get("b"))
    advance(.seconds(1))
    #expect(!channel.isActive)
    #expect(try failure(second) == "did not answer within 1 s")
  }

  @Test(arguments: [
    "?\r\n", "+OK\r\n", ":1\r\n", "*0\r\n", "$-1\r\n$-1\r\n$-1\r\n", "$600000\r\n",
  ])
  func `a reply that does not fit its command closes the connection`(_ text: String) throws {
    let (first, second) = (send(.get("a")), send(.get("b")))
    try receive(text)
    #expect(!channel.isActive)
    if !text.hasPrefix("$-1") {
      #expect(try failure(first).hasPrefix("did not answer in RESP2: a"))
      #expect(try failure(second).hasPrefix("did not answer in RESP2: a"))
    }
  }

  @Test(arguments: ["+OK\r\n", "+", "$5\r\nab", "*2\r\n", "*2\r\n:1\r\n"])
  func `bytes without a command close the connection, even if they are no whole reply`(
    _ text: String
  ) throws {
    try receive(text)
    #expect(!channel.isActive)
  }

  @Test(arguments: ["+OK\r\n", "+", "$5\r\nab", "*2\r\n", "*2\r\n:1\r\n"])
  func `bytes after the last reply close the connection`(_ text: String) throws {
    let reply = send(.get("a"))
    try receive("$-1\r\n\(text)")
    #expect(try reply.wait() == [.bulk(nil)])
    #expect(!channel.isActive)
  }

  @Test func `commands fail when the connection is closed`() throws {
    let reply = send(.get("a"))
    try receive("$5\r\nab")
    try channel.close().wait()
    #expect(try failure(reply) == "closed the connection")
  }
}

extension RESPCommand {
  fileprivate static func get(_ key: String) -> RESPCommand {
    RESPCommand("GET", key, reply: .bulk)
  }

  fileprivate static func exists(_ keys: [String]) -> RESPCommand {
    RESPCommand("EXISTS", arguments: keys, reply: .integer)
  }
}
