import MartletCore
import NIOCore

/// How many buffers a channel reads into in turn, instead of asking for memory for every read.
///
/// A file's writer holds on to some of them while others are being filled. When all are taken a new one
/// is allocated, and of 256 KiB of new memory the system's work costs more than the reading.
enum ReadBuffers: UInt {
  /// What a channel has unless it is told otherwise.
  case few = 4
  /// As many as may be waiting for a file's writer, and being filled meanwhile.
  case many = 16

  /// Has a channel use so many, and let go of any more.
  ///
  /// TLS hands on its own buffer and not the channel's, a larger one the more is read at a time: its
  /// channels are left as they are.
  func take(in context: ChannelHandlerContext?, over info: ConnectionInfo) {
    guard info.tls == nil else { return }
    try? context?.channel.syncOptions?.setOption(.maxMessagesPerRead, value: rawValue)
  }
}
