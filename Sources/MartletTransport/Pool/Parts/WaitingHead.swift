import MartletCore
import NIOCore

/// The priority of the first exchange that waits in a part of an origin's pool, and since when it waits.
///
/// It is one number, so that other event loops can read it at once.
struct WaitingHead: Equatable {
  /// How much longer an exchange of another part must have waited to come first.
  static let tolerance = TimeAmount.milliseconds(1)
  /// No exchange waits.
  static let none = WaitingHead(bits: .max)

  /// Two bits of priority, the highest first, above the nanoseconds of the time.
  let bits: UInt64

  init(bits: UInt64) {
    self.bits = bits
  }

  init(_ priority: Request.Priority, since: NIODeadline) {
    let rank = UInt64(Request.Priority.high.rawValue - priority.rawValue)
    bits = rank << 62 | since.uptimeNanoseconds & Self.timeMask
  }

  /// Whether another part's exchange comes before this one: its priority is higher, or it is equal and the exchange has
  /// waited longer by more than `tolerance`.
  func yields(to other: WaitingHead) -> Bool {
    guard self != .none, other != .none else { return false }
    guard rank == other.rank else { return other.rank < rank }
    return other.time + UInt64(Self.tolerance.nanoseconds) < time
  }

  func hasHigherPriority(than other: WaitingHead) -> Bool { rank < other.rank }

  private static let timeMask = UInt64.max >> 2
  private var rank: UInt64 { bits >> 62 }
  private var time: UInt64 { bits & Self.timeMask }
}
