import Dispatch
import MartletCore

/// The hooks that were set when a task was made, and the queue on which they are called.
final class TaskHooks: Sendable {
  let asked: SessionHooks
  private let queue: DispatchQueue

  init(_ hooks: SessionHooks, queue: DispatchQueue) {
    asked = hooks
    self.queue = queue
  }

  /// Calls a hook, if it is set, in its turn.
  func tell<Hook: Sendable>(
    _ hook: KeyPath<SessionHooks, Hook?>, _ call: @escaping @Sendable (Hook) -> Void
  ) {
    guard let hook = asked[keyPath: hook] else { return }
    queue.async { call(hook) }
  }

  /// Calls the hooks for the events of a task.
  func follow(_ task: SessionTask) {
    let topics = asked.topics
    guard !topics.isEmpty else { return }
    task.call.observe(topics) { [weak task, self] event in
      guard let task else { return }
      switch event.kind {
      case .bodySent(let bytes, _):
        let progress = task.uploadAsAnnounced
        tell(\.onBodyDataSent) { $0(task, bytes, progress) }
      case .received(let bytes, _) where task.kind == .download:
        let progress = task.call.downloadProgress
        tell(\.onDownloadProgress) { $0(task, bytes, progress) }
      case .resumed(let offset, let total):
        tell(\.onDownloadResume) { $0(task, offset, total) }
      case .ended(let error):
        if let metrics = task.metrics { tell(\.onMetrics) { $0(task, metrics) } }
        tell(\.onTaskCompletion) { $0(task, error) }
      default: break
      }
    }
  }
}

extension SessionHooks {
  /// The events that the hooks need.
  fileprivate var topics: Event.Topics {
    var topics: Event.Topics = []
    if onBodyDataSent != nil || onDownloadProgress != nil || onDownloadResume != nil {
      topics.insert(.progress)
    }
    if onMetrics != nil || onTaskCompletion != nil { topics.insert(.task) }
    return topics
  }
}

extension SessionTask {
  /// How far the upload has come; an unknown total is the one in the header of the request (SES-P8).
  fileprivate var uploadAsAnnounced: TransferProgress {
    var progress = uploadTransfer
    if progress.total == nil {
      progress.total = originalRequest.headers[.contentLength].flatMap { Int64($0) }
    }
    return progress
  }
}
