import Foundation

/// Listens to what is posted about tasks, for as long as it is kept.
///
/// Unchecked because the tokens, which do not say that they are sendable, are only handed back, once, at the
/// end.
final class TaskObservation: @unchecked Sendable {
  private let tokens: [any NSObjectProtocol]

  /// - Parameters:
  ///   - task: Which one to listen to; `nil` for all.
  ///   - tell: Called on the main queue when a task is resumed, suspended or completed.
  init(of task: SessionTask?, _ tell: @escaping @Sendable (SessionTask, Notification.Name) -> Void)
  {
    let names: [Notification.Name] = [
      .sessionTaskDidResume, .sessionTaskDidSuspend, .sessionTaskDidComplete,
    ]
    tokens = names.map { name in
      NotificationCenter.default.addObserver(forName: name, object: task, queue: nil) { note in
        if let task = note.object as? SessionTask { tell(task, name) }
      }
    }
  }

  deinit {
    for token in tokens { NotificationCenter.default.removeObserver(token) }
  }
}
