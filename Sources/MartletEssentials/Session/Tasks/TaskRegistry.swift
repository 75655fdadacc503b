import EssentialFoundation
import MartletCore

/// The tasks of one session that are not over, and who wants to know of them.
final class TaskRegistry: Sendable {
  private struct State {
    var next = 1
    var tasks: [Int: SessionTask] = [:]
    var isInvalidated = false
    var hooks: TaskHooks?
    var listeners: [Int: TaskListener] = [:]
    var invalidationHandlers: [InvalidationHandler] = []
  }

  /// What to do when the tasks that were made before a certain one are over.
  private struct InvalidationHandler {
    var end: Int
    var call: @Sendable () -> Void
  }

  /// Where progress closures and hooks run, one at a time and in order.
  let queue: DispatchQueue
  private let state = Locked(State())

  /// A registry without tasks.
  ///
  /// - Parameter queue: Where progress closures and hooks run.
  init(queue: DispatchQueue) {
    self.queue = queue
  }

  /// The tasks, in the order in which they were made.
  var tasks: [SessionTask] {
    state.withLock { $0.tasks.values.sorted { $0.taskIdentifier < $1.taskIdentifier } }
  }

  /// Whether tasks that are made from now on are refused.
  var isInvalidated: Bool { state.withLock { $0.isInvalidated } }

  /// The hooks of the tasks that are made from now on; `nil` when none is set.
  var hooks: TaskHooks? { state.withLock { $0.hooks } }

  /// Sets one hook, for the tasks that are made from now on.
  func setHook<Hook>(_ hook: WritableKeyPath<SessionHooks, Hook?>, _ value: Hook?) {
    // The old ones go behind the lock, as tasks do.
    _ = state.withLock { state in
      var hooks = state.hooks?.sessionHooks ?? SessionHooks()
      hooks[keyPath: hook] = value
      defer { state.hooks = TaskHooks(hooks, queue: queue) }
      return state.hooks
    }
  }

  /// Makes a task.
  ///
  /// - Parameters:
  ///   - request: What to send.
  ///   - kind: What the task is for. The default is `.data`.
  ///   - download: What is done with the response, when it goes into a file. The default is nothing.
  ///   - start: Begins the task when it is first resumed; a task without is running already.
  /// - Returns: The task, which takes itself out when it is over.
  func add(
    _ request: Request, kind: SessionTask.Kind = .data, download: DownloadContext? = nil,
    start: SessionTask.Start? = nil
  ) -> SessionTask {
    let (task, listeners) = state.withLock { state in
      let task = SessionTask(
        taskIdentifier: state.next, kind: kind, request: request, registry: self,
        hooks: state.hooks,
        wasSessionInvalidated: state.isInvalidated, download: download, start: start)
      state.next += 1
      state.tasks[task.taskIdentifier] = task
      return (task, state.listeners)
    }
    task.hooks?.follow(task)
    // What a task does is posted if it was handed out to be resumed (SES-N1).
    if start != nil { task.notifyOfEvents() }
    for listener in listeners.values {
      task.call.observe { [weak task] event in
        if let task { listener.yield(TaskEvent(task: task, event: event)) }
      }
    }
    return task
  }

  /// Whether a task is one of these.
  func contains(_ task: SessionTask) -> Bool {
    state.withLock { $0.tasks[task.taskIdentifier] === task }
  }

  /// - Returns: Whether handlers wait to be called, so that `runInvalidationHandlers()` is to be called.
  func remove(_ task: SessionTask) -> Bool {
    state.withLock { state in
      state.tasks[task.taskIdentifier] = nil
      return !state.invalidationHandlers.isEmpty
    }
  }

  /// Releases all tasks, as there is no way to ask for them any more.
  func removeAllTasks() {
    // They go behind the lock: what their closures hold on to may do anything when it is freed.
    _ = state.withLock { state in
      defer { state.tasks = [:] }
      return state.tasks
    }
  }

  // MARK: Listening

  /// Tells `listener` of what happens to the tasks that are made from now on.
  ///
  /// - Returns: The number under which it can be taken away.
  func addListener(_ listener: TaskListener) -> Int {
    state.withLock { state in
      let number = (state.listeners.keys.max() ?? 0) + 1
      state.listeners[number] = listener
      return number
    }
  }

  func removeListener(_ number: Int) {
    _ = state.withLock { $0.listeners.removeValue(forKey: number) }
  }

  /// There will be no more tasks.
  func finishListeners() {
    let listeners = state.withLock { state in
      defer { state.listeners = [:] }
      return state.listeners
    }
    for listener in listeners.values { listener.finish() }
  }

  // MARK: The end

  /// Ends what the tasks made so far belong to.
  ///
  /// - Parameters:
  ///   - isFinal: Whether the tasks that are made from now on are refused.
  ///   - handler: Called when those that were made before are over.
  /// - Returns: These. What has ended has already called its handler.
  func invalidate(isFinal: Bool, _ handler: @escaping @Sendable () -> Void) -> [SessionTask] {
    state.withLock { state in
      if !state.isInvalidated {
        state.invalidationHandlers.append(InvalidationHandler(end: state.next, call: handler))
      }
      state.isInvalidated = isFinal
      return Array(state.tasks.values)
    }
  }

  /// Calls the handlers that are due.
  func runInvalidationHandlers() {
    let due: [InvalidationHandler] = state.withLock { state in
      guard !state.invalidationHandlers.isEmpty else { return [] }
      let oldest = state.tasks.keys.min() ?? .max
      defer { state.invalidationHandlers.removeAll { $0.end <= oldest } }
      return state.invalidationHandlers.filter { $0.end <= oldest }
    }
    for handler in due { handler.call() }
  }
}
