import EssentialFoundation
import NIOCore

extension Channel {
  /// Whether the system takes the connection for open in both directions, as of now.
  ///
  /// What cannot be asked, such as a Unix-domain socket, counts as standing. To be called on the
  /// channel's event loop.
  var isSocketOpen: Bool {
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

extension Channel {
  /// How much the system may hold that it has not begun to send: enough to keep a fast network busy while the next
  /// chunk is on its way.
  ///
  /// Without a bound it takes megabytes of a body. What a peer that reads slowly is to see soon, such as a PING or
  /// the end of a suspended upload, would wait behind them for a minute.
  private static var maximumUnsentBytes: Int { BodyChunks.size }

  /// Bounds what the system holds unsent; without the option it holds more, and nothing else changes.
  func boundUnsentBytes() {
    let option = ChannelOptions.Types.SocketOption(
      level: .tcp, name: .init(rawValue: TCP_NOTSENT_LOWAT))
    try? syncOptions?.setOption(option, value: SocketOptionValue(Self.maximumUnsentBytes))
  }

  /// The state of the socket's send queue; `nil` where the system does not say it, such as for Unix-domain sockets.
  ///
  /// To be called on the channel's event loop.
  var sendQueue: SendProgress.Queue? {
    #if os(Linux)
    try? pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) {
      SendProgress.Queue(socket: $0)
    } ?? nil
    #else
    nil
    #endif
  }
}

extension SendProgress {
  /// Looks at a connection's socket, if that is due.
  ///
  /// - Returns: Whether bytes have left since the look before.
  mutating func update(from channel: (any Channel)?, _ now: NIODeadline) -> Bool {
    guard isDue(now), let queue = channel?.sendQueue else { return false }
    return update(with: queue, now)
  }
}

#if os(Linux)
extension SendProgress.Queue {
  /// Where `tcpi_bytes_acked` lies in `struct tcp_info` of linux/tcp.h (Linux 4.1), which the struct of the C library lacks.
  private static let acknowledgedOffset = 120

  fileprivate init?(socket: CInt) {
    var info = [UInt64](repeating: 0, count: Self.acknowledgedOffset / 8 + 1)
    var size = socklen_t(info.count * 8)
    var length: CInt = 0
    guard getsockopt(socket, CInt(IPPROTO_TCP), TCP_INFO, &info, &size) == 0,
      size == info.count * 8,
      ioctl(socket, UInt(TIOCOUTQ), &length) == 0
    else { return nil }
    self.init(acknowledged: info[Self.acknowledgedOffset / 8], length: Int(length))
  }
}
#endif

extension ReceiveLowWaterMark {
  /// The socket's option for it, where the system applies the mark to `poll` and not only to `read`.
  static var option: ChannelOptions.Types.SocketOption? {
    #if os(Linux)
    ChannelOptions.socketOption(.init(rawValue: SO_RCVLOWAT))
    #else
    nil
    #endif
  }
}

#if canImport(Glibc)
/// Glibc declares the socket types as an enumeration.
let streamSocketType = CInt(SOCK_STREAM.rawValue)
#else
let streamSocketType = SOCK_STREAM
#endif

/// What the system's resolver said.
struct ResolverFailure: Error, CustomStringConvertible {
  let status: CInt

  var description: String {
    String(cString: gai_strerror(status))
  }
}
