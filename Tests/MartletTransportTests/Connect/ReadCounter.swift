import NIOCore

/// Counts how often the channel is asked to read.
final class ReadCounter: ChannelOutboundHandler {
  typealias OutboundIn = ByteBuffer
  private(set) var count = 0

  func read(context: ChannelHandlerContext) {
    count += 1
    context.read()
  }
}
