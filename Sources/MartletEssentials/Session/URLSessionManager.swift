public import EssentialFoundation
public import MartletCore
public import MartletTransport

/// Owns an engine and the tasks that run on it, and turns responses into objects.
///
/// Safe to use from any thread. Settings may be changed at any time. A task uses the response serializer and the hooks
/// that were set when it was made, the group that is set when it begins, and the queue that is set when it ends.
///
/// A session that is released closes its connections when nothing uses them any more. Its tasks do not need it: tasks
/// under way run to their end and call their completions. A task that was never resumed is released, unless you keep a
/// reference to it; then it can still be resumed. (SES-L5 differs: there a session lives until it is invalidated.)
@dynamicMemberLookup
public final class URLSessionManager: Sendable {
  /// Called at the end of a task with the response, if one arrived, the object that the response serializer made of it,
  /// and the error. Object and error may both be present (SES-C10).
  public typealias Completion =
    @Sendable (_ response: Response?, _ object: (any Sendable)?, _ error: MartletError?) -> Void

  /// The configuration that the session was made with.
  public let configuration: SessionConfiguration
  let runner: TaskRunner
  let registry: TaskRegistry
  private let serializer: Locked<any HTTPResponseSerializing>
  let policy: Locked<SecurityPolicy>

  /// A session.
  ///
  /// - Parameter configuration: The default has the documented defaults.
  public init(configuration: SessionConfiguration = SessionConfiguration()) {
    self.configuration = configuration
    runner = TaskRunner(configuration)
    registry = TaskRegistry(
      queue: runner.queue, observers: configuration.observers + EnvironmentLog.observers)
    serializer = Locked(JSONResponseSerializer())
    policy = Locked(configuration.securityPolicy)
  }

  deinit {
    registry.removeAllTasks()
    registry.finishListeners()
  }

  /// Returns a new session with the same configuration, policy and response serializer (SES-S2 differs: there
  /// policy and serializer are the defaults). Tasks, hooks, queue and group are not copied.
  public func copy() -> URLSessionManager {
    var configuration = configuration
    configuration.securityPolicy = securityPolicy
    let copy = URLSessionManager(configuration: configuration)
    copy.responseSerializer = responseSerializer
    return copy
  }

  // MARK: Settings

  /// Checks responses and makes objects of them for completions. The default is
  /// ``JSONResponseSerializer``.
  ///
  /// Replacing it is safe at any time. Changing a part of it is a read followed by a write: if several threads do so,
  /// use ``updateResponseSerializer(_:)``.
  public var responseSerializer: any HTTPResponseSerializing {
    get { serializer.current }
    set { serializer.withLock { $0 = newValue } }
  }

  /// Changes the response serializer atomically, so that no concurrent change is lost.
  ///
  /// - Parameter change: Called once, under a lock, before the function returns. It must not use the session, and must
  ///   not wait. When it throws, the serializer is not changed.
  /// - Throws: What `change` throws.
  public func updateResponseSerializer(
    _ change: (inout any HTTPResponseSerializing) throws -> Void
  ) rethrows {
    try serializer.update(change)
  }

  /// How server certificates are evaluated.
  ///
  /// Replacing it is safe at any time. The new policy applies to all requests that are sent afterwards: none of them
  /// uses a connection that was accepted under an older policy. It does not apply to tasks and batches that were made
  /// before the session was invalidated or reset, nor to a custom transport that is not an `HTTPTransport`.
  public var securityPolicy: SecurityPolicy {
    get { policy.current }
    set {
      policy.withLock { policy in
        policy = newValue
        runner.sessionPipeline.setPolicy(newValue)
      }
    }
  }

  /// What the session's cache has done since the session was made or reset; zeros without a cache.
  public var cacheStatistics: CacheStatistics {
    runner.sessionPipeline.caches.first?.statistics ?? CacheStatistics()
  }

  /// Waits for the revalidations of stored responses that no task waits for (RFC 5861 §3), for example at the end of a
  /// program that shares a cache on disk with its next run.
  ///
  /// - Parameter limit: The longest wait. Revalidations that last longer are cancelled, and so are all when the calling
  ///   task is cancelled. The default is 5 seconds.
  public func finishRevalidations(within limit: Duration = .seconds(5)) async {
    for cache in runner.sessionPipeline.caches { await cache.finishRevalidations(within: limit) }
  }

