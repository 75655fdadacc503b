import EssentialFoundation

/// Does some work, and measures how late the machine is meanwhile: by how much a task beside it oversleeps.
///
/// - Parameter work: The work.
/// - Returns: The result of the work, and the longest delay.
/// - Throws: What the work throws.
func measuringLateness<Value>(
  _ work: () async throws -> Value
) async rethrows -> (value: Value, lateness: Duration) {
  let pause = Duration.milliseconds(5)
  let state = Locked((begun: ContinuousClock.now, latest: Duration.zero))
  let sleeper = Task {
    while !Task.isCancelled {
      state.withLock { $0.begun = .now }
      try? await Task.sleep(for: pause)
      state.withLock { $0.latest = max($0.latest, $0.begun.duration(to: .now) - pause) }
    }
  }
  defer { sleeper.cancel() }
  let value = try await work()
  let (begun, latest) = state.current
  return (value, max(latest, begun.duration(to: .now) - pause))
}
