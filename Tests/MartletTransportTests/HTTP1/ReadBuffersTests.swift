import NIOCore
import NIOEmbedded
import NIOSSL
import Testing

@testable import MartletTransport

/// How many buffers a channel reads into in turn (design, the hot path).
final class ReadBuffersTests {
  private let channel = EmbeddedChannel(handler: InboundBufferHandler())

  /// A channel that is not closed refers to itself.
  deinit {
    _ = try? channel.finish(acceptAlreadyClosed: true)
  }

  @Test func `a plain channel has more of them for files`() throws {
    try take(.forFiles)
    #expect(buffers == 16)
    try take(.standard)
    #expect(buffers == 4)
  }

  @Test func `a channel with TLS is left as it is`() throws {
    let tls = try NIOSSLClientHandler(
      context: NIOSSLContext(configuration: .makeClientConfiguration()), serverHostname: nil)
    try channel.pipeline.syncOperations.addHandler(tls, position: .first)
    try take(.forFiles)
    #expect(buffers == nil)
  }

  private func take(_ buffers: ReadBuffers) throws {
    buffers.apply(
      to: try channel.pipeline.syncOperations.context(handlerType: InboundBufferHandler.self))
  }

  private var buffers: UInt? {
    channel.options.first { $0.option is ChannelOptions.Types.MaxMessagesPerReadOption }?.value
      as? UInt
  }
}