  /// The queue on which completions run. The default, `nil`, is the main queue (SES-C8).
  public var completionQueue: DispatchQueue? {
    get { runner.completionQueue.current }
    set { runner.completionQueue.withLock { $0 = newValue } }
  }

  /// The group that a task enters when it begins, and leaves when its completion has returned (SES-C9 differs: there a
  /// task enters it only at its end). The default is `nil`.
  public var completionGroup: DispatchGroup? {
    get { runner.completionGroup.current }
    set { runner.completionGroup.withLock { $0 = newValue } }
  }

  /// The hooks of the session: `session.onRedirect = …`. Setting one is atomic.
  public subscript<Hook: Sendable>(dynamicMember hook: WritableKeyPath<SessionHooks, Hook?>)
    -> Hook?
  {
    get { registry.hooks?.sessionHooks[keyPath: hook] }
    set { registry.setHook(hook, newValue) }
  }
}

/// An archive of a session contains its settings and its security policy (SES-S1); ``SessionConfiguration`` describes it.
/// The response serializer is not archived.
extension URLSessionManager: Codable {
  /// A session from an archive.
  ///
  /// - Throws: What the decoding of ``SessionConfiguration`` throws.
  public convenience init(from decoder: any Decoder) throws {
    self.init(configuration: try SessionConfiguration(from: decoder))
  }

  /// Encodes the session.
  ///
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var configuration = configuration
    configuration.securityPolicy = securityPolicy
    configuration.missingSettings += unarchivedSettings
    if completionQueue != nil { configuration.missingSettings.append("completionQueue") }
    try configuration.encode(to: encoder)
  }

  /// The names of the settings that only a session has, and that are set.
  var unarchivedSettings: [String] {
    (registry.hooks == nil ? [] : ["hooks"]) + (completionGroup == nil ? [] : ["completionGroup"])
  }
}

extension URLSessionManager: CustomStringConvertible, CustomReflectable {
  /// The session as text, such as `<URLSessionManager: 2 tasks>`.
  public var description: String {
    let (count, isInvalid) = (tasks.count, isInvalidated)
    let tasks = count == 1 ? "1 task" : "\(count) tasks"
    return "<URLSessionManager: \(tasks)\(isInvalid ? ", invalidated" : "")>"
  }

  /// What debuggers show: settings and tasks, but no state of the engine's threads.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "configuration": configuration, "tasks": tasks, "responseSerializer": responseSerializer,
      ], displayStyle: .class)
  }
}

/// An event of one of a session's tasks.
public struct TaskEvent: Sendable {
  /// The task.
  public var task: SessionTask
  /// The event of the task, or of its connection.
  public var event: CallEvent
}

extension URLSessionManager {
  /// Calls a closure for every event of all tasks that are made from now on, including those of async calls.
  ///
  ///     let observation = session.observe { event in
  ///       if case .taskCompleted(let error) = event.event.kind { count(event.task, error) }
  ///     }
  ///     observation.cancel()
  ///
  /// There may be any number of observers. They are called in the order in which they were added. Each event has a monotonic
  /// time, and the identifiers of its task, attempt and connection. Each attempt and each task has exactly one last event.
  ///
  /// - Parameter observer: Called for each event of a task in order, usually on an event loop: it must be quick and must not
  ///   block. Several tasks may call it at the same time.
  /// - Returns: The observation, with which it can be ended.
  @discardableResult
  public func observe(_ observer: @escaping @Sendable (TaskEvent) -> Void) -> Observation {
    registry.observe(observer)
  }

  /// The events of all tasks that are made from now on, including those of async calls. The stream ends with the
  /// session.
  ///
  ///     Task {
  ///       for await (task, event) in session.events.map({ ($0.task, $0.event) }) {
  ///         print(task.taskIdentifier, event)
  ///       }
  ///     }
  ///
  /// A reader that falls behind by more than 4096 events misses the oldest.
  public var events: AsyncStream<TaskEvent> {
    let (events, listener) = AsyncStream.makeStream(
      of: TaskEvent.self, bufferingPolicy: .bufferingNewest(4096))
    let observation = registry.observe(finish: { listener.finish() }) { listener.yield($0) }
    listener.onTermination = { _ in observation.cancel() }
    return events
  }
}

