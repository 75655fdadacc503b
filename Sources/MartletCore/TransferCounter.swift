import NIOCore
import Synchronization

/// Counts the bytes of one direction, without a lock: one thread adds, any may look.
struct TransferCounter: ~Copyable, Sendable {
  private let completed = Atomic<Int64>(0)
  /// −1 while that is not known.
  private let total = Atomic<Int64>(-1)
  /// How many bytes were there before.
  private let offset = Atomic<Int64>(0)
  /// When the first bytes came, in nanoseconds; 0 before.
  private let start = Atomic<UInt64>(0)

  func add(_ bytes: Int, of total: Int64?) {
    if start.load(ordering: .relaxed) == 0 {
      start.store(NIODeadline.now().uptimeNanoseconds, ordering: .relaxed)
    }
    self.total.store(total ?? -1, ordering: .relaxed)
    completed.add(Int64(bytes), ordering: .relaxed)
  }

  /// Begins with what an earlier transfer left.
  ///
  /// - Parameters:
  ///   - offset: How many bytes that is.
  ///   - total: How many there will be in the end, if that is known.
  func begin(at offset: Int64, of total: Int64?) {
    self.offset.store(offset, ordering: .relaxed)
    self.total.store(total.map { $0 - offset } ?? -1, ordering: .relaxed)
  }

  func reset() {
    offset.store(0, ordering: .relaxed)
    completed.store(0, ordering: .relaxed)
    total.store(-1, ordering: .relaxed)
    start.store(0, ordering: .relaxed)
  }

  var progress: TransferProgress {
    let total = total.load(ordering: .relaxed)
    let offset = offset.load(ordering: .relaxed)
    return TransferProgress(
      completed: offset + completed.load(ordering: .relaxed),
      total: total < 0 ? nil : offset + total, elapsed: elapsed, resumedAt: offset)
  }

  private var elapsed: Duration {
    let start = start.load(ordering: .relaxed)
    guard start > 0 else { return .zero }
    return .nanoseconds((.now() - NIODeadline.uptimeNanoseconds(start)).nanoseconds)
  }
}
