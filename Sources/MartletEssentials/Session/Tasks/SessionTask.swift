package import EssentialFoundation
public import MartletCore
import NIOCore

/// One request of a session: its state, its progress, and the functions that suspend, resume and cancel it.
///
/// A task that was made with a completion begins when it is resumed for the first time, as in AFNetworking. The task of
/// an async call is running from the start. The task of a streamed response continues until the body has been read to
/// the end. When the body is released earlier, the task ends as cancelled.
public final class SessionTask: Sendable {
  /// The states of a task.
  public enum State: Hashable, Sendable {
    /// Not begun yet, or suspended.
    case suspended
    /// Under way.
    case running
    /// Cancelled, but not over yet.
    case canceling
    /// Over, with a response or an error.
    case completed
  }

  /// The kinds of tasks.
  public enum Kind: Hashable, Sendable {
    /// The response is made into an object.
    case data
    /// The same; the purpose of the task is to send the request's body.
    case upload
    /// The response goes into a file.
    case download
  }

  /// Begins a task.
  typealias Start = @Sendable (SessionTask) -> Void

  /// The number of the task; unique in its session, and never used again.
  public let taskIdentifier: Int
  /// The place of the task in its session's table.
  let place: Int
  /// The request as it was made, before redirects.
  public let originalRequest: Request
  /// The call with which the task suspends, resumes and cancels its request in the engine.
  public let call: Call
  /// The hooks of the session when the task was made, if there were any.
  let hooks: TaskHooks?
  /// Whether the session had been invalidated when the task was made.
  let wasSessionInvalidated: Bool
  /// The plan and the state of the download; `nil` for other tasks.
  let download: DownloadContext?
  let registry: TaskRegistry
  let status: Locked<TaskStatus>

  /// - Parameters:
  ///   - taskIdentifier: The number of the task, unique in its session.
  ///   - place: The place of the task in its session's table.
  ///   - kind: The kind of the task.
  ///   - request: What to send.
  ///   - registry: The registry that lists the task until it is over.
  ///   - hooks: The hooks of the session, if there are any.
  ///   - wasSessionInvalidated: Whether the session has been invalidated, so that the request is not sent.
  ///   - download: The plan and the state of the download; `nil` for other tasks.
  ///   - start: Begins the task when it is first resumed; a task without it is running from the start.
  init(
    taskIdentifier: Int, place: Int, kind: Kind, request: Request, registry: TaskRegistry,
    hooks: TaskHooks?, wasSessionInvalidated: Bool, download: DownloadContext?, start: Start?
  ) {
    self.taskIdentifier = taskIdentifier
    self.place = place
    self.registry = registry
    self.hooks = hooks
    self.wasSessionInvalidated = wasSessionInvalidated
    self.download = download
    call = request.call ?? Call(priority: request.options.priority)
    if request.call != nil { call.beginTask() }
    originalRequest = request
    status = Locked(TaskStatus(kind: kind, start: start))
  }

  // MARK: State

  /// The kind of the task.
  public var kind: Kind { status.withLock { $0.kind } }
  /// The state of the task.
  public var state: State { status.withLock { $0.state } }
  /// The response, once there is one. A streamed response has no body here, because only its reader has access to it.
  public var response: Response? { status.withLock { $0.response } }
  /// The error, if the task failed.
  public var error: MartletError? { status.withLock { $0.error } }

  /// A text with which the application identifies the task, in logs for example. The default is `nil`. The session
  /// never sets it (SES-T3 differs: there the manager overwrites it).
  public var taskDescription: String? {
    get { status.withLock { $0.description } }
    set { status.withLock { $0.description = newValue } }
  }

  /// The request as the pipeline receives it.
  var request: Request {
    var request = originalRequest.withoutInterceptorState
    request.call = call
    return request
  }

  // The call is suspended and resumed under the lock, so that the engine sees both in the order in which the state
  // changed. Neither waits: each only schedules work on an event loop.

  /// Begins or continues the task; does nothing when it is running or over.
  public func resume() {
    var start: Start?
    let isResumed = status.withLock { status in
      guard status.resume() else { return false }
      start = status.takeStart()
      if start == nil { call.resume() }
      return true
    }
    guard isResumed else { return }
    call.report(.taskResumed)
    // After the event, because the task may end at once.
    start?(self)
  }

  /// Suspends the task: nothing more is sent or received until it is resumed.
  public func suspend() {
    let isSuspended = status.withLock { status in
      guard status.suspend() else { return false }
      call.suspend()
      return true
    }
    if isSuspended { call.report(.taskSuspended) }
  }

  /// Cancels the task; its completion, or the reader of its body, receives an error with code `.cancelled`.
  ///
  /// A download whose file is being moved to its destination can no longer be cancelled. The completion of a task that
  /// never began is called as well.
  public func cancel() {
    guard let cancellation = status.withLock({ $0.cancel() }) else { return }
    call.cancel()
    cancellation.work?.cancel()
    cancellation.start?(self)
    if cancellation.isReading { _ = fail(with: .cancelled) }
  }

  // MARK: Progress

  /// Returns the object that writes the task's progress. The first call makes it; `end()` is called when the task is
  /// over.
  ///
  /// - Parameter make: Makes the object, given whether the task is over, and the session's queue. It is called under
  ///   the task's lock, so that the first counts are written before another thread finds the object, and before the
  ///   task ends.
  /// - Returns: The object that was made first.
  package func progressWriter<Writer: ProgressWriter>(
    _ make: (_ isOver: Bool, _ queue: DispatchQueue) -> Writer
  ) -> Writer {
    status.withLock { status in
      if let writer = status.progress as? Writer { return writer }
      let writer = make(status.state == .completed, registry.queue)
      status.progress = writer
      return writer
    }
  }
}

extension SessionTask: CustomStringConvertible, CustomReflectable {
  /// The task as text, such as `<SessionTask 7: GET https://example.com/ running>`, with its `taskDescription`
  /// after the number if it has one.
  public var description: String {
    let url = originalRequest.url.absoluteString.withoutUserInfo
    let name = taskDescription.map { " “\($0)”" } ?? ""
    return "<SessionTask \(taskIdentifier)\(name): \(originalRequest.method) \(url) \(state)>"
  }

  /// What debuggers show; secrets are masked here, too.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "identifier": taskIdentifier, "state": state, "originalRequest": originalRequest,
        "taskDescription": taskDescription as Any, "call": call,
        "response": response as Any, "error": error as Any,
      ], displayStyle: .class)
  }
}

/// Cancelling a download so that it can be resumed later.
extension SessionTask {
  /// Cancels a download, and keeps the bytes received if it can be resumed (SES-D9).
  ///
  /// - Parameter handler: Called once, when the task is over, on any thread. It receives `nil` when the task is not a
  ///   download, when it has succeeded or is about to, or when it cannot be resumed. A download can be resumed only if
  ///   its response has a strong `ETag` or `Last-Modified`, which shows whether the resource has changed. The task's
  ///   error has the same resume data.
  public func cancel(byProducingResumeData handler: @escaping @Sendable (ResumeData?) -> Void) {
    download?.keepsPartialOnCancel.withLock { $0 = true }
    onCompletion { task in handler(task.error?.resumeData) }
    cancel()
  }

  /// Cancels a download, and keeps the bytes received if it can be resumed (SES-D9).
  ///
  /// - Returns: The resume data; see ``cancel(byProducingResumeData:)``.
  public func cancelByProducingResumeData() async -> ResumeData? {
    await withCheckedContinuation { continuation in
      cancel { continuation.resume(returning: $0) }
    }
  }
}
