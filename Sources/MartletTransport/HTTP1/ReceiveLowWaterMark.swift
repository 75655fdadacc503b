import NIOCore
import NIOSSL

/// How many bytes must have arrived before the system reports a socket as readable (`SO_RCVLOWAT`).
///
/// A receiver that is faster than its server is woken for every packet, and that costs more than to read the packet. So
/// while a long body of known length arrives fast, the mark is 256 KiB. It falls to 1 when no more bytes arrive, and
/// before the body ends, so that received bytes never wait for long.
///
/// A pure value: it decides the mark, and the connection sets it.
struct ReceiveLowWaterMark {
  /// The mark for a fast body. At the lowest speed of a fast body, that many bytes arrive within 13 ms.
  static let high = 256 << 10
  /// A body is fast when this many bytes of it arrive within ``interval``, which is 20 MiB/s.
  static let fastByteCount = 1 << 20
  static let interval = TimeAmount.milliseconds(50)
  /// After this time without a byte, a body is no longer fast.
  static let idleTimeout = TimeAmount.milliseconds(20)
  /// The mark rises only if at least this many bytes of a body are left, and falls when less than half of this number
  /// is left. Bytes of an incomplete TLS record, which have left the socket but are not counted yet, are far fewer.
  static let minimumRemaining: Int64 = 4 << 20

  private var isHigh = false
  private var began = NIODeadline.uptimeNanoseconds(0)
  private var receivedBytes = 0
  private var last = NIODeadline.uptimeNanoseconds(0)

  /// Updates the mark after bytes of a body have arrived.
  ///
  /// - Parameters:
  ///   - count: How many bytes.
  ///   - rest: How many are left.
  ///   - now: The time.
  /// - Returns: The new mark, if it changes.
  mutating func received(_ count: Int, rest: Int64, at now: NIODeadline) -> Int? {
    last = now
    if isHigh { return rest < Self.minimumRemaining / 2 ? lower() : nil }
    guard rest >= Self.minimumRemaining else { return nil }
    if now - began > Self.interval { (began, receivedBytes) = (now, 0) }
    receivedBytes += count
    guard receivedBytes >= Self.fastByteCount else { return nil }
    isHigh = true
    return Self.high
  }

  /// Updates the mark after some time in which the exchange was not paused.
  ///
  /// - Returns: The new mark, if it changes.
  mutating func waited(until now: NIODeadline) -> Int? {
    isHigh && now - last >= Self.idleTimeout ? lower() : nil
  }

  private mutating func lower() -> Int {
    isHigh = false
    receivedBytes = 0
    return 1
  }
}

/// How many buffers a channel reads into in turn, instead of allocating a buffer for every read.
///
/// A file's writer keeps some of them while others are being filled. When all are in use, a new buffer is allocated.
/// The system takes longer to provide 256 KiB of new memory than to read as many bytes.
enum ReadBuffers: UInt {
  /// The default of a channel.
  case standard = 4
  /// Enough for most of the buffers that a file's writer may keep, and for the buffers that are filled at that time.
  case forFiles = 16

  /// Sets how many buffers a channel uses, and releases the buffers above that number. It also sets how often the
  /// channel reads each time the socket is readable.
  ///
  /// TLS passes on its own buffer, not the channel's, and this buffer grows with the bytes that are read at a time. So
  /// a channel with TLS, even if only to a proxy, is not changed.
  func apply(to context: ChannelHandlerContext?) {
    guard let context, !context.hasTLS else { return }
    try? context.channel.syncOptions?.setOption(.maxMessagesPerRead, value: rawValue)
  }
}

extension ChannelHandlerContext {
  fileprivate var hasTLS: Bool {
    (try? pipeline.syncOperations.context(handlerType: NIOSSLClientHandler.self)) != nil
  }
}
