import EssentialFoundation
public import Foundation
import MartletCore
public import MartletEssentials

/// A `Progress` that cancels, suspends and resumes a task (SES-P1).
///
/// `Sendable` is unchecked, as for `Progress` itself: the added properties never change. The counts are written on one
/// queue, which debug builds assert.
final class TaskProgress: Progress, @unchecked Sendable {
  private let task: @Sendable () -> SessionTask?
  private let transfer: @Sendable () -> TransferProgress

  /// A progress without a parent, even if there is a current `Progress` (SES-P1).
  ///
  /// - Parameters:
  ///   - task: The task, which is not retained.
  ///   - transfer: Returns the counts of the transfer.
  init(of task: SessionTask, _ transfer: @escaping @Sendable () -> TransferProgress) {
    self.task = { [weak task] in task }
    self.transfer = transfer
    super.init(parent: nil, userInfo: nil)
    isCancellable = true
    isPausable = true
    write(transfer())
  }

  // Overridden instead of setting `cancellationHandler` and the like: Foundation calls these handlers on any thread,
  // and so in any order. The application may set them itself.

  override func cancel() {
    super.cancel()
    task()?.cancel()
  }

  override func pause() {
    super.pause()
    task()?.suspend()
  }

  override func resume() {
    super.resume()
    task()?.resume()
  }

  /// Updates the counts.
  ///
  /// - Parameter queue: The queue on which this is called.
  func update(on queue: DispatchQueue) {
    assert(queue.isCurrent)
    write(transfer())
  }

  /// Writes the total first, so that the count is never compared with an old total (SES-P2).
  ///
  /// An unknown total is −1 and the fraction 0 (SES-P7). A total of zero is never set: Foundation's
  /// `Progress` on Linux traps on it.
  private func write(_ transfer: TransferProgress) {
    let total = transfer.total.flatMap { $0 > 0 ? $0 : nil } ?? -1
    if totalUnitCount != total { totalUnitCount = total }
    completedUnitCount = transfer.completed
  }
}

extension DispatchQueue {
  /// True. The program ends when the code does not run on this queue.
  fileprivate var isCurrent: Bool {
    dispatchPrecondition(condition: .onQueue(self))
    return true
  }
}

/// The two `Progress` objects of a task.
///
/// Foundation's `Progress` has no lock on Linux. So these objects are written only on the session's queue, where
/// progress closures and hooks read them, and only until the task has ended. Completions are called, and waiting
/// callers are resumed, from the same queue after the last count was written.
final class ProgressPair: ProgressWriter {
  /// The closures that are called with the objects.
  struct Handlers {
    var upload: URLSessionManager.ProgressHandler?
    var download: URLSessionManager.ProgressHandler?
  }

  let upload: TaskProgress
  let download: TaskProgress
  private let queue: DispatchQueue
  /// `nil` when the task has ended.
  private let handlers: Locked<Handlers?>

  /// The objects of a task, with its current counts.
  ///
  /// - Parameters:
  ///   - task: The task, which is not retained.
  ///   - isOver: Whether the task has ended.
  ///   - queue: The session's queue.
  init(of task: SessionTask, isOver: Bool, on queue: DispatchQueue) {
    self.queue = queue
    handlers = Locked(isOver ? nil : Handlers())
    let call = task.call
    upload = TaskProgress(of: task) { call.uploadTransfer }
    download = TaskProgress(of: task) { call.downloadTransfer }
    if !isOver { follow(call) }
  }

  /// Calls the closures of `handlers` from now on, until the task has ended.
  func setHandlers(_ handlers: Handlers) {
    self.handlers.withLock { if $0 != nil { $0 = handlers } }
  }

  /// Ends the updates: no more counts are written, and the closures are released.
  package func end() {
    // The closures are released outside the lock, because freeing the objects that they retain may run any code.
    _ = handlers.withLock { handlers in
      defer { handlers = nil }
      return handlers
    }
  }

  /// Runs `work` when all counts that have been reported so far are written.
  package func afterWriting(_ work: @escaping @Sendable () -> Void) {
    queue.async(execute: work)
  }

  private func follow(_ call: Call) {
    call.observe(.progress) { [weak self] event in
      guard let self else { return }
      switch event.kind {
      case .bodySent: update(upload) { $0.upload }
      case .downloadResumed, .bodyReceived: update(download) { $0.download }
      default: break
      }
    }
    // Adds the changes between the first counts and the observation. `self` is not captured, because it retains the
    // closures.
    queue.async { [upload, download, queue] in
      upload.update(on: queue)
      download.update(on: queue)
    }
  }

  private func update(
    _ progress: TaskProgress, calling handler: (Handlers) -> URLSessionManager.ProgressHandler?
  ) {
    // Under the lock, so that nothing is put into the queue after the end.
    handlers.withLock { handlers in
      guard let handlers else { return }
      queue.async { [queue, handler = handler(handlers)] in
        progress.update(on: queue)
        handler?(progress)
      }
    }
  }
}

extension SessionTask {
  /// The upload as a `Progress` object, created on first use and updated from then on (SES-P6).
  ///
  /// Its counts change on the session's queue until the task has ended. Foundation's `Progress` has no lock on Linux:
  /// read it in progress closures, in hooks that return nothing, in the completion, or after `value`. On any other
  /// thread read `uploadTransfer`. Cancelling, pausing and resuming it cancels, suspends and resumes the task, on any
  /// thread.
  public var uploadProgress: Progress { progress.upload }
  /// The download as a `Progress` object, created on first use and updated from then on (SES-P6).
  ///
  /// It may be read where ``uploadProgress`` may be read. On any other thread read `downloadTransfer`.
  public var downloadProgress: Progress { progress.download }

  private var progress: ProgressPair {
    progressWriter { isOver, queue in ProgressPair(of: self, isOver: isOver, on: queue) }
  }

  /// Sets the closures that are called with the task's progress, and returns the task.
  func reporting(
    upload: URLSessionManager.ProgressHandler? = nil,
    download: URLSessionManager.ProgressHandler? = nil
  ) -> SessionTask {
    if upload != nil || download != nil {
      progress.setHandlers(ProgressPair.Handlers(upload: upload, download: download))
    }
    return self
  }
}
