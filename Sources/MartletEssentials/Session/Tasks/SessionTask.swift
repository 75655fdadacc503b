package import EssentialFoundation
public import MartletCore
import NIOCore

/// One request of a session: its state, its progress, and the means to hold or end it.
///
/// A task that was made with a completion begins when it is resumed for the first time, as in
/// AFNetworking; one that belongs to an async call is running from the start. The task of a streamed
/// call goes on until its body has been read to the end; when the body is dropped before, the task
/// ends as cancelled.
public final class SessionTask: Sendable {
  /// Where a task stands.
  public enum State: Hashable, Sendable {
    /// Not begun yet, or held.
    case suspended
    /// Under way.
    case running
    /// Cancelled, but not yet reported.
    case canceling
    /// Over.
    case completed
  }

  /// What a task is for.
  public enum Kind: Hashable, Sendable {
    /// A request whose response is made an object of.
    case data
    /// The same, for the sake of its body.
    case upload
    /// A response that goes into a file.
    case download
  }

  /// Begins a task.
  typealias Start = @Sendable (SessionTask) -> Void

  /// Tells the tasks of one session apart; never used again.
  public let taskIdentifier: Int
  /// The request as it was made, before redirects.
  public let originalRequest: Request
  /// The handle through which the engine is reached.
  public let call: Call
  /// The hooks of the session when the task was made, if there were any.
  let hooks: TaskHooks?
  /// Whether the session had been invalidated when the task was made.
  let wasSessionInvalidated: Bool
  /// What the task downloads, and where to; `nil` for other tasks.
  let download: DownloadContext?
  let registry: TaskRegistry
  let status: Locked<TaskStatus>

  /// - Parameters:
  ///   - taskIdentifier: Tells it apart from the session's other tasks.
  ///   - kind: What it is for.
  ///   - request: What to send.
  ///   - registry: Where the task is listed until it is over.
  ///   - hooks: What the session asks and tells about it.
  ///   - wasSessionInvalidated: Whether it will not be sent at all.
  ///   - download: What the task downloads, and where to; `nil` for other tasks.
  ///   - start: Begins the task when it is first resumed; a task without is running already.
  init(
    taskIdentifier: Int, kind: Kind, request: Request, registry: TaskRegistry, hooks: TaskHooks?,
    wasSessionInvalidated: Bool, download: DownloadContext?, start: Start?
  ) {
    self.taskIdentifier = taskIdentifier
    self.registry = registry
    self.hooks = hooks
    self.wasSessionInvalidated = wasSessionInvalidated
    self.download = download
    call = request.call ?? Call()
    originalRequest = request
    status = Locked(TaskStatus(kind: kind, start: start))
  }

  // MARK: State

  /// What the task is for.
  public var kind: Kind { status.withLock { $0.kind } }
  /// Where the task stands.
  public var state: State { status.withLock { $0.state } }
  /// The response, once there is one; that of a streamed one without the body, which is its
  /// reader's alone.
  public var response: Response? { status.withLock { $0.response } }
  /// Why the task failed, if it did.
  public var error: MartletError? { status.withLock { $0.error } }

  /// A text of the application's own that tells the task apart from others, in logs for example. The default is
  /// `nil`. The session never sets it (in place of SES-T3).
  public var taskDescription: String? {
    get { status.withLock { $0.description } }
    set { status.withLock { $0.description = newValue } }
  }

  /// The request as the pipeline gets it.
  var request: Request {
    var request = originalRequest.withoutInterceptorState
    request.call = call
    return request
  }

  // The call is suspended and resumed under the lock, so that the engine sees both in the order in which the state
  // changed. Neither waits: each only schedules work on an event loop.

  /// Begins the task, or lets it go on; does nothing when it is running or over.
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
    // Behind the event, because a task may end at once.
    start?(self)
  }

  /// Holds the task: nothing more is sent or received until it is resumed.
  public func suspend() {
    let isSuspended = status.withLock { status in
      guard status.suspend() else { return false }
      call.suspend()
      return true
    }
    if isSuspended { call.report(.taskSuspended) }
  }

  /// Ends the task; its completion, or the reader of its body, gets an error with code `.cancelled`. A
  /// download whose file is getting its place comes to its end all the same.
  ///
  /// A task that never began completes as well.
  public func cancel() {
    guard let cancellation = status.withLock({ $0.cancel() }) else { return }
    call.cancel()
    cancellation.work?.cancel()
    cancellation.start?(self)
    if cancellation.isReading { _ = fail(with: .cancelled) }
  }

  // MARK: Progress

  /// The one that writes the task's progress: made when it is first asked for, and told when the task is over.
  ///
  /// - Parameter make: Makes it, of whether the task is over, and of the session's queue. Called under the task's lock, so
  ///   that its first counts are written before another thread finds it, and before the task ends.
  /// - Returns: The first that was made.
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
  /// behind the number if it has one.
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

/// Ending a download so that it can go on later.
extension SessionTask {
  /// Ends a download as `cancel()` does, and keeps what came if that is of use (SES-D9).
  ///
  /// - Parameter handler: Called once, when the task is over, on any thread: with `nil` when the task is no
  ///   download, has come to its end by itself or is about to, or left nothing to go on from. That takes a
  ///   strong `ETag` or `Last-Modified`, without which it could not be told whether the server still has the
  ///   same. The task's error carries the same resume data.
  public func cancel(byProducingResumeData handler: @escaping @Sendable (ResumeData?) -> Void) {
    download?.keepsPartialOnCancel.withLock { $0 = true }
    onCompletion { task in handler(task.error?.resumeData) }
    cancel()
  }

  /// Ends a download as `cancel()` does, and keeps what came if that is of use (SES-D9).
  ///
  /// - Returns: The resume data; see ``cancel(byProducingResumeData:)``.
  public func cancelByProducingResumeData() async -> ResumeData? {
    await withCheckedContinuation { continuation in
      cancel { continuation.resume(returning: $0) }
    }
  }
}
