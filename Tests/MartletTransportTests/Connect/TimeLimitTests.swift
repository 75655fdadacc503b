import Dispatch
import EssentialFoundation
import MartletCore
import MartletTesting
import NIOCore
import NIOPosix
import Testing

@testable import MartletTransport

/// How long connecting may take, and what is left of the limit afterwards.
@Suite(.timeLimit(.minutes(1)))
struct TimeLimitTests {
  private let loop = CountingLoop()
  private let discarded = Locked<[Int]>([])

  private func run(
    _ limit: Duration?, body: (TimeLimit) async throws -> Int
  ) async throws -> Int {
    try await withTimeLimit(limit, on: loop) { limit in
      MartletError(.timedOut, "It took longer than \(limit.text).")
    } discard: { value in
      discarded.withLock { $0.append(value) }
    } body: { timeLimit in
      try await body(timeLimit)
    }
  }

  /// Waits until the limit is reached, or the task is cancelled.
  private func waitForEnd(_ timeLimit: TimeLimit) async throws {
    let promise = MultiThreadedEventLoopGroup.singleton.next().makePromise(of: Void.self)
    try await timeLimit.wait {
      try await promise.futureResult.get()
    } orCancel: {
      promise.fail(CancellationError())
    }
  }

  @Test func `a limit that was not reached leaves nothing behind`() async throws {
    for _ in 0..<100 {
      let value = try await run(.seconds(3600)) { timeLimit in
        #expect(loop.pending.current == 1)
        return await timeLimit.wait {
          7
        } orCancel: {
        }
      }
      #expect(value == 7)
      try await loop.pending.wait { $0 == 0 }
    }
    #expect(discarded.current == [])
  }

  @Test func `a body that throws leaves nothing behind either`() async throws {
    struct Failure: Error {}
    await #expect(throws: Failure.self) { try await run(.seconds(3600)) { _ in throw Failure() } }
    try await loop.pending.wait { $0 == 0 }
  }

  @Test func `a body that is cancelled leaves nothing behind either`() async throws {
    let task = Task {
      try await run(.seconds(3600)) { timeLimit in
        try await waitForEnd(timeLimit)
        return 7
      }
    }
    try await loop.pending.wait { $0 == 1 }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try await loop.pending.wait { $0 == 0 }
  }

  @Test func `a limit that is reached ends all waits, and those that begin afterwards`()
    async throws
  {
    let error = await #expect(throws: MartletError.self) {
      try await run(.milliseconds(1)) { timeLimit in
        async let first: Void = waitForEnd(timeLimit)
        async let second: Void = waitForEnd(timeLimit)
        _ = try? await (first, second)
        #expect(timeLimit.isReached)
        try await waitForEnd(timeLimit)
        return 7
      }
    }
    #expect(error?.message == "It took longer than 1 ms.")
    #expect(discarded.current == [])
    try await loop.pending.wait { $0 == 0 }
  }

  @Test func `a value that comes after the limit is discarded`() async throws {
    let error = await #expect(throws: MartletError.self) {
      try await run(.milliseconds(1)) { timeLimit in
        try? await waitForEnd(timeLimit)
        return 7
      }
    }
    #expect(error?.code == .timedOut)
    #expect(discarded.current == [7])
  }

  @Test func `a wait that has ended is not ended once more`() async throws {
    let ends = Locked(0)
    let error = await #expect(throws: MartletError.self) {
      try await run(.milliseconds(1)) { timeLimit in
        await timeLimit.wait {
        } orCancel: {
          ends.withLock { $0 += 1 }
        }
        try await waitForEnd(timeLimit)
        return 7
      }
    }
    #expect(error?.code == .timedOut)
    #expect(ends.current == 0)
  }

  @Test func `no limit needs no timer`() async throws {
    #expect(try await run(nil) { _ in 7 } == 7)
    #expect(loop.pending.current == 0)
  }
}

/// An event loop that counts the timers that wait on it.
private final class CountingLoop: EventLoop {
  let pending = AwaitableValue(0)
  private let loop = MultiThreadedEventLoopGroup.singleton.next()

  var inEventLoop: Bool { loop.inEventLoop }

  func execute(_ task: @escaping @Sendable () -> Void) { loop.execute(task) }

  func scheduleTask<T>(
    deadline: NIODeadline, _ task: @escaping @Sendable () throws -> T
  ) -> Scheduled<T> {
    counted(loop.scheduleTask(deadline: deadline, task))
  }

  func scheduleTask<T>(
    in delay: TimeAmount, _ task: @escaping @Sendable () throws -> T
  ) -> Scheduled<T> {
    counted(loop.scheduleTask(in: delay, task))
  }

  func shutdownGracefully(
    queue: DispatchQueue, _ callback: @escaping @Sendable ((any Error)?) -> Void
  ) {
    queue.async { callback(nil) }
  }

  private func counted<T>(_ timer: Scheduled<T>) -> Scheduled<T> {
    pending.update { $0 += 1 }
    timer.futureResult.whenComplete { [pending] _ in pending.update { $0 -= 1 } }
    return timer
  }
}
