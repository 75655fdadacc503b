import EssentialFoundation
package import NIOCore

extension Channel {
  /// Whether the system currently reports the connection as open in both directions.
  ///
  /// A socket without this information, such as a Unix-domain socket, counts as open. Call it on the channel's event
  /// loop.
  var isSocketOpen: Bool {
    #if os(Linux)
    isActive && tcpInfo.map { $0.tcpi_state == UInt8(TCP_ESTABLISHED) } ?? true
    #else
    isActive
    #endif
  }

  /// When bytes last arrived at the system, which may hold a part of a TLS record; `nil` where the system does not report it,
  /// such as for Unix-domain sockets.
  ///
  /// It may be some milliseconds too late. Call it on the channel's event loop.
  var lastArrival: NIODeadline? {
    #if os(Linux)
    // A system that does not fill the struct leaves zeros.
    tcpInfo.flatMap {
      $0.tcpi_rcv_mss > 0 ? .now() - .milliseconds(Int64($0.tcpi_last_data_recv)) : nil
    }
    #else
    nil
    #endif
  }

  #if os(Linux)
  private var tcpInfo: tcp_info? {
    var found: tcp_info?
    // On the channel's event loop the future is complete at once.
    (self as? any SocketOptionProvider)?.getTCPInfo().assumeIsolated().whenSuccess { found = $0 }
    return found
  }
  #endif
}

extension Channel {
  /// Keeps the socket from the programs that this process starts, which SwiftNIO does not do for clients.
  ///
  /// A program that another thread starts in the moment before may inherit it. Call it on the channel's event loop.
  package func closeOnExec() {
    try? pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) {
      _ = fcntl($0, F_SETFD, FD_CLOEXEC)
    }
  }
}

extension Channel {
  /// Limits the unsent bytes that the system holds. If the option is not available, the system holds more, and
  /// nothing else changes.
  ///
  /// - Parameter limit: The limit in bytes; `nil` if it does not change.
  func limitUnsentBytes(to limit: Int?) {
    guard let limit else { return }
    let option = ChannelOptions.Types.SocketOption(
      level: .tcp, name: .init(rawValue: TCP_NOTSENT_LOWAT))
    try? syncOptions?.setOption(option, value: SocketOptionValue(limit))
  }

  /// The state of the socket's send queue; `nil` where the system does not report it, such as for Unix-domain
  /// sockets.
  ///
  /// Call it on the channel's event loop.
  var sendQueue: SendProgress.Queue? {
    #if os(Linux)
    try? pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) {
      SendProgress.Queue(socket: $0)
    } ?? nil
    #else
    nil
    #endif
  }

  /// How many written bytes the system has not taken. Call it on the channel's event loop.
  var bufferedBytes: Int { (try? syncOptions?.getOption(.bufferedWritableBytes)) ?? 0 }
}

extension SendProgress {
  /// Updates the progress from the socket's send queue, if that may hold bytes.
  ///
  /// - Returns: When bytes last left, if any have since the previous update.
  mutating func update(from channel: (any Channel)?) -> NIODeadline? {
    guard isPending, let queue = channel?.sendQueue else { return nil }
    // The age of the last acknowledgement is counted from now, not from the beginning of the loop's turn.
    return update(with: queue, .now())
  }
}

#if os(Linux)
extension SendProgress.Queue {
  /// The offset of `tcpi_bytes_acked` in `struct tcp_info` of linux/tcp.h (Linux 4.1).
  ///
  /// The struct of the C library lacks this field.
  private static let acknowledgedOffset = 120
  /// The offset of `tcpi_last_ack_recv`, in milliseconds.
  private static let ageOffset = 56

  fileprivate init?(socket: CInt) {
    var info = [UInt64](repeating: 0, count: Self.acknowledgedOffset / 8 + 1)
    var size = socklen_t(info.count * 8)
    var length: CInt = 0
    // The length first: what is acknowledged meanwhile then counts twice, and not never.
    guard ioctl(socket, UInt(TIOCOUTQ), &length) == 0,
      getsockopt(socket, CInt(IPPROTO_TCP), TCP_INFO, &info, &size) == 0,
      size == info.count * 8
    else { return nil }
    let age = info.withUnsafeBytes { $0.load(fromByteOffset: Self.ageOffset, as: UInt32.self) }
    self.init(
      acknowledged: info[Self.acknowledgedOffset / 8], length: Int(length),
      age: .milliseconds(Int64(age)))
  }
}
#endif

extension ReceiveLowWaterMark {
  /// The socket option for the mark; `nil` on systems other than Linux, where no mark is set.
  static var option: ChannelOptions.Types.SocketOption? {
    #if os(Linux)
    ChannelOptions.socketOption(.init(rawValue: SO_RCVLOWAT))
    #else
    nil
    #endif
  }

  /// Sets a mark. If that fails, the event loop is only woken more often.
  static func set(_ mark: Int, on channel: (any Channel)?) {
    guard let option else { return }
    try? channel?.syncOptions?.setOption(option, value: SocketOptionValue(mark))
  }
}

#if canImport(Glibc)
/// Glibc declares the socket types as an enumeration.
let streamSocketType = CInt(SOCK_STREAM.rawValue)
#else
let streamSocketType = SOCK_STREAM
#endif

/// An error of the system's resolver.
struct ResolverFailure: Error, CustomStringConvertible {
  let status: CInt

  var description: String {
    String(cString: gai_strerror(status))
  }
}
