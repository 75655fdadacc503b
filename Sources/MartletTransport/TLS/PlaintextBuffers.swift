import NIOCore

/// Hands on what TLS has decrypted in buffers that are used again.
///
/// `NIOSSLHandler` decrypts into one buffer for as long as it lives. A body that keeps some of that, until a
/// reader gets to it or a file has it, makes the handler copy all of the buffer before it decrypts on,
/// however little of it was filled, into memory that is new every time. A copy of what came, made while the
/// processor still has it at hand, costs a third of that. A connection keeps up to eight of the buffers, and
/// large ones only while they are of use.
final class PlaintextBuffers: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private static let largest = 256 << 10
  /// What most responses fit in: as much is kept for as long as the connection lasts.
  private static let usual = 16 << 10
  /// How often to look whether a large buffer has been filled since the last time; those that were not, go.
  static let releaseInterval = TimeAmount.seconds(5)

  /// Whether large buffers are kept.
  private(set) var keepsLarge = false
  private var hasFilledLarge = false
  private var pool = emptyPool

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    if bytes.readableBytes > Self.usual { fillsLarge(on: context.eventLoop) }
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

  private func fillsLarge(on loop: any EventLoop) {
    hasFilledLarge = true
    guard !keepsLarge else { return }
    keepsLarge = true
    lookAgain(on: loop)
  }

  /// Lets go of the buffers once no large one has been filled for a while.
  private func lookAgain(on loop: any EventLoop) {
    hasFilledLarge = false
    loop.assumeIsolated().scheduleTask(in: Self.releaseInterval) { [weak self] in
      guard let self else { return }
      guard !hasFilledLarge else { return lookAgain(on: loop) }
      keepsLarge = false
      pool = Self.emptyPool
    }
  }

  private static var emptyPool: NIOPooledRecvBufferAllocator {
    NIOPooledRecvBufferAllocator(
      capacity: 8, recvAllocator: FixedSizeRecvByteBufferAllocator(capacity: 1 << 10))
  }
}
