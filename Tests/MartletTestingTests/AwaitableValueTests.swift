import MartletTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct AwaitableValueTests {
  @Test func `a wait ends when the value is as wanted`() async throws {
    let value = AwaitableValue(0)
    async let waiting: Void = value.wait { $0 == 100 }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<100 { group.addTask { value.update { $0 += 1 } } }
    }
    try await waiting
    #expect(value.current == 100)
  }

  @Test func `a wait that is cancelled ends`() async {
    let value = AwaitableValue(0)
    for _ in 0..<200 {
      let task = Task { try await value.wait { $0 == 1 } }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }
}
