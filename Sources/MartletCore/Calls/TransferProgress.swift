import NIOCore
import Synchronization

/// The progress of an upload or a download.
public struct TransferProgress: Hashable, Sendable {
  /// Called after each chunk of a body, usually on an event loop: it must be quick.
  public typealias Handler = @Sendable (_ progress: TransferProgress) -> Void

  /// Bytes transferred so far.
  public var completed: Int64
  /// The total number of bytes, or `nil` while it is not known.
  public var total: Int64?
  /// Time since the first byte, until now or the last byte.
  public var elapsed: Duration
  /// The number of completed bytes that come from an earlier transfer. The default is 0.
  public var resumeOffset: Int64

  /// A progress from its parts.
  public init(
    completed: Int64 = 0, total: Int64? = nil, elapsed: Duration = .zero, resumeOffset: Int64 = 0
  ) {
    self.completed = completed
    self.total = total
    self.elapsed = elapsed
    self.resumeOffset = resumeOffset
  }

  /// The completed fraction, from 0 to 1: 0 while the total is unknown, and 1 if the total is 0 (SES-P7).
  public var fractionCompleted: Double {
    guard let total, total > 0 else { return total == 0 ? 1 : 0 }
    return min(Double(completed) / Double(total), 1)
  }

  /// Bytes per second since the first byte, or `nil` before there is anything to measure.
  public var bytesPerSecond: Double? {
    let seconds = elapsed / .seconds(1)
    let transferred = completed - resumeOffset
    return seconds > 0 && transferred > 0 ? Double(transferred) / seconds : nil
  }

  /// The time left at the current rate, or `nil` when the rate or the total is unknown, or when it is longer than 10⁹
  /// seconds.
  public var timeRemaining: Duration? {
    guard let total, let rate = bytesPerSecond else { return nil }
    let seconds = Double(max(total - completed, 0)) / rate
    // `Duration` traps for very large numbers. An estimate of decades has no use in any case.
    return seconds <= 1e9 ? .seconds(seconds) : nil
  }
}

/// Counts the bytes of one direction without a lock. One thread adds, and any thread may read.
struct TransferCounter: ~Copyable, Sendable {
  private let completed = Atomic<Int64>(0)
  /// The number of bytes to transfer; −1 while it is not known.
  private let total = Atomic<Int64>(-1)
  /// The number of bytes from an earlier transfer.
  private let offset = Atomic<Int64>(0)
  /// The time of the first bytes, in nanoseconds; 0 before them.
  private let start = Atomic<UInt64>(0)
  /// The time of the last bytes, in nanoseconds; 0 before them, if they are the first, and if the total is not known.
  private let end = Atomic<UInt64>(0)

  func add(_ bytes: Int, of total: Int64?) {
    let isFirst = start.load(ordering: .relaxed) == 0
    if isFirst { start.store(NIODeadline.now().uptimeNanoseconds, ordering: .relaxed) }
    self.total.store(total ?? -1, ordering: .relaxed)
    let completed = completed.add(Int64(bytes), ordering: .relaxed).newValue
    // What comes at once has no rate.
    if completed == total, !isFirst {
      end.store(NIODeadline.now().uptimeNanoseconds, ordering: .relaxed)
    }
  }

  /// Starts at the end of an earlier transfer.
  ///
  /// - Parameters:
  ///   - offset: The number of bytes from the earlier transfer.
  ///   - total: The total number of bytes, if it is known.
  func begin(at offset: Int64, of total: Int64?) {
    self.offset.store(offset, ordering: .relaxed)
    self.total.store(total.map { $0 - offset } ?? -1, ordering: .relaxed)
  }

  func reset() {
    offset.store(0, ordering: .relaxed)
    completed.store(0, ordering: .relaxed)
    total.store(-1, ordering: .relaxed)
    start.store(0, ordering: .relaxed)
    end.store(0, ordering: .relaxed)
  }

  /// The number of bytes of this transfer alone.
  var count: Int64 { completed.load(ordering: .relaxed) }

  var progress: TransferProgress {
    let total = total.load(ordering: .relaxed)
    let offset = offset.load(ordering: .relaxed)
    return TransferProgress(
      completed: offset + completed.load(ordering: .relaxed),
      total: total < 0 ? nil : offset + total, elapsed: elapsed, resumeOffset: offset)
  }

  private var elapsed: Duration {
    let start = start.load(ordering: .relaxed)
    guard start > 0 else { return .zero }
    let end = end.load(ordering: .relaxed)
    let now = end > 0 ? NIODeadline.uptimeNanoseconds(end) : .now()
    return .nanoseconds((now - .uptimeNanoseconds(start)).nanoseconds)
  }
}
