public import EssentialFoundation

/// The time and the random numbers that decisions about retries and limits depend on, which a test can replace.
public struct ResilienceClock: Sendable {
  /// Starts a stopwatch, and returns a closure that returns the time since then.
  let stopwatch: @Sendable () -> @Sendable () -> Duration
  /// Waits.
  let sleep: @Sendable (Duration) async throws -> Void
  /// Returns the date, with which a `Retry-After` is compared.
  let date: @Sendable () -> Date
  /// Returns a random number from 0 to 1, for the pause before a retry.
  let random: @Sendable () -> Double

  /// A clock.
  ///
  /// - Parameters:
  ///   - clock: Measures and waits. The default is the system's.
  ///   - date: Returns the date, with which a `Retry-After` is compared. The default is that of the system.
  ///   - random: Returns a random number from 0 to 1, for the pause before a retry. The default is the system's generator.
  public init<Timer: Clock>(
    _ clock: Timer = ContinuousClock(), date: @escaping @Sendable () -> Date = { Date() },
    random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
  ) where Timer.Duration == Duration {
    stopwatch = {
      let start = clock.now
      return { start.duration(to: clock.now) }
    }
    sleep = { try await clock.sleep(for: $0) }
    self.date = date
    self.random = random
  }
}
