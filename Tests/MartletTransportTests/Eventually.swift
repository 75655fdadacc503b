import Testing

/// Waits for something that happens on another queue, looking again and again.
func eventually(_ condition: () async -> Bool) async throws {
  let deadline = ContinuousClock.now + .seconds(30)
  while !(await condition()) {
    try #require(ContinuousClock.now < deadline, "it did not happen within 30 s")
    try await Task.sleep(for: .milliseconds(1))
  }
}
