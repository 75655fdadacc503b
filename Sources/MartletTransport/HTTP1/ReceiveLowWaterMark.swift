import NIOCore

/// How many bytes must have arrived before the system reports a socket as readable (`SO_RCVLOWAT`).
///
/// A receiver that is faster than its server is woken for every packet, and that costs more than to read the packet. So
/// while a long body of known length arrives fast, the mark is 256 KiB, or 1 MiB if it is very fast. It falls to 1 when no more
/// bytes arrive, and before the body ends, so that received bytes never wait for long.
///
/// A pure value: it decides the mark, and the connection sets it.
struct ReceiveLowWaterMark {
  /// A mark, and how fast a body must be.
  struct Level {
    /// At the lowest speed, that many bytes arrive within 13 ms.
    let mark: Int
    /// How many bytes must arrive within ``interval``.
    let byteCount: Int

    static let fast = Level(mark: 256 << 10, byteCount: 1 << 20)
    static let veryFast = Level(mark: 1 << 20, byteCount: 5 << 20)
  }

  static let interval = TimeAmount.milliseconds(50)
  /// After this time without a byte, a body is no longer fast.
  static let idleTimeout = TimeAmount.milliseconds(20)
  /// The mark rises only if at least this many bytes of a body are left, and falls when less than half of this number
  /// is left. Bytes of an incomplete TLS record, which have left the socket but are not counted yet, are far fewer.
  static let minimumRemaining: Int64 = 4 << 20

  private var mark = 1
  private var began = NIODeadline.uptimeNanoseconds(0)
  private var receivedBytes = 0
  private var last = NIODeadline.uptimeNanoseconds(0)

  /// Updates the mark after bytes of a body have arrived.
  ///
  /// - Parameters:
  ///   - count: How many bytes.
  ///   - rest: How many are left.
  ///   - now: The time.
  ///   - limit: The highest mark. The default is no limit.
  /// - Returns: The new mark, if it changes.
  mutating func received(
    _ count: Int, rest: Int64, at now: NIODeadline, limit: Int = .max
  ) -> Int? {
    last = now
    if mark > 1, rest < Self.minimumRemaining / 2 { return lower() }
    guard mark < Level.veryFast.mark, rest >= Self.minimumRemaining else { return nil }
    if now - began > Self.interval { (began, receivedBytes) = (now, 0) }
    receivedBytes += count
    let next = mark == 1 ? Level.fast : .veryFast
    guard receivedBytes >= next.byteCount, next.mark <= limit else { return nil }
    (mark, began, receivedBytes) = (next.mark, now, 0)
    return mark
  }

  /// Updates the mark after some time in which the exchange was not paused.
  ///
  /// - Returns: The new mark, if it changes.
  mutating func waited(until now: NIODeadline) -> Int? {
    mark > 1 && now - last >= Self.idleTimeout ? lower() : nil
  }

  /// Lowers the mark.
  ///
  /// - Returns: The new mark, if it changes.
  mutating func reset() -> Int? { mark > 1 ? lower() : nil }

  private mutating func lower() -> Int {
    (mark, receivedBytes) = (1, 0)
    return mark
  }
}
