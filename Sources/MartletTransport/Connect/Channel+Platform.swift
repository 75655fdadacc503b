import EssentialFoundation
import NIOCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension Channel {
  /// Whether the system takes the connection for open in both directions, as of now.
  ///
  /// What cannot be asked, such as a Unix-domain socket, counts as standing. To be called on the
  /// channel's event loop.
  var isStanding: Bool {
    guard isActive, let channel = self as? any SocketOptionProvider else { return isActive }
    #if os(Linux)
    var isEstablished = true
    // On its loop the future is complete at once.
    channel.getTCPInfo().assumeIsolated().whenSuccess { info in
      isEstablished = info.tcpi_state == UInt8(TCP_ESTABLISHED)
    }
    return isEstablished
    #else
    return true
    #endif
  }
}
