import EssentialFoundation
import MartletCore
import NIOCore

/// Runs Swift tasks on an engine's event loop, where a request changes no thread.
///
/// Jobs that come while the loop turns are run together at the end of the turn.
final class EngineExecutor: TaskExecutor {
  private struct Queue {
    var jobs: [UnownedJob] = []
    var isScheduled = false
    var isDraining = false
    var afterTurn: [@Sendable () -> Void] = []
  }

  private let loop: any EventLoop
  private let queue = Locked(Queue())

  init(loop: any EventLoop) {
    self.loop = loop
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

  /// Calls `work` on the loop when the jobs that are being run have been run.
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

  /// Runs the jobs that are there now; what they bring about comes in the next round.
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
  /// Runs `work` on the engine's own thread, where its requests change no thread at all.
  ///
  /// That saves a third of the price of a small request. The work shares its thread with the engine: it
  /// must not block it, nor compute for long. Code that is bound to an actor stays on its actor.
  ///
  ///     try await transport.runOnEventLoop {
  ///       for url in urls { try await transport.send(Request(url: url)) }
  ///     }
  ///
  /// - Parameter work: What to do; its child tasks run there as well.
  /// - Returns: What `work` returns.
  /// - Throws: What `work` throws.
  public func runOnEventLoop<Value, Failure: Error>(
    _ work: () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    try await withTaskExecutorPreference(executor) { () async throws(Failure) in
      // Goes over to the engine's thread: the preference alone acts when the task next goes on.
      await Task.yield()
      return try await work()
    }
  }
}
