import EssentialFoundation
import Synchronization

/// Whether an event loop uses most of a processor core.
///
/// The processor time of the thread is measured while the loop has exchanges, every 20 ms. A loop is busy from 75 % of a
/// core on, and until it is below 60 %.
final class LoopUsage: Sendable {
  private let busy = Atomic(false)

  var isBusy: Bool { busy.load(ordering: .relaxed) }

  /// Records a measurement.
  ///
  /// - Parameter share: The processor time that the thread has used, divided by the time that has passed.
  func record(share: Double) {
    busy.store(share >= (isBusy ? 0.6 : 0.75), ordering: .relaxed)
  }
}

/// Measures the share of a core that the current thread uses, between two calls. Confined to its event loop.
struct ThreadUsageMeter {
  private var last: (processor: UInt64, time: UInt64)?

  /// The share since the last call; `nil` at the first call, and if no time has passed.
  mutating func share(now: UInt64) -> Double? {
    let processor = Self.processorTime
    defer { last = (processor, now) }
    guard let last, now > last.time else { return nil }
    return Double(processor - min(last.processor, processor)) / Double(now - last.time)
  }

  /// Begins anew after a pause, which is not measured.
  mutating func reset() {
    last = nil
  }

  /// The processor time of the current thread, in nanoseconds.
  private static var processorTime: UInt64 {
    var time = timespec()
    guard clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 else { return 0 }
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
