import Foundation

/// Ticks so often in a second, on a thread of its own.
///
/// Each tick is the moment at which the thread woke for it: that it woke late is nobody's fault. A
/// tick that is overdue comes at once, and one that nobody is waiting for is kept.
struct Metronome {
  var rate: Double
  var count: Int

  /// The ticks from now on; each goes to one of those who wait.
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
