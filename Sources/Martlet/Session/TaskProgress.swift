import Foundation
import MartletCore

/// A `Progress` that cancels, suspends and resumes a task (SES-P1).
///
/// Unchecked, as `Progress` itself is: what is added never changes. The counts are written on one queue, which
/// debug builds assert.
final class TaskProgress: Progress, @unchecked Sendable {
  private let task: @Sendable () -> SessionTask?
  private let transfer: @Sendable () -> TransferProgress

  /// A progress that is part of no other, whatever `Progress` is current where it is made (SES-P1).
  ///
  /// - Parameters:
  ///   - task: The task, which is not kept alive.
  ///   - transfer: How far it has come.
  init(of task: SessionTask, _ transfer: @escaping @Sendable () -> TransferProgress) {
    self.task = { [weak task] in task }
    self.transfer = transfer
    super.init(parent: nil, userInfo: nil)
    isCancellable = true
    isPausable = true
    write(transfer())
  }

  // Overridden, because Foundation calls the handlers on any thread, and so in any order. They are free for the
  // application.

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

  /// Shows how far the task has come.
  ///
  /// - Parameter queue: Where this is called.
  func update(on queue: DispatchQueue) {
    assert(queue.isCurrent)
    write(transfer())
  }

  /// The total goes first, so that the count is never measured against an old one (SES-P2).
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
  /// True; ends the program when the code does not run on this queue.
  fileprivate var isCurrent: Bool {
    dispatchPrecondition(condition: .onQueue(self))
    return true
  }
}
