public import EssentialFoundation
public import MartletCore

/// Owns an engine and the tasks that run on it, and turns responses into objects.
///
/// Safe to use from any thread. What can be changed may be changed at any time; a task uses what was
/// set when it was made.
///
/// A session that is dropped closes its connections when nothing uses them any more. Its tasks do not
/// need it: those under way are finished and reported, one that was never resumed is forgotten, unless
/// you keep it, and may still begin (in place of SES-L5, by which a session lives until it is
/// invalidated).
@dynamicMemberLookup
public final class URLSessionManager: Sendable {
  /// Called at the end of a task, with the response if one came, the object that the response
  /// serializer made of it, and the error. Object and error may both be there (SES-C10).
  public typealias Completion =
    @Sendable (_ response: Response?, _ object: (any Sendable)?, _ error: MartletError?) -> Void

  /// What the session was made with.
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
    registry = TaskRegistry(queue: runner.queue)
    serializer = Locked(JSONResponseSerializer())
    policy = Locked(configuration.securityPolicy)
  }

  deinit {
    registry.removeAllTasks()
    registry.finishListeners()
  }

  /// A session of its own, with the same configuration, policy and response serializer (in place of SES-S2).
  /// Tasks, hooks, queue and group are not copied.
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
  /// Replacing it is safe at any time. Changing a part of it is a reading and a writing: where several
  /// threads do so, use ``updateResponseSerializer(_:)``.
  public var responseSerializer: any HTTPResponseSerializing {
    get { serializer.current }
    set { serializer.withLock { $0 = newValue } }
  }

  /// Changes the response serializer in one step, so that of many changes at once none is lost.
  ///
  /// - Parameter change: Called once and at once, under a lock: it must not touch the session,
  ///   nor wait. When it throws, nothing has changed.
  /// - Throws: What `change` throws.
  public func updateResponseSerializer(
    _ change: (inout any HTTPResponseSerializing) throws -> Void
  ) rethrows {
    try serializer.update(change)
  }

  /// Whom to trust.
  ///
  /// Replacing it is safe at any time, and counts for the requests that are sent from then on: none of them
  /// goes over a connection that an older policy let in. With a transport of your own that is no
  /// `HTTPTransport`, it has no effect.
  public var securityPolicy: SecurityPolicy {
    get { policy.current }
    set {
      policy.withLock { policy in
        policy = newValue
        runner.sessionPipeline.engine?.setTrustEvaluator(configuration.evaluator(for: newValue))
      }
    }
  }

  /// Where completions run. The default, `nil`, is the main queue (SES-C8).
  public var completionQueue: DispatchQueue? {
    get { runner.completionQueue.current }
    set { runner.completionQueue.withLock { $0 = newValue } }
  }

  /// What completions are counted in: a task enters it when it begins, and leaves it when its completion
  /// has returned (in place of SES-C9). The default, `nil`, counts nowhere.
  public var completionGroup: DispatchGroup? {
    get { runner.completionGroup.current }
    set { runner.completionGroup.withLock { $0 = newValue } }
  }

  /// What the session asks and tells about its tasks: `session.onRedirect = …`. Setting one is one step.
  public subscript<Hook: Sendable>(dynamicMember hook: WritableKeyPath<SessionHooks, Hook?>)
    -> Hook?
  {
    get { registry.hooks?.sessionHooks[keyPath: hook] }
    set { registry.setHook(hook, newValue) }
  }
}

extension URLSessionManager: CustomStringConvertible, CustomReflectable {
  /// The session as text, such as `<URLSessionManager: 2 tasks>`.
  public var description: String {
    let (count, isInvalid) = (tasks.count, isInvalidated)
    let tasks = count == 1 ? "1 task" : "\(count) tasks"
    return "<URLSessionManager: \(tasks)\(isInvalid ? ", invalidated" : "")>"
  }

  /// What debuggers show: settings and tasks, and nothing that an engine's thread uses.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "configuration": configuration, "tasks": tasks, "responseSerializer": responseSerializer,
      ], displayStyle: .class)
  }
}

/// Something that happened to one of a session's tasks.
public struct TaskEvent: Sendable {
  /// The task.
  public var task: SessionTask
  /// What happened to it, or to its connection.
  public var event: CallEvent
}

/// Where the events of a session's tasks go.
typealias TaskListener = AsyncStream<TaskEvent>.Continuation

extension URLSessionManager {
  /// Everything that happens to the tasks that are made from now on, those of async calls included; it ends
  /// with the session.
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
    let number = registry.addListener(listener)
    listener.onTermination = { [weak registry] _ in registry?.removeListener(number) }
    return events
  }
}

/// The end of a session.
extension URLSessionManager {
  /// The name of the notification that a session has been invalidated.
  package static let invalidationNotice = "martlet.sessionDidInvalidate"

  /// Whether the session takes no more requests.
  public var isInvalidated: Bool { registry.isInvalidated }

  /// Ends the session: its connections are closed when its tasks are over, of which `onSessionInvalidation`
  /// and a notification tell (SES-L9).
  ///
  /// It may be called again: to cancel what was to be let finish, or to begin anew.
  ///
  /// - Parameters:
  ///   - cancelingTasks: Whether the tasks that are not over are cancelled, begun or not; otherwise they
  ///     are let finish (SES-L6).
  ///   - resettingSession: Whether a new session takes the place of the old one, with the same
  ///     configuration (SES-L7). The default is false: requests that are made from now on are refused, with
  ///     an error of code `.shutDown`.
  public func invalidateSession(cancelingTasks: Bool, resettingSession: Bool = false) {
    let tasks = registry.invalidate(isFinal: !resettingSession) { [weak self, runner, registry] in
      runner.queue.async { [weak self] in
        registry.hooks?.sessionHooks.onSessionInvalidation?()
        FoundationExtras.whole?.post(Self.invalidationNotice, object: self, userInfo: [:])
      }
    }
    policy.withLock { policy in
      runner.resetPipeline()
      runner.sessionPipeline.engine?.setTrustEvaluator(configuration.evaluator(for: policy))
    }
    if cancelingTasks { tasks.forEach { $0.cancel() } }
    registry.runInvalidationHandlers()
  }
}
