import Foundation

/// Ticks at a rate per second, on a thread of its own.
///
/// Each tick is the time at which the thread woke up for it, so that a late wake-up does not count as latency. An
/// overdue tick comes at once. A tick is kept until a task waits for it.
struct RequestTimer {
  var rate: Double
  var count: Int

  /// Starts the ticks; each goes to one of the waiting tasks.
  func start() -> AsyncStream<ContinuousClock.Instant> {
    AsyncStream { ticks in
      Thread.detachNewThread {
        let start = Date.now
        for tick in 0..<count {
          Thread.sleep(until: start + Double(tick) / rate)
          ticks.yield(.now)
        }
        ticks.finish()
      }
    }
  }
}
