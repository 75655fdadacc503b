import Foundation
import MartletCore

/// The two `Progress` objects of a task.
///
/// Unchecked because `Progress` does its own locking, and the two references never change.
final class ProgressPair: @unchecked Sendable {
  let upload = Progress(totalUnitCount: -1)
  let download = Progress(totalUnitCount: -1)

  /// Keeps the objects up to date, and makes them cancel, pause and resume the task (SES-P1).
  func follow(_ task: SessionTask) {
    for progress in [upload, download] {
      progress.isCancellable = true
      progress.isPausable = true
      progress.cancellationHandler = { [weak task] in task?.cancel() }
      progress.pausingHandler = { [weak task] in task?.suspend() }
      progress.resumingHandler = { [weak task] in task?.resume() }
    }
    upload.update(task.exchange.uploadProgress)
    download.update(task.exchange.downloadProgress)
    task.exchange.observe { [weak self, weak task] event in
      guard let self, let task else { return }
      switch event {
      case .bodySent: upload.update(task.exchange.uploadProgress)
      case .received: download.update(task.exchange.downloadProgress)
      default: break
      }
    }
  }
}

extension Progress {
  /// The total goes first, so that the count is never measured against an old one (SES-P2).
  ///
  /// An unknown total stays −1 and the fraction 0 (SES-P7). A total of zero is never set: Foundation's
  /// `Progress` on Linux traps on it.
  fileprivate func update(_ transfer: TransferProgress) {
    if let total = transfer.total, total > 0, totalUnitCount != total { totalUnitCount = total }
    completedUnitCount = transfer.completed
  }
}
