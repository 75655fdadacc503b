import NIOCore
import NIOSSL

/// The buffers into which a channel reads in turn, instead of allocating a buffer for every read.
///
/// When all are in use, a new buffer is allocated. The system takes longer to provide 256 KiB of new memory than to read as many
/// bytes.
enum ReadBuffers {
  /// The default of a channel.
  case standard
  /// Enough for most of the buffers that a file's writer may keep, and for the buffers that are filled at that time.
  case forFiles
  /// Two large ones, of which a reader has one. Each read acknowledges all that it has read, and a server that receives many
  /// acknowledgements sends many small pieces.
  case forVeryFastBodies

  /// Buffers that are small for small responses and grow to 256 KiB for large bodies. An idle channel keeps its last one.
  static let adaptive = AdaptiveRecvByteBufferAllocator(
    minimum: 1 << 10, initial: 2 << 10, maximum: 256 << 10)
  private static let large = FixedSizeRecvByteBufferAllocator(capacity: 2 << 20)

  /// How many buffers there are, and how often the channel reads each time the socket is readable.
  private var count: UInt {
    switch self {
    case .standard: 4
    case .forFiles: 16
    case .forVeryFastBodies: 2
    }
  }

  private var allocator: any RecvByteBufferAllocator {
    switch self {
    case .standard, .forFiles: Self.adaptive
    case .forVeryFastBodies: Self.large
    }
  }

  /// Sets the buffers of a channel, and releases the present ones except one.
  ///
  /// TLS passes on its own buffer, not the channel's, and this buffer grows with the bytes that are read at a time. So
  /// a channel with TLS, even if only to a proxy, is not changed.
  func apply(to context: ChannelHandlerContext?) {
    guard let context, !context.hasTLS else { return }
    let options = context.channel.syncOptions
    try? options?.setOption(.recvAllocator, value: allocator)
    for number in [1, count] { try? options?.setOption(.maxMessagesPerRead, value: number) }
  }
}

extension ChannelHandlerContext {
  fileprivate var hasTLS: Bool {
    (try? pipeline.syncOperations.context(handlerType: NIOSSLClientHandler.self)) != nil
  }
}
