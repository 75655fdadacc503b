import NIOCore
import NIOSSL

/// How many bytes have to be there before the system says so (`SO_RCVLOWAT`).
///
/// A receiver that is faster than its server is woken for every packet, and waking costs more than what
/// came. So while a long body comes in fast, 256 KiB are waited for at a time. The mark falls when bytes
/// fail to come, and before the body ends: received bytes never wait for long.
///
/// A pure value: it decides the mark, and the connection sets it.
struct ReceiveLowWaterMark {
  /// What is waited for in a fast body. At the least speed of one it comes within 13 ms.
  static let high = 256 << 10
  /// A body is fast when so much of it comes in ``interval``: at 20 MiB/s.
  static let stretch = 1 << 20
  static let interval = TimeAmount.milliseconds(50)
  /// After so long without a byte a body is not fast any more.
  static let idleTimeout = TimeAmount.milliseconds(20)
  /// So much of a body has to be left for the mark to rise, and half of it for the mark to stay. Bytes that
  /// have left the socket and are not counted yet, in a TLS record, are far fewer.
  static let leastRest: Int64 = 4 << 20

  private var isHigh = false
  private var began = NIODeadline.uptimeNanoseconds(0)
  private var come = 0
  private var last = NIODeadline.uptimeNanoseconds(0)

  /// Some of a body has come.
  ///
  /// - Parameters:
  ///   - count: How many bytes.
  ///   - rest: How many are left.
  ///   - now: The time.
  /// - Returns: The new mark, if it changes.
  mutating func received(_ count: Int, rest: Int64, at now: NIODeadline) -> Int? {
    last = now
    if isHigh { return rest < Self.leastRest / 2 ? lower() : nil }
    guard rest >= Self.leastRest else { return nil }
    if now - began > Self.interval { (began, come) = (now, 0) }
    come += count
    guard come >= Self.stretch else { return nil }
    isHigh = true
    return Self.high
  }

  /// Some time has passed, during which bytes were wanted.
  ///
  /// - Returns: The new mark, if it changes.
  mutating func waited(until now: NIODeadline) -> Int? {
    isHigh && now - last >= Self.idleTimeout ? lower() : nil
  }

  private mutating func lower() -> Int {
    isHigh = false
    come = 0
    return 1
  }
}

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
