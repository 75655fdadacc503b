import NIOCore

/// How many bytes have to be there before the system says so (`SO_RCVLOWAT`).
///
/// A receiver that is faster than its server is woken for every packet, and waking costs more than what
/// came. So while a long body comes in fast, 256 KiB are waited for at a time; the mark falls when the
/// bytes fail to come, and before the body ends, so that what is there is never waited with for long.
///
/// A pure value: it says what the mark is to be, and somebody else sets it.
struct ReceiveMark {
  /// What is waited for in a fast body. At the least speed of one it comes within 13 ms.
  static let high = 256 << 10
  /// A body is fast once so much of it has come ``within`` this time: 20 MiB/s.
  static let stretch = 1 << 20
  static let within = TimeAmount.milliseconds(50)
  /// So much has to be left of a body for the mark to rise, and half of it for the mark to stay. It is more
  /// than can have left the socket without having been counted.
  static let rest: Int64 = 4 << 20

  private var isHigh = false
  private var began = NIODeadline.uptimeNanoseconds(0)
  private var come = 0

  /// Some of a body has come.
  ///
  /// - Parameters:
  ///   - count: How many bytes.
  ///   - rest: How many are left.
  ///   - now: The time.
  /// - Returns: The new mark, if it changes.
  mutating func received(_ count: Int, rest: Int64, at now: NIODeadline) -> Int? {
    if isHigh { return rest < Self.rest / 2 ? lower() : nil }
    guard rest >= Self.rest else { return nil }
    if now - began > Self.within { (began, come) = (now, 0) }
    come += count
    guard come >= Self.stretch else { return nil }
    isHigh = true
    return Self.high
  }

  /// Nothing has come for a while.
  ///
  /// - Returns: The new mark, if it changes.
  mutating func waited() -> Int? {
    isHigh ? lower() : nil
  }

  private mutating func lower() -> Int {
    isHigh = false
    come = 0
    return 1
  }
}
