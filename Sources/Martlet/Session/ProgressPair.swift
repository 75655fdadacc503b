import Foundation
import MartletCore

/// The two `Progress` objects of a task.
///
/// Unchecked because the references never change, and the objects are written to under `gate` only;
/// what others do with them is between them and `Progress`.
final class ProgressPair: @unchecked Sendable {
  // Detached: a task is no part of whatever `Progress` is current where it is made (SES-P1).
  let upload = Progress.discreteProgress(totalUnitCount: -1)
  let download = Progress.discreteProgress(totalUnitCount: -1)
  private let gate = Locked(())
  private let audience = Locked<Audience?>(nil)

  /// Who is told of progress, and where.
  struct Audience {
    var upload: URLSessionManager.ProgressHandler?
    var download: URLSessionManager.ProgressHandler?
    var queue: DispatchQueue
  }

  /// Tells `audience` of all progress until it is dismissed.
  func tell(_ audience: Audience) {
    self.audience.withLock { $0 = audience }
  }

  /// Lets go of the closures: there will be no more progress.
  func dismissAudience() {
    // They go behind the lock: what they hold on to may do anything when it is freed.
    _ = audience.withLock { audience in
      defer { audience = nil }
      return audience
    }
  }

  /// Keeps the objects up to date, and makes them cancel, pause and resume the task (SES-P1).
  func follow(_ task: SessionTask) {
    for progress in [upload, download] { wire(progress, to: task) }
    task.exchange.observe { [weak self, weak task] event in
      guard let self, let task else { return }
      switch event {
      case .bodySent:
        update(upload) { task.exchange.uploadProgress }
        announce(upload) { $0.upload }
      case .resumed, .received:
        update(download) { task.exchange.downloadProgress }
        announce(download) { $0.download }
      default: break
      }
    }
    update(upload) { task.exchange.uploadProgress }
    update(download) { task.exchange.downloadProgress }
  }

  private func wire(_ progress: Progress, to task: SessionTask) {
    progress.isCancellable = true
    progress.isPausable = true
    progress.cancellationHandler = { [weak task] in task?.cancel() }
    // Foundation calls these on any thread, and so in any order: what counts is how things stand.
    let follow: @Sendable () -> Void = { [weak self, weak task, isUpload = progress === upload] in
      guard let self, let task else { return }
      gate.withLock { _ in
        (isUpload ? upload : download).isPaused ? task.suspend() : task.resume()
      }
    }
    progress.pausingHandler = follow
    progress.resumingHandler = follow
  }

  private func announce(
    _ progress: Progress, to handler: (Audience) -> URLSessionManager.ProgressHandler?
  ) {
    guard let audience = audience.current, let call = handler(audience) else { return }
    audience.queue.async { call(progress) }
  }

  private func update(_ progress: Progress, to transfer: () -> TransferProgress) {
    gate.withLock { _ in progress.update(transfer()) }
  }
}

extension Progress {
  /// The total goes first, so that the count is never measured against an old one (SES-P2).
  ///
  /// An unknown total is −1 and the fraction 0 (SES-P7). A total of zero is never set: Foundation's
  /// `Progress` on Linux traps on it.
  fileprivate func update(_ transfer: TransferProgress) {
    let total = transfer.total.flatMap { $0 > 0 ? $0 : nil } ?? -1
    if totalUnitCount != total { totalUnitCount = total }
    completedUnitCount = transfer.completed
  }
}
