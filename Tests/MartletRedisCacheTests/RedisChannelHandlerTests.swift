import MartletCore
import NIOCore
import NIOEmbedded
import Testing

@testable import MartletRedisCache

@Suite(.timeLimit(.minutes(5)))
struct RedisChannelHandlerTests {
  private let channel: EmbeddedChannel

  init() throws {
    channel = EmbeddedChannel(handler: RedisChannelHandler(RedisLayout.limits))
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
  }

  private func send(_ commands: RESPCommand..., within timeout: Duration = .seconds(1))
    -> EventLoopFuture<[RESPValue]>
  {
    let promise = channel.eventLoop.makePromise(of: [RESPValue].self)
    channel.writeAndFlush(RedisBatch(commands, within: timeout, promise), promise: nil)
    return promise.futureResult
  }

  private func receive(_ text: String) throws {
    try channel.writeInbound(ByteBuffer(string: text))
  }

  private func failure(_ future: EventLoopFuture<[RESPValue]>) throws -> String {
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
    channel.embeddedEventLoop.advanceTime(by: .milliseconds(600))
    let second = send(.get("b"))
    channel.embeddedEventLoop.advanceTime(by: .milliseconds(399))
    #expect(channel.isActive)
    channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
    #expect(!channel.isActive)
    #expect(try failure(first) == "did not answer within 1.0 seconds")
    #expect(try failure(second) == "did not answer within 1.0 seconds")
  }

  @Test func `each command has a deadline of its own`() throws {
    for _ in 0..<5 {
      let reply = send(.get("a"))
      channel.embeddedEventLoop.advanceTime(by: .milliseconds(900))
      try receive("$-1\r\n")
      #expect(try reply.wait() == [.bulk(nil)])
    }
    channel.embeddedEventLoop.advanceTime(by: .hours(1))
    #expect(channel.isActive)
    _ = try channel.finish()
  }

  @Test func `a deadline is not delayed by the longer one of earlier commands`() throws {
    let first = send(.get("a"), within: .seconds(100))
    try receive("$-1\r\n")
    #expect(try first.wait() == [.bulk(nil)])
    let second = send(.get("b"))
    channel.embeddedEventLoop.advanceTime(by: .seconds(1))
    #expect(!channel.isActive)
    #expect(try failure(second) == "did not answer within 1.0 seconds")
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

  @Test func `a reply without a command closes the connection`() throws {
    try receive("+OK\r\n")
    #expect(!channel.isActive)
  }

  @Test func `commands fail when the connection is closed`() throws {
    let reply = send(.get("a"))
    try receive("$5\r\nab")
    try channel.close().wait()
    #expect(try failure(reply) == "closed the connection")
  }
}
