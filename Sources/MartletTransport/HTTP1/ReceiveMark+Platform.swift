import EssentialFoundation
import NIOCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension ReceiveMark {
  /// The socket's option for it, where the system applies the mark to `poll` and not only to `read`.
  static var option: ChannelOptions.Types.SocketOption? {
    #if os(Linux)
    ChannelOptions.socketOption(.init(rawValue: SO_RCVLOWAT))
    #else
    nil
    #endif
  }
}
