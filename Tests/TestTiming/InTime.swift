public import Testing

/// Repeats work until it takes less than a limit, so that no time-out of that length can have passed meanwhile.
///
/// A machine that is busy may wake a task seconds late. What work shows that was late does not count, and it is an issue if all of it was.
///
/// - Parameters:
///   - limit: The time that the work must take less than.
///   - isolation: The actor of the test.
///   - sourceLocation: The place of the test.
///   - work: The work. It is done at most 30 times, and not again after a minute. What it expects itself counts whenever it is late, so
///     it returns what depends on the time.
/// - Returns: The result of the work that was in time.
/// - Throws: What that work throws.
public func inTime<Value>(
  _ limit: Duration, isolation: isolated (any Actor)? = #isolation,
  sourceLocation: SourceLocation = #_sourceLocation, _ work: () async throws -> Value
) async throws -> Value {
  var attempts = 0
  let first = ContinuousClock.now
  while true {
    attempts += 1
    let start = ContinuousClock.now
    let result: Result<Value, any Error>
    do { result = .success(try await work()) } catch { result = .failure(error) }
    let isInTime = start.duration(to: .now) < limit
    let isLast = attempts == 30 || first.duration(to: .now) > .seconds(60)
    guard isInTime || isLast else { continue }
    #expect(isInTime, "it takes longer than \(limit)", sourceLocation: sourceLocation)
    return try result.get()
  }
}
