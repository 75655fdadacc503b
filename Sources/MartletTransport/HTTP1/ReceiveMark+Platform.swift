import Foundation
import NIOCore

extension ReceiveMark {
  /// The socket's option for it, where the mark is heeded when somebody waits and not only when reading.
  static var option: ChannelOptions.Types.SocketOption? {
    #if os(Linux)
    ChannelOptions.socketOption(.init(rawValue: SO_RCVLOWAT))
    #else
    nil
    #endif
  }
}
