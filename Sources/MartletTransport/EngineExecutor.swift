import EssentialFoundation
import MartletCore
import NIOCore

/// Runs Swift tasks on an engine's event loop, so that sending a request needs no thread switch. Attempts to connect run there, too.
///
/// Jobs that are enqueued during a turn of the loop run together at the end of that turn.
final class EngineExecutor: TaskExecutor {
  private struct Queue {
    var jobs: [UnownedJob] = []
    var afterTurn: [@Sendable () -> Void] = []
    var isScheduled = false
    var isDraining = false
    /// How much work waits for its delay.
    var delayed = 0
    var isClosed = false
    /// The calls of `close()` that wait until the loop is not used.
    var closing: [CheckedContinuation<Void, Never>] = []

    /// The calls of `close()` that end now.
    mutating func takeClosing() -> [CheckedContinuation<Void, Never>] {
      guard isClosed, !isScheduled, !isDraining, delayed == 0 else { return [] }
      defer { closing = [] }
      return closing
    }
  }

  let loop: any EventLoop
  /// The work on other threads that schedules something on the loop when it ends.
  let outsideWork: OutsideWork
  private let queue = Locked(Queue())

  init(loop: any EventLoop, outsideWork: OutsideWork) {
    self.loop = loop
    self.outsideWork = outsideWork
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let mustSchedule = queue.withLock { queue -> Bool? in
      guard queue.isScheduled || !queue.isClosed else { return nil }
      queue.jobs.append(job)
      defer { queue.isScheduled = true }
      return !queue.isScheduled
    }
    guard let mustSchedule else { return globalConcurrentExecutor.enqueue(job) }
    if mustSchedule { loop.execute { self.drain() } }
  }

  /// Calls `work` on the loop once the jobs of the current turn have run, or at once after `close()`.
  func afterTurn(_ work: @escaping @Sendable () -> Void) {
    let mustSchedule = queue.withLock { queue -> Bool? in
      let isAwaited = queue.isScheduled || queue.isDraining
      guard isAwaited || !queue.isClosed else { return nil }
      queue.afterTurn.append(work)
      if !isAwaited { queue.isScheduled = true }
      return !isAwaited
    }
    guard let mustSchedule else { return work() }
    if mustSchedule { loop.execute { self.drain() } }
  }

  /// Calls `work` on the loop when `delay` has passed, or at once after `close()`.
  func after(_ delay: TimeAmount, _ work: @escaping @Sendable () -> Void) {
    let isClosed = queue.withLock { queue in
      if !queue.isClosed { queue.delayed += 1 }
      return queue.isClosed
    }
    guard !isClosed else { return work() }
    loop.scheduleTask(in: delay) { [self] in
      work()
      let closing = queue.withLock { queue in
        queue.delayed -= 1
        return queue.takeClosing()
      }
      for call in closing { call.resume() }
    }
  }

  /// Lets later jobs run on other threads, and returns when the executor does not use the loop any more. From then on, but not
  /// before, the loop may be shut down.
  func close() async {
    await withCheckedContinuation { call in
      let closing = queue.withLock { queue in
        queue.isClosed = true
        queue.closing.append(call)
        return queue.takeClosing()
      }
      for call in closing { call.resume() }
    }
  }

  /// Runs the jobs that are queued now, then the work passed to `afterTurn(_:)`. Jobs that are enqueued meanwhile run
  /// in the next round.
  private func drain() {
    let jobs = queue.withLock { queue in
      (queue.isScheduled, queue.isDraining) = (false, true)
      defer { queue.jobs = [] }
      return queue.jobs
    }
    for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
    let (works, closing) = queue.withLock { queue in
      queue.isDraining = false
      defer { queue.afterTurn = [] }
      return (queue.afterTurn, queue.takeClosing())
    }
    for work in works { work() }
    for call in closing { call.resume() }
  }
}

extension HTTPTransport {
  /// Runs `work` on the engine's own thread, so that its requests need no thread switch.
  ///
  /// This saves a third of the cost of a small request. The work shares its thread with the engine: it must not block
  /// the thread or compute for long. Code that is bound to an actor stays on its actor. With several event loops, each
  /// call runs on another one, unless the caller runs on one already. Its requests use connections of the same loop,
  /// except for HTTP/2 while another loop has the only connection to the server.
  ///
  ///     try await transport.runOnEventLoop {
  ///       for url in urls { try await transport.send(Request(url: url)) }
  ///     }
  ///
  /// - Parameter work: The operation to run. Its child tasks run on the same thread.
  /// - Returns: The result of `work`.
  /// - Throws: The error of `work`.
  public func runOnEventLoop<Value, Failure: Error>(
    _ work: () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    try await withTaskExecutorPreference(directory.executor) { () async throws(Failure) in
      // Switches to the engine's thread now. The preference alone takes effect only when the task next resumes.
      await Task.yield()
      return try await work()
    }
  }
}
