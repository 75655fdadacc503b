import Foundation
import NIOCore

extension HTTP1Connection {
  /// Asks the system; what cannot be asked, such as a Unix-domain socket, counts as standing.
  var isStanding: Bool {
    guard isActive, let channel = context?.channel as? any SocketOptionProvider else {
      return isActive
    }
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
