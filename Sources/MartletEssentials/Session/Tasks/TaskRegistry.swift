import EssentialFoundation
import MartletCore

/// The unfinished tasks of one session, and the listeners to their events.
final class TaskRegistry: Sendable {
  private struct State {
    var next = 1
    var table = TaskTable()
    var isInvalidated = false
    var hooks: TaskHooks?
    var listeners: [SessionListener] = []
    var invalidationHandlers: [InvalidationHandler] = []

    /// Notes for the handlers that a task is over.
    mutating func countDown(_ task: SessionTask) {
      for index in invalidationHandlers.indices
      where task.taskIdentifier < invalidationHandlers[index].end {
        invalidationHandlers[index].unfinished -= 1
      }
    }
  }

  /// A closure that is called when all tasks whose number is below `end` are over.
  private struct InvalidationHandler {
    let end: Int
    let call: @Sendable () -> Void
    /// How many of these tasks are not over.
    var unfinished: Int

    init(_ state: State, _ call: @escaping @Sendable () -> Void) {
      end = state.next
      unfinished = state.table.count
      self.call = call
    }
  }

  /// The queue on which progress closures and hooks run, one at a time and in order.
  let queue: DispatchQueue
  private let observers: [any SessionObserver]
  private let state = Locked(State())

  /// A registry without tasks.
  ///
  /// - Parameters:
  ///   - queue: The queue on which progress closures and hooks run.
  ///   - observers: The observers of the configuration.
  init(queue: DispatchQueue, observers: [any SessionObserver]) {
    self.queue = queue
    self.observers = observers
  }

  /// The tasks, in the order in which they were made.
  var tasks: [SessionTask] {
    state.withLock { $0.table.tasks }
  }

  /// Whether tasks that are made from now on are refused.
  var isInvalidated: Bool { state.withLock { $0.isInvalidated } }

  /// The hooks of the tasks that are made from now on; `nil` before one has been set.
  var hooks: TaskHooks? { state.withLock { $0.hooks } }

  /// Sets one hook, for the tasks that are made from now on.
  func setHook<Hook>(_ hook: WritableKeyPath<SessionHooks, Hook?>, _ value: Hook?) {
    // The old hooks are released outside the lock, as tasks are.
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
  ///   - kind: The kind of the task. The default is `.data`.
  ///   - download: The download, if the response goes into a file. The default is none.
  ///   - start: Begins the task when it is first resumed; a task without it is running from the start.
  /// - Returns: The task, which is removed from the registry when it is over.
  func add(
    _ request: Request, kind: SessionTask.Kind = .data, download: DownloadContext? = nil,
    start: SessionTask.Start? = nil
  ) -> SessionTask {
    let (task, listeners) = state.withLock { state in
      defer { state.next += 1 }
      let task = state.table.add {
        [next = state.next, hooks = state.hooks, isInvalidated = state.isInvalidated] place in
        SessionTask(
          taskIdentifier: next, place: place, kind: kind, request: request, registry: self,
          hooks: hooks, wasSessionInvalidated: isInvalidated, download: download, start: start)
      }
      return (task, state.listeners)
    }
    task.hooks?.follow(task)
    // Notifications are posted only for tasks that are made to be resumed by the application (SES-N1).
    if start != nil { task.notifyOfEvents() }
    for observer in observers {
      if let observer = observer.observer(of: task) { task.call.addObserver(observer, of: request) }
    }
    for listener in listeners {
      // A listener that keeps events keeps the task and its call, so that the call must not keep the listener.
      task.call.observe(.all, for: listener.observation, endsWithTask: true) { [weak task] event in
        if let task { listener.notify(TaskEvent(task: task, event: event)) }
      }
    }
    return task
  }

  /// Whether a task is in the registry.
  func contains(_ task: SessionTask) -> Bool {
    state.withLock { $0.table.contains(task) }
  }

  /// - Returns: Whether there are invalidation handlers, so that `runInvalidationHandlers()` must be called.
  func remove(_ task: SessionTask) -> Bool {
    state.withLock { state in
      if state.table.remove(task) { state.countDown(task) }
      return !state.invalidationHandlers.isEmpty
    }
  }

  /// Releases all tasks, because the session that lists them is released.
  func removeAllTasks() {
    // They are released outside the lock: the objects that their closures retain may run any code in `deinit`.
    _ = state.withLock { state in
      for task in state.table.tasks { state.countDown(task) }
      defer { state.table = TaskTable() }
      return state.table
    }
  }

  // MARK: Observing

  /// Calls a closure for the events of the tasks that are made from now on.
  ///
  /// - Parameters:
  ///   - finish: Called when there are no more tasks, unless the observation has ended before.
  ///   - notify: Called for each event.
  /// - Returns: The observation.
  func observe(
    finish: @escaping @Sendable () -> Void = {}, _ notify: @escaping @Sendable (TaskEvent) -> Void
  ) -> Observation {
    let observation = Observation { [weak self] in self?.removeListener(of: $0) }
    let listener = SessionListener(observation: observation, notify: notify, finish: finish)
    state.withLock { $0.listeners.append(listener) }
    return observation
  }

  private func removeListener(of observation: Observation) {
    // It is released outside the lock, as tasks are.
    _ = state.withLock { state in
      defer { state.listeners.removeAll { $0.observation === observation } }
      return state.listeners
    }
  }

  /// Ends the streams of all listeners: there are no more tasks.
  func finishListeners() {
    let listeners = state.withLock { state in
      defer { state.listeners = [] }
      return state.listeners
    }
    for listener in listeners { listener.finish() }
  }

  // MARK: Invalidation

  /// Invalidates the session of the tasks made so far.
  ///
  /// - Parameters:
  ///   - isFinal: Whether the tasks that are made from now on are refused.
  ///   - handler: Called when the tasks made so far are over; ignored if the session is invalidated already.
  /// - Returns: The tasks that are not over.
  func invalidate(isFinal: Bool, _ handler: @escaping @Sendable () -> Void) -> [SessionTask] {
    state.withLock { state in
      if !state.isInvalidated {
        state.invalidationHandlers.append(InvalidationHandler(state, handler))
      }
      state.isInvalidated = isFinal
      return state.table.tasks
    }
  }

  /// Calls `handler` when the tasks made so far are over.
  func onIdle(_ handler: @escaping @Sendable () -> Void) {
    state.withLock { $0.invalidationHandlers.append(InvalidationHandler($0, handler)) }
    runInvalidationHandlers()
  }

  /// Calls the handlers that are due.
  func runInvalidationHandlers() {
    let due: [InvalidationHandler] = state.withLock { state in
      guard !state.invalidationHandlers.isEmpty else { return [] }
      defer { state.invalidationHandlers.removeAll { $0.unfinished == 0 } }
      return state.invalidationHandlers.filter { $0.unfinished == 0 }
    }
    for handler in due { handler.call() }
  }
}

/// A closure that is called for the events of a session.
private struct SessionListener: Sendable {
  let observation: Observation
  let notify: @Sendable (TaskEvent) -> Void
  let finish: @Sendable () -> Void
}
