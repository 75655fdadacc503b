import Dispatch
import EssentialFoundation
import MartletCore
import MartletTesting
import NIOCore
import NIOPosix
import Testing

@testable import MartletTransport

/// How long connecting may take, and what is left of the limit afterwards.
@Suite(.timeLimit(.minutes(5)))
struct TimeLimitTests {
  private let loop = CountingLoop()

  private func run<Value: Sendable>(
    _ limit: Duration?, body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await withTimeLimit(limit, on: EngineExecutor(loop: loop, outsideWork: OutsideWork())) {
      limit in
      MartletError(.timedOut, "It took longer than \(limit.text).")
    } body: {
      try await body()
    }
  }

  @Test func `a limit that was not reached leaves nothing behind`() async throws {
    let loop = loop
    for _ in 0..<100 {
      let value = try await run(.seconds(3600)) {
        try await loop.pending.wait { $0 == 1 }
        return 7
      }
      #expect(value == 7)
      try await loop.pending.wait { $0 == 0 }
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `a body that throws, or is cancelled, leaves nothing behind either`() async throws {
    struct Failure: Error {}
    await #expect(throws: Failure.self) { try await run(.seconds(3600)) { throw Failure() } }
    let loop = loop
    let task = Task { try await run(.seconds(3600)) { try await loop.sleep(for: .seconds(3600)) } }
    try await loop.pending.wait { $0 == 2 }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try await loop.pending.wait { $0 == 0 }
  }

  @Test(.timeLimit(.minutes(1)))
  func `a limit that is reached ends the body`() async throws {
    let loop = loop
    let error = await #expect(throws: MartletError.self) {
      try await run(.milliseconds(1)) { try await loop.sleep(for: .seconds(3600)) }
    }
    #expect(error?.message == "It took longer than 1 ms.")
    try await loop.pending.wait { $0 == 0 }
  }

  @Test(.timeLimit(.minutes(1)))
  func `a value that comes after the limit is discarded`() async throws {
    let (loop, discarded) = (loop, Locked<[Int]>([]))
    let error = await #expect(throws: MartletError.self) {
      try await withTimeLimit(
        .milliseconds(1), on: EngineExecutor(loop: loop, outsideWork: OutsideWork())
      ) { limit in
        MartletError(.timedOut, "It took longer than \(limit.text).")
      } discard: { value in
        discarded.withLock { $0.append(value) }
      } body: {
        try? await loop.sleep(for: .seconds(3600))
        return 7
      }
    }
    #expect(error?.code == .timedOut)
    #expect(discarded.current == [7])
  }

  @Test(.timeLimit(.minutes(1)))
  func `a value that came in time counts, although its caller goes on after the limit`()
    async throws
  {
    let (loop, queue) = (loop, DispatchQueue(label: "caller"))
    let isReady = DispatchSemaphore(value: 0)
    let caller = Task(executorPreference: QueueExecutor(queue)) { [self] in
      try await run(.seconds(5)) {
        // The caller cannot go on until the limit has passed.
        queue.async { isReady.wait() }
        _ = loop.scheduleTask(in: .seconds(6)) { isReady.signal() }
        return 7
      }
    }
    #expect(try await caller.value == 7)
  }

  @Test(.timeLimit(.minutes(1)))
  func `the body runs on the event loop that measures its time`() async throws {
    let loop = loop
    #expect(try await run(.seconds(3600)) { loop.inEventLoop })
  }

  @Test func `no limit needs no timer`() async throws {
    #expect(try await run(nil) { 7 } == 7)
    #expect(loop.pending.current == 0)
  }
}

/// Runs tasks on a serial queue.
private final class QueueExecutor: TaskExecutor {
  private let queue: DispatchQueue

  init(_ queue: DispatchQueue) {
    self.queue = queue
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
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
