import NIOCore

/// Copies the bytes that TLS has decrypted to buffers that are reused.
///
/// `NIOSSLHandler` decrypts into one buffer during its whole life. A body may keep a part of this buffer until it is
/// read or written to a file. Then `NIOSSLHandler` copies the whole buffer to new memory before it decrypts more, even
/// if the buffer was nearly empty. Copying only the decrypted bytes, while they are in the processor's cache, costs a
/// third of that. A connection keeps up to eight buffers, and large ones only while they are used.
final class PlaintextBuffers: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private static let maximumSize = 256 << 10
  /// The size that most responses fit in. If no larger buffer is ever filled, the buffers are kept as long as the
  /// connection lasts.
  private static let usualSize = 16 << 10
  /// How often to check whether a large buffer has been filled since the last check. If not, the buffers are
  /// released.
  static let releaseInterval = TimeAmount.seconds(5)

  /// Whether large buffers are kept.
  private(set) var keepsLarge = false
  private var hasFilledLarge = false
  private var pool = emptyPool

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    if bytes.readableBytes > Self.usualSize { recordLargeFill(on: context.eventLoop) }
    while let part = bytes.readSlice(length: min(bytes.readableBytes, Self.maximumSize)),
      part.readableBytes > 0
    {
      pool.recvAllocator = FixedSizeRecvByteBufferAllocator(capacity: part.readableBytes)
      let (copy, _) = pool.buffer(allocator: context.channel.allocator) {
        $0.writeImmutableBuffer(part)
      }
      context.fireChannelRead(wrapInboundOut(copy))
    }
  }

  private func recordLargeFill(on loop: any EventLoop) {
    hasFilledLarge = true
    guard !keepsLarge else { return }
    keepsLarge = true
    scheduleRelease(on: loop)
  }

  /// Schedules the check that releases the buffers, and repeats it until no large buffer was filled in an interval.
  private func scheduleRelease(on loop: any EventLoop) {
    hasFilledLarge = false
    loop.assumeIsolated().scheduleTask(in: Self.releaseInterval) { [weak self] in
      guard let self else { return }
      guard !hasFilledLarge else { return scheduleRelease(on: loop) }
      keepsLarge = false
      pool = Self.emptyPool
    }
  }

  private static var emptyPool: NIOPooledRecvBufferAllocator {
    NIOPooledRecvBufferAllocator(
      capacity: 8, recvAllocator: FixedSizeRecvByteBufferAllocator(capacity: 1 << 10))
  }
}
