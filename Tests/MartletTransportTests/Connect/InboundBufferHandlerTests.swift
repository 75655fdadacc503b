import NIOCore
import NIOEmbedded
import Testing

@testable import MartletTransport

/// Bytes that arrive before a connection is set up.
struct InboundBufferHandlerTests {
  @Test func `while bytes wait for a connection, no more are read`() throws {
    let counter = ReadCounter()
    let channel = EmbeddedChannel(handlers: [counter, InboundBufferHandler()])
    let pipeline = channel.pipeline.syncOperations
    channel.read()
    #expect(counter.count == 1)
    try channel.writeInbound(ByteBuffer(string: "early"))
    channel.read()
    channel.read()
    #expect(counter.count == 1)

    InboundBufferHandler.release(in: pipeline)
    #expect(try channel.readInbound(as: ByteBuffer.self) == ByteBuffer(string: "early"))
    #expect(counter.count == 2)
    channel.read()
    #expect(counter.count == 3)
    _ = try channel.finish()
  }
}