extension URLSessionManager {
  /// Returns what the session's engine has and does at this moment: connections, their requests, and those that wait.
  ///
  ///     print(await session.snapshot() ?? "a custom transport")
  ///
  /// - Returns: The snapshot; `nil` for a session with a custom transport that is not an `HTTPTransport`.
  public func snapshot() async -> EngineSnapshot? {
    await runner.sessionPipeline.engine?.snapshot()
  }
}

/// The end of a session.
extension URLSessionManager {
  /// The name of the notification that is posted when a session has been invalidated.
  package static let invalidationNotice = "martlet.sessionDidInvalidate"

  /// Whether the session refuses new requests.
  public var isInvalidated: Bool { registry.isInvalidated }

  /// Ends the session, and closes its connections when its tasks are over.
  ///
  /// When the last of its tasks is over, `onSessionInvalidation` is called and a notification is posted (SES-L9). The
  /// function may be called again, to cancel tasks that were left to finish, or to begin a new session.
  ///
  /// - Parameters:
  ///   - cancelingTasks: Whether the tasks that are not over are cancelled, begun or not; otherwise they finish
  ///     (SES-L6).
  ///   - resettingSession: Whether a new session with the same configuration replaces the old one (SES-L7). The default
  ///     is false: requests that are made from now on are refused with an error of code `.shutDown`.
  public func invalidateSession(cancelingTasks: Bool, resettingSession: Bool = false) {
    // The old pipeline is released outside the lock, because that may run code of the program.
    let (tasks, _) = policy.withLock { policy in
      let wasInvalidated = isInvalidated
      let tasks = invalidate(isFinal: !resettingSession)
      // Again only for a new session: after `shutDown()`, a new engine would use event loops that may be shut down.
      let isNew = resettingSession || !wasInvalidated
      return (tasks, isNew ? runner.resetPipeline(under: policy) : nil)
    }
    if cancelingTasks { tasks.forEach { $0.cancel() } }
    registry.runInvalidationHandlers()
  }

  /// Refuses new requests, waits until the tasks under way are over, and closes the connections.
  ///
  /// Tasks that are suspended are cancelled, because they might never be resumed. When the calling task is cancelled,
  /// all tasks are cancelled. It may be called again, and returns then when the tasks are over, too. A custom transport is
  /// not shut down.
  ///
  /// An event loop group of your own, set as `eventLoopGroup`, can be shut down afterwards. With such a group, the function
  /// also waits for code of yours that still runs although its task is over: the producer of a body and its trailers, a
  /// writer, the evaluation of a certificate, the provider of a client certificate. Their Swift tasks are cancelled, and
  /// writers are abandoned. A batch that is not over, and work in `runOnEventLoop`, continues on other threads.
  ///
  /// This code, interceptors and hooks must not wait for the function, which would wait for them.
  public func shutDown() async {
    _ = policy.withLock { _ in invalidate(isFinal: true) }
    registry.runInvalidationHandlers()
    // Afterwards, because no more tasks are made now that could be suspended.
    for task in tasks where task.state == .suspended { task.cancel() }
    await withTaskCancellationHandler {
      await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
        registry.onIdle { done.resume() }
      }
    } onCancel: {
      for task in tasks { task.cancel() }
    }
    // The engine stays that of the session, so that batches and `runOnEventLoop` know that it is closed.
    await runner.closeEngines()
  }

  /// Refuses new requests if the end is final, and reports it when the tasks are over.
  ///
  /// - Returns: The tasks that are not over.
  private func invalidate(isFinal: Bool) -> [SessionTask] {
    registry.invalidate(isFinal: isFinal) { [weak self, runner, registry] in
      runner.queue.async { [weak self] in
        registry.hooks?.sessionHooks.onSessionInvalidation?()
        FoundationExtras.current?.post(Self.invalidationNotice, object: self, userInfo: [:])
      }
    }
  }
}
