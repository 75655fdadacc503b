public import Testing

/// Lets only one test at a time run that blocks one of the few threads that all tests share, one for each core.
///
/// Those that do their work in a process of its own block one until the process ends. If several ran at the same time, no other test
/// would go on, and time-outs would pass. A suite's time limit includes the time in which its tests wait for their turn: it must be
/// long.
public struct BlocksAThread: TestTrait, SuiteTrait, TestScoping {
  /// True, so that each test of a suite waits for its own turn.
  public var isRecursive: Bool { true }

  private static let turns = Turns()

  /// Waits for its turn, and runs the test.
  @concurrent
  public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    await Self.turns.begin()
    let result: Result<Void, any Error>
    do {
      result = .success(try await function())
    } catch {
      result = .failure(error)
    }
    await Self.turns.end()
    try result.get()
  }
}

extension Trait where Self == BlocksAThread {
  /// The test blocks a thread, as those do that have a process of their own, and only one such test runs at a time.
  public static var blocksAThread: Self { BlocksAThread() }
}

/// Lets one caller at a time go on, in the order in which they came.
private actor Turns {
  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func begin() async {
    guard isTaken else {
      isTaken = true
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  func end() {
    if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
  }
}
