import EssentialFoundation
import MartletCore

/// Observes the states of tasks that were made with a completion, until it is released.
final class TaskObservation: Sendable {
  /// Called on the main queue when a task is resumed, suspended or completed.
  typealias Listener = @Sendable (SessionTask, TaskNotice) -> Void

  private static let listeners = Locked<[ObjectIdentifier: Listener]>([:])

  /// - Parameters:
  ///   - task: The task to observe; `nil` for all. It is referred to weakly.
  ///   - listener: Called with each task and notice.
  init(of task: SessionTask?, _ listener: @escaping Listener) {
    let isForAll = task == nil
    Self.listeners.withLock {
      $0[ObjectIdentifier(self)] = { [weak observed = task] task, notice in
        guard isForAll || observed === task else { return }
        listener(task, notice)
      }
    }
  }

  deinit {
    // The closure is released outside the lock: the objects that it retains may run any code in `deinit`.
    _ = Self.listeners.withLock { $0.removeValue(forKey: ObjectIdentifier(self)) }
  }

  /// Calls all listeners.
  static func notify(_ task: SessionTask, _ notice: TaskNotice) {
    for listener in listeners.current.values { listener(task, notice) }
  }
}

/// The notices about a task that was made with a completion. The raw value is the name of the notification.
package enum TaskNotice: String, Sendable {
  case resumed = "martlet.sessionTaskDidResume"
  case suspended = "martlet.sessionTaskDidSuspend"
  case completed = "martlet.sessionTaskDidComplete"
  case fileMoved = "martlet.downloadTaskDidMoveFile"
  case fileNotMoved = "martlet.downloadTaskDidFailToMoveFile"

  /// Whether it is about the state of the task, and not about its file.
  var isState: Bool {
    switch self {
    case .resumed, .suspended, .completed: true
    case .fileMoved, .fileNotMoved: false
    }
  }
}

extension SessionTask {
  /// Posts a notice whenever the task is resumed or suspended.
  func notifyOfEvents() {
    call.observe(.task) { [weak self] event in
      switch event.kind {
      case .taskResumed: self?.notify(.resumed)
      case .taskSuspended: self?.notify(.suspended)
      default: break
      }
    }
  }

  /// Posts a notice, on the main queue.
  func notify(_ notice: TaskNotice, _ completion: SessionTaskCompletion? = nil) {
    DispatchQueue.main.async { [self] in
      if notice.isState { TaskObservation.notify(self, notice) }
      FoundationExtras.current?.post(
        notice.rawValue, object: self,
        userInfo: completion.map { [SessionTaskCompletion.userInfoKey: $0] } ?? [:])
    }
  }
}
