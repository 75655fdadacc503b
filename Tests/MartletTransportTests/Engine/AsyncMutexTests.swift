import MartletCore
import MartletTesting
import Testing

/// One caller at a time, in order.
@Suite(.timeLimit(.minutes(5)))
struct AsyncMutexTests {
  @Test(.timeLimit(.minutes(1)))
  func `work that waits is done one at a time, in the order of the calls`() async throws {
    let turns = AsyncMutex()
    let begun = AwaitableValue<[Int]>([])
    let ended = AwaitableValue(0)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await turns.withLock {
          begun.update { $0.append(0) }
          try await ended.wait { $0 == 1 }
        }
      }
      try await begun.wait { $0 == [0] }
      group.addTask { await turns.withLock { begun.update { $0.append(1) } } }
      await Task.yield()
      #expect(begun.current == [0])
      ended.update { $0 = 1 }
      try await group.waitForAll()
    }
    #expect(begun.current == [0, 1])
  }

  @Test(.timeLimit(.minutes(1)))
  func `work that throws ends its turn`() async throws {
    let turns = AsyncMutex()
    await #expect(throws: CancellationError.self) {
      try await turns.withLock { throw CancellationError() }
    }
    let value = await turns.withLock { 7 }
    #expect(value == 7)
  }
}
