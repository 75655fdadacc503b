import EssentialFoundation
import MartletTesting
import Testing

@testable import MartletCore

/// The time of a virtual clock passes when everything waits for it, or when the test advances it.
@Suite(.timeLimit(.minutes(1)))
struct VirtualClockTests {
  @Test func `a sleep takes no time, and exactly as long as it should`() async throws {
    let (clock, start) = (VirtualClock(), ContinuousClock.now)
    try await clock.sleep(for: .seconds(86_400))
    #expect(clock.now.offset == .seconds(86_400))
    #expect(ContinuousClock.now - start < .seconds(30))
  }

  @Test(arguments: [Duration.zero, .seconds(-5)])
  func `a sleep of no length ends at once`(duration: Duration) async throws {
    let clock = VirtualClock(isManual: true)
    try await clock.sleep(for: duration)
    #expect(clock.now.offset == .zero)
  }

  @Test func `sleeps end in the order of their times`() async throws {
    let (clock, order) = (VirtualClock(), Locked<[Int]>([]))
    for _ in 1...3 { clock.join() }
    await withTaskGroup(of: Void.self) { group in
      for seconds in [3, 1, 2] {
        group.addTask {
          try? await clock.sleep(for: .seconds(seconds))
          order.withLock { $0.append(seconds) }
          clock.leave()
        }
      }
    }
    #expect(order.current == [1, 2, 3])
    #expect(clock.now.offset == .seconds(3))
  }

  @Test func `no time passes while a task that has joined is at work`() async throws {
    let clock = VirtualClock()
    clock.join()
    clock.join()
    let sleeper = Task { try await clock.sleep(for: .seconds(1)) }
    try await clock.waitForSleepers(1)
    #expect(clock.now.offset == .zero)
    clock.leave()
    try await sleeper.value
    #expect(clock.now.offset == .seconds(1))
  }

  @Test func `a cancelled sleep ends, and does not count any more`() async throws {
    let clock = VirtualClock(isManual: true)
    let (cancelled, other) = (sleep(1, on: clock), sleep(2, on: clock))
    try await clock.waitForSleepers(2)
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    clock.advance(by: .seconds(2))
    try await other.value
    await #expect(throws: CancellationError.self) {
      let task = sleep(1, on: clock)
      task.cancel()
      try await task.value
    }
  }

  @Test func `a manual clock ends the sleeps that end in the time that passes`() async throws {
    let clock = VirtualClock(isManual: true)
    let (short, long) = (sleep(1, on: clock), sleep(2, on: clock))
    try await clock.waitForSleepers(2)
    clock.advance(by: .milliseconds(1500))
    try await short.value
    #expect(clock.now.offset == .milliseconds(1500))
    clock.advance(by: .milliseconds(500))
    try await long.value
    #expect(clock.now.offset == .seconds(2))
  }

  private func sleep(_ seconds: Int, on clock: VirtualClock) -> Task<Void, any Error> {
    Task { try await clock.sleep(for: .seconds(seconds)) }
  }
}
