import MartletCore
import NIOCore
import Synchronization

/// What the parts of an origin's pool know of each other: a few numbers that each event loop can read at any time.
///
/// A part changes its own numbers. Only the number of exchanges is also changed by callers that choose the part, and by
/// parts that move exchanges there. A part that has a free place reads `waiting` afterwards, and a part in which an exchange waits looks for free places
/// afterwards. The order of these accesses is the same for all threads, so that one of the two finds the other.
final class OriginParts: Sendable {
  /// More event loops are not used: each part has a bit in `waiting`.
  static let maximumCount = 64

  /// The numbers of one part.
  final class Part: Sendable {
    let exchanges = Atomic(0)
    let places = Atomic(0)
    /// When the first of the current attempts to connect began, in nanoseconds; 0 without attempts.
    let attemptsBegan = Atomic<UInt64>(0)
    let isConnecting = Atomic(false)
    let head = Atomic(WaitingHead.none.bits)
    // Keeps the numbers of two parts out of one line of a processor's cache.
    private let padding: (UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0)
  }

  let parts: [Part]
  /// Whether each event loop is busy.
  private let usages: [LoopUsage]
  private let first: Int
  /// A bit for each part in which an exchange waits.
  private let waiting = Atomic<UInt64>(0)
  private let sharingCode: Atomic<UInt8>

  /// Creates the numbers of an origin that has no connections.
  ///
  /// - Parameters:
  ///   - usages: The usage of the event loops, one for each part.
  ///   - first: The part that is looked at first.
  ///   - sharing: How many exchanges a connection carries, as far as it is known.
  init(_ usages: [LoopUsage], first: Int = 0, sharing: PoolState.Sharing) {
    self.usages = usages
    self.first = first % max(usages.count, 1)
    parts = usages.map { _ in Part() }
    isSplit = usages.count > 1
    sharingCode = Atomic(sharing.rawValue)
  }

  /// Whether there is more than one part. Otherwise, no number is kept.
  let isSplit: Bool

  /// How many exchanges a connection carries, as the last connection has shown.
  var sharing: PoolState.Sharing {
    get { PoolState.Sharing(rawValue: sharingCode.load(ordering: .relaxed)) ?? .unknown }
    set { sharingCode.store(newValue.rawValue, ordering: .relaxed) }
  }

  func load(of part: Int) -> PartLoad {
    let numbers = parts[part]
    return PartLoad(
      exchanges: numbers.exchanges.load(ordering: .sequentiallyConsistent),
      places: numbers.places.load(ordering: .sequentiallyConsistent),
      isConnecting: numbers.isConnecting.load(ordering: .relaxed),
      isBusy: usages[part].isBusy)
  }

  /// Chooses the part that takes a request.
  func choose(own: Int?, isFull: Bool) -> Int {
    // The caller's own part comes before equal ones, but all wait together for a connection of an unknown protocol.
    let first = sharing == .exclusive ? own ?? first : first
    return PartChoice(sharing: sharing, isFull: isFull, own: own, first: first)
      .part(of: parts.count, load: load)
  }

  // MARK: Exchanges

  func add(_ count: Int = 1, to part: Int) {
    parts[part].exchanges.add(count, ordering: .sequentiallyConsistent)
  }

  func remove(from part: Int) {
    parts[part].exchanges.subtract(1, ordering: .sequentiallyConsistent)
  }

  func move(from part: Int, to other: Int) {
    add(to: other)
    remove(from: part)
  }

  /// How many of the connections that are allowed belong to a part: in proportion to its exchanges, but at least one.
  ///
  /// Otherwise, the loop that runs first would open them all. The shares of all parts are the limit together.
  func share(of limit: Int, part: Int) -> Int {
    let counts = parts.map { max($0.exchanges.load(ordering: .relaxed), 0) }
    let all = max(counts.reduce(0, +), 1)
    let before = counts[..<part].reduce(0, +)
    return max(limit * (before + counts[part]) / all - limit * before / all, 1)
  }

  /// Whether a part other than `part` has more exchanges than places.
  func isOtherShort(besides part: Int) -> Bool {
    parts.indices.contains { $0 != part && load(of: $0).free < 0 }
  }

  // MARK: Waiting exchanges

  func setHead(_ head: WaitingHead, of part: Int) {
    parts[part].head.store(head.bits, ordering: .relaxed)
    let bit = UInt64(1) << UInt64(part)
    if head == .none {
      waiting.bitwiseAnd(~bit, ordering: .sequentiallyConsistent)
    } else if waiting.load(ordering: .relaxed) & bit == 0 {
      waiting.bitwiseOr(bit, ordering: .sequentiallyConsistent)
    }
  }

  func head(of part: Int) -> WaitingHead {
    WaitingHead(bits: parts[part].head.load(ordering: .relaxed))
  }

  /// The parts other than `part` in which exchanges wait, as bits.
  func waitingParts(besides part: Int) -> UInt64 {
    waiting.load(ordering: .sequentiallyConsistent) & ~(UInt64(1) << UInt64(part))
  }

  /// Of the parts whose bits are set, the one whose first exchange comes before those of the others.
  func firstWaiting(of candidates: UInt64) -> Int? {
    var (rest, best) = (candidates, Int?.none)
    while rest != 0 {
      let part = rest.trailingZeroBitCount
      rest &= rest - 1
      if best.map({ head(of: part).bits < head(of: $0).bits }) ?? true { best = part }
    }
    return best
  }

  /// The next part after `previous` that has a free place, and is not `part`.
  func freePart(besides part: Int, after previous: Int) -> Int? {
    (1...parts.count).lazy.map { (previous + $0) % self.parts.count }
      .first { $0 != part && self.load(of: $0).free > 0 }
  }

  // MARK: Attempts to connect

  /// When the first of the current attempts of all parts began; `nil` if a part has a connection, or none has attempts.
  var onlyAttemptsSince: NIODeadline? {
    guard parts.allSatisfy({ $0.places.load(ordering: .relaxed) == 0 }) else { return nil }
    return parts.map { $0.attemptsBegan.load(ordering: .relaxed) }.filter { $0 > 0 }.min()
      .map { .uptimeNanoseconds($0) }
  }
}
