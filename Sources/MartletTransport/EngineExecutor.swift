import EssentialFoundation
import MartletCore
import NIOCore

/// Runs Swift tasks on an engine's event loop, so that sending a request needs no thread switch. Attempts to connect run there, too.
///
/// Jobs that are enqueued during a turn of the loop run together at the end of that turn.
final class EngineExecutor: TaskExecutor {
  private struct Queue {
    var jobs: [UnownedJob] = []
    var isScheduled = false
    var isDraining = false
    var afterTurn: [@Sendable () -> Void] = []
  }

  let loop: any EventLoop
  /// The work on other threads that schedules something on the loop when it ends.
  let outsideWork: OutsideWork
  private let queue = Locked(Queue())

  init(loop: any EventLoop, outsideWork: OutsideWork = OutsideWork()) {
    self.loop = loop
    self.outsideWork = outsideWork
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isScheduled = queue.withLock { queue in
      queue.jobs.append(job)
      defer { queue.isScheduled = true }
      return queue.isScheduled
    }
    if !isScheduled { loop.execute { self.drain() } }
  }

  /// Calls `work` on the loop once the jobs of the current turn have run.
  func afterTurn(_ work: @escaping @Sendable () -> Void) {
    let mustSchedule = queue.withLock { queue in
      queue.afterTurn.append(work)
      guard !queue.isScheduled, !queue.isDraining else { return false }
      queue.isScheduled = true
      return true
    }
    if mustSchedule { loop.execute { self.drain() } }
  }

  /// Calls `work` on the loop when `delay` has passed.
  func after(_ delay: TimeAmount, _ work: @escaping @Sendable () -> Void) {
    loop.scheduleTask(in: delay, work)
  }

  /// Runs the jobs that are queued now, then the work passed to `afterTurn(_:)`. Jobs that are enqueued meanwhile run
  /// in the next round.
  private func drain() {
    let jobs = queue.withLock { queue in
      defer { queue = Queue(isDraining: true, afterTurn: queue.afterTurn) }
      return queue.jobs
    }
    for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
    let works = queue.withLock { queue in
      queue.isDraining = false
      defer { queue.afterTurn = [] }
      return queue.afterTurn
    }
    for work in works { work() }
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
