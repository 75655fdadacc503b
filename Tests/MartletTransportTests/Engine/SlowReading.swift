import NIOCore
import NIOPosix

/// Reads 16 KiB of a connection every 20 ms, out of a small receive buffer: steadily, and slower than any client sends.
final class SlowReading: ChannelOutboundHandler {
  typealias OutboundIn = ByteBuffer

  /// What the reading needs of the server's sockets.
  static func options(_ bootstrap: ServerBootstrap) -> ServerBootstrap {
    bootstrap
      .serverChannelOption(.socketOption(.so_rcvbuf), value: 32 << 10)
      .childChannelOption(.maxMessagesPerRead, value: 1)
      .childChannelOption(
        .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 16 << 10))
  }

  func read(context: ChannelHandlerContext) {
    context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(20)) { context.read() }
  }
}
