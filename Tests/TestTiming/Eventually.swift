public import Testing

/// Waits for something that happens on another queue.
///
/// It looks again and again, with pauses in which others get on: without, tests that wait take each other's time on a machine with few
/// cores.
///
/// - Parameters:
///   - limit: How long it waits. The default is 30 seconds.
///   - isolation: The actor of the test.
///   - sourceLocation: The place of the test.
///   - condition: Whether it has happened.
/// - Throws: An error when the limit has passed, or what the condition throws.
public func eventually(
  within limit: Duration = .seconds(30), isolation: isolated (any Actor)? = #isolation,
  sourceLocation: SourceLocation = #_sourceLocation, _ condition: () async throws -> Bool
) async throws {
  let deadline = ContinuousClock.now + limit
  while try await !condition() {
    try #require(
      ContinuousClock.now < deadline, "it did not happen within \(limit)",
      sourceLocation: sourceLocation)
    try await Task.sleep(for: .milliseconds(1))
  }
}
