import MartletCore
import NIOCore
import NIOEmbedded
import Testing

@testable import MartletTransport

/// How many buffers a channel reads into in turn.
struct ReadBuffersTests {
  private let channel = EmbeddedChannel(handler: InboundGate())

  @Test func `a plain channel keeps more of them while a file is written`() throws {
    try take(.many, tls: nil)
    #expect(try buffers == 16)
    try take(.few, tls: nil)
    #expect(try buffers == 4)
  }

  @Test func `a channel with TLS is left as it is`() throws {
    try take(.many, tls: .milliseconds(1))
    #expect(try buffers == nil)
  }

  private func take(_ buffers: ReadBuffers, tls: Duration?) throws {
    let info = ConnectionInfo(
      protocolName: "http/1.1", localAddress: nil, remoteAddress: nil, resolve: nil, connect: .zero,
      tls: tls, tlsVersion: nil)
    buffers.take(
      in: try channel.pipeline.syncOperations.context(handlerType: InboundGate.self), over: info)
  }

  private var buffers: UInt? {
    get throws {
      channel.options.first { $0.option is ChannelOptions.Types.MaxMessagesPerReadOption }?.value
        as? UInt
    }
  }
}
