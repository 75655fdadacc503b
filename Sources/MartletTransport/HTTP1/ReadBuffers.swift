import NIOCore
import NIOSSL

/// How many buffers a channel reads into in turn, instead of asking for memory for every read.
///
/// A file's writer holds on to some of them while others are being filled. When all are taken a new one
/// is allocated, and the system takes longer to provide 256 KiB of new memory than to read into them.
enum ReadBuffers: UInt {
  /// The default of a channel.
  case few = 4
  /// Most of those that a file's writer may have at a time, and those that are being filled meanwhile.
  case many = 16

  /// Has a channel use so many, and let go of any more.
  ///
  /// TLS hands on its own buffer and not the channel's, a larger one the more is read at a time: a channel
  /// with TLS, be it with a proxy, is left as it is.
  func take(in context: ChannelHandlerContext?) {
    guard let context, !context.hasTLS else { return }
    try? context.channel.syncOptions?.setOption(.maxMessagesPerRead, value: rawValue)
  }
}

extension ChannelHandlerContext {
  fileprivate var hasTLS: Bool {
    (try? pipeline.syncOperations.context(handlerType: NIOSSLClientHandler.self)) != nil
  }
}
