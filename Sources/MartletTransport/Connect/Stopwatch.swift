/// Measures one stretch of time after another.
struct Stopwatch {
  private var start = ContinuousClock.now

  mutating func lap() -> Duration {
    let now = ContinuousClock.now
    defer { start = now }
    return start.duration(to: now)
  }
}
