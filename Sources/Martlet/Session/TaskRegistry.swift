import MartletCore

/// The tasks of one session that are not over.
final class TaskRegistry: Sendable {
  private struct State {
    var next = 1
    var tasks: [Int: SessionTask] = [:]
    var isInvalid = false
  }

  private let state = Locked(State())

  /// The tasks, in the order in which they were made.
  var tasks: [SessionTask] {
    state.withLock { $0.tasks.values.sorted { $0.identifier < $1.identifier } }
  }

  /// Whether tasks that are made from now on are refused.
  var isInvalid: Bool { state.withLock { $0.isInvalid } }

  /// Makes a task.
  ///
  /// - Parameters:
  ///   - request: What to send.
  ///   - kind: What the task is for. The default is `.data`.
  ///   - start: Begins the task when it is first resumed; a task without is running already.
  /// - Returns: The task, which takes itself out when it is over.
  func add(
    _ request: Request, kind: SessionTask.Kind = .data, start: SessionTask.Start? = nil
  ) -> SessionTask {
    state.withLock { state in
      let task = SessionTask(
        identifier: state.next, kind: kind, request: request, registry: self,
        isRefused: state.isInvalid, start: start)
      state.next += 1
      state.tasks[task.identifier] = task
      return task
    }
  }

  /// Whether a task is one of these.
  func contains(_ task: SessionTask) -> Bool {
    state.withLock { $0.tasks[task.identifier] === task }
  }

  func remove(_ task: SessionTask) {
    state.withLock { $0.tasks[task.identifier] = nil }
  }

  /// Lets go of all tasks, as nobody can ask for them any more.
  func forgetTasks() {
    // They go behind the lock: what their closures hold on to may do anything when it is freed.
    _ = state.withLock { state in
      defer { state.tasks = [:] }
      return state.tasks
    }
  }

  /// Refuses the tasks that are made from now on.
  ///
  /// - Returns: Those that were made before and are not over.
  func invalidate() -> [SessionTask] {
    state.withLock { state in
      state.isInvalid = true
      return Array(state.tasks.values)
    }
  }
}
