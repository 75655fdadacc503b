public import Foundation
public import MartletCore
import NIOCore

/// One request of a session: its state, its progress, and the means to hold or end it.
///
/// A task that was made with a completion begins when it is resumed for the first time, as in
/// AFNetworking; one that belongs to an async call is running from the start. The task of a streamed
/// exchange goes on until its body has been read to the end; when the body is dropped before, the task
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
  public let identifier: Int
  /// The request as it was made, before redirects.
  public let originalRequest: Request
  /// The handle through which the engine is reached.
  public let exchange: Exchange
  /// The hooks of the session when the task was made, if there were any.
  let hooks: TaskHooks?
  /// Whether the session had been invalidated when the task was made.
  let isRefused: Bool
  /// Whether the task was handed out to be resumed; what it does is posted then (SES-N1).
  let isPosted: Bool
  /// What is done with the response on its way up, when it goes into a file.
  let download: DownloadStep?
  private let registry: TaskRegistry
  private let status: Locked<TaskStatus>

  /// - Parameters:
  ///   - identifier: Tells it apart from the session's other tasks.
  ///   - kind: What it is for.
  ///   - request: What to send.
  ///   - registry: Where the task is listed until it is over.
  ///   - hooks: What the session asks and tells about it.
  ///   - isRefused: Whether it will not be sent at all.
  ///   - download: What is done with the response, when it goes into a file.
  ///   - start: Begins the task when it is first resumed; a task without is running already.
  init(
    identifier: Int, kind: Kind, request: Request, registry: TaskRegistry, hooks: TaskHooks?,
    isRefused: Bool, download: DownloadStep?, start: Start?
  ) {
    self.identifier = identifier
    self.registry = registry
    self.hooks = hooks
    self.isRefused = isRefused
    isPosted = start != nil
    self.download = download
    exchange = request.exchange ?? Exchange()
    originalRequest = request
    status = Locked(TaskStatus(kind: kind, start: start))
  }

  // MARK: State

  /// What the task is for.
  public var kind: Kind { status.withLock { $0.kind } }
  /// Where the task stands.
  public var state: State { status.withLock { $0.state } }
  /// The response, once there is one; that of a streamed exchange without the body, which is its
  /// reader's alone.
  public var response: Response? { status.withLock { $0.response } }
  /// Why the task failed, if it did.
  public var error: MartletError? { status.withLock { $0.error } }

  /// The request as the pipeline gets it.
  var request: Request {
    var request = originalRequest
    request.exchange = exchange
    return request
  }

  // Beginning and holding happen under the lock, so that the engine hears of them in the order in which
  // the state changed. Neither waits: both only leave word on an event loop.

  /// Begins the task, or lets it go on; does nothing when it is running or over.
  public func resume() {
    let isResumed = status.withLock { status in
      guard status.resume() else { return false }
      if let start = status.takeStart() { start(self) } else { exchange.resume() }
      return true
    }
    if isResumed { tell(.taskResumed, post: .sessionTaskDidResume) }
  }

  /// Holds the task: nothing more is sent or received until it is resumed.
  public func suspend() {
    let isSuspended = status.withLock { status in
      guard status.suspend() else { return false }
      exchange.suspend()
      return true
    }
    if isSuspended { tell(.taskSuspended, post: .sessionTaskDidSuspend) }
  }

  /// Ends the task; its completion, or whoever reads its body, gets an error with code `.cancelled`.
  ///
  /// A task that never began completes as well.
  public func cancel() {
    guard let cancellation = status.withLock({ $0.cancel() }) else { return }
    exchange.cancel()
    cancellation.work?.cancel()
    cancellation.start?(self)
    if cancellation.isReading { _ = fail(with: .cancelled) }
  }

  private func tell(_ event: Event, post name: Notification.Name) {
    exchange.report(event)
    if isPosted { post(name) }
  }

  // MARK: For the session

  /// Tells the session's hook for data, if there is one, of a piece of the body.
  func heard(_ data: ByteBuffer) {
    hooks?.tell(\.onData) { [self] in $0(self, data) }
  }

  /// The response goes into a file after all (SES-T8).
  func becomeDownload() {
    status.withLock { $0.kind = .download }
    hooks?.tell(\.onBecomeDownload) { [self] in $0(self) }
  }

  /// Has `cancel()` cancel the Swift task that runs the pipeline, too.
  func adopt(_ work: Task<Response, any Error>) {
    let isCanceling = status.withLock { status in
      status.work = work
      return status.state == .canceling
    }
    if isCanceling { work.cancel() }
  }

  /// Throws when the task is not to be sent.
  func checkStanding() throws(MartletError) {
    guard state != .canceling else { throw .cancelled }
    guard !isRefused else { throw .shutDown }
  }

  /// Records the response, unless the task was cancelled before it came.
  ///
  /// - Returns: The response to hand out. When its body is still to be read, the task goes on until
  ///   that has ended.
  func complete(with response: Response) throws(MartletError) -> Response {
    let isStream = response.body.isStream
    let isRecorded =
      isStream
      ? status.withLock { $0.beginReading(response) } : end { $0.succeed(response) }
    guard isRecorded else { throw .cancelled }
    guard isStream else { return response }
    var response = response
    response.body = ResponseBody(stream: TaskBody(response.body, of: self))
    return response
  }

  /// Records that the body has been read to its end.
  func finishReading(_ completion: ResponseBody.Completion?) {
    end { $0.finishReading(completion) }
  }

  /// Records why the task failed, unless it is over already.
  ///
  /// - Returns: The error, with the request as it can be sent again: without this task's handle.
  func fail(with error: MartletError) -> MartletError {
    var error = error
    if error.request == nil { error.request = originalRequest }
    if originalRequest.exchange == nil, error.request?.exchange === exchange {
      error.request?.exchange = nil
    }
    end { [error] in $0.fail(error) }
    return error
  }

  /// Calls `heir` once the task is over, which may be now.
  func whenOver(_ heir: @escaping TaskStatus.Heir) {
    let isOver = status.withLock { !$0.expect(heir) }
    if isOver { heir(self) }
  }

  /// Ends the task, if `change` does. It is no longer listed once it is seen to be over.
  @discardableResult
  private func end(_ change: (inout TaskStatus) -> Bool) -> Bool {
    let rest: Rest? = status.withLock { status in
      guard change(&status) else { return nil }
      return Rest(
        progress: status.progress, heirs: status.takeHeirs(),
        hasFarewells: registry.remove(self))
    }
    guard let rest else { return false }
    rest.progress?.dismissAudience()
    if let hooks {
      exchange.owner = nil
      hooks.ended(self)
    }
    for heir in rest.heirs { heir(self) }
    if rest.hasFarewells { registry.settle() }
    return true
  }

  /// What remains to be done once a task is over.
  private struct Rest {
    var progress: ProgressPair?
    var heirs: [TaskStatus.Heir]
    var hasFarewells: Bool
  }

  // MARK: Progress

  /// The upload as a `Progress` object, made on first use and kept up to date from then on (SES-P6).
  public var uploadProgress: Progress { progress.upload }
  /// The download as a `Progress` object, made on first use and kept up to date from then on (SES-P6).
  public var downloadProgress: Progress { progress.download }

  var progress: ProgressPair {
    let (pair, isNew) = status.withLock { status in
      if let pair = status.progress { return (pair, false) }
      let pair = ProgressPair()
      status.progress = pair
      return (pair, true)
    }
    if isNew { pair.follow(self) }
    return pair
  }
}
