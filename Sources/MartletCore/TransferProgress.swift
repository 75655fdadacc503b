/// How far an upload or a download has come.
public struct TransferProgress: Hashable, Sendable {
  /// Bytes transferred so far.
  public var completed: Int64
  /// Bytes in all, or `nil` while that is not known.
  public var total: Int64?
  /// Time since the first byte.
  public var elapsed: Duration
  /// How many of the completed bytes an earlier transfer left. The default is 0.
  public var resumedAt: Int64

  /// A progress from its parts.
  public init(
    completed: Int64 = 0, total: Int64? = nil, elapsed: Duration = .zero, resumedAt: Int64 = 0
  ) {
    self.completed = completed
    self.total = total
    self.elapsed = elapsed
    self.resumedAt = resumedAt
  }

  /// The part that is done, 0 … 1; 0 while the total is unknown (SES-P7).
  public var fractionCompleted: Double {
    guard let total, total > 0 else { return total == 0 ? 1 : 0 }
    return min(Double(completed) / Double(total), 1)
  }

  /// Bytes per second since the first byte, or `nil` before there is anything to measure.
  public var bytesPerSecond: Double? {
    let seconds = elapsed / .seconds(1)
    let transferred = completed - resumedAt
    return seconds > 0 && transferred > 0 ? Double(transferred) / seconds : nil
  }

  /// The time left at the present rate, or `nil` when rate or total are unknown, or when it would be
  /// decades.
  public var timeRemaining: Duration? {
    guard let total, let rate = bytesPerSecond else { return nil }
    let seconds = Double(max(total - completed, 0)) / rate
    // Beyond some point `Duration` traps; long before it the estimate means nothing.
    return seconds <= 1e9 ? .seconds(seconds) : nil
  }
}
