import NIOCore

/// Hands on what TLS has decrypted in buffers that are used again.
///
/// `NIOSSLHandler` decrypts into one buffer for as long as it lives. Whoever keeps some of that, until a
/// reader gets to it or a file has it, makes the handler copy all of the buffer before it decrypts on,
/// however little of it was filled, into memory that is new every time. A copy of what came, made while the
/// processor still has it at hand, costs a third of that. A connection keeps up to eight of the buffers.
final class PlaintextBuffers: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private static let largest = 256 << 10
  private var pool = NIOPooledRecvBufferAllocator(
    capacity: 8, recvAllocator: FixedSizeRecvByteBufferAllocator(capacity: 1 << 10))

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    while let part = bytes.readSlice(length: min(bytes.readableBytes, Self.largest)),
      part.readableBytes > 0
    {
      pool.recvAllocator = FixedSizeRecvByteBufferAllocator(capacity: part.readableBytes)
      let (copy, _) = pool.buffer(allocator: context.channel.allocator) {
        $0.writeImmutableBuffer(part)
      }
      context.fireChannelRead(wrapInboundOut(copy))
    }
  }
}
