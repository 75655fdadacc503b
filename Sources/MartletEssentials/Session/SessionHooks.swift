public import EssentialFoundation
public import MartletCore

/// The closures with which an application controls and follows all tasks of a session (SES §9.1).
///
/// Each hook is an optional closure. Setting it replaces the previous one; `nil` removes it. Hooks are set on the
/// session:
///
///     session.onRedirect = { task, redirect, proposed in
///       proposed.url.host == "example.com" ? proposed : nil
///     }
///
/// A task uses the hooks that were set when it was made. Hooks that return a value are called where the value is
/// needed, for example on the actor of an async caller or on an event loop: they must be quick, and must not block.
/// Only `onAuthenticationChallenge`, which is async, may take long. Hooks that return nothing are called on the
/// session's queue, one at a time and in order, before the completion of the task. A hook that refers to the session
/// should do so weakly.
public struct SessionHooks: Sendable {
  /// What is done with a response, as returned by ``SessionHooks/onResponse``.
  public enum ResponseDisposition: Hashable, Sendable {
    /// Continue.
    case allow
    /// End the task, with an error of code `.cancelled`.
    case cancel
    /// Write the body to a file, as a download does.
    case becomeDownload
  }

  // MARK: Hooks that return a value

  /// Called before a redirect is followed, with the redirect and the request that would follow it. The returned request
  /// is sent; with `nil`, the redirect itself is the response (SES-T12).
  public var onRedirect:
    (@Sendable (_ task: SessionTask, _ redirect: ResponseHead, _ proposed: Request) -> Request?)?
  /// Called when a server requires authentication, before the session's own credentials are used. It may take as long
  /// as it needs; meanwhile the task can be cancelled (SES-A3).
  public var onAuthenticationChallenge:
    (@Sendable (_ task: SessionTask, _ challenge: ServerChallenge) async -> ChallengeDisposition)?
  /// Called when a redirect or a challenge needs the request's body again. It returns the body; with `nil`, the task
  /// fails. Without this hook, a replayable body is sent again (SES-B1).
  public var onNeedNewBody: (@Sendable (_ task: SessionTask) -> RequestBody?)?
  /// Called when the head of the response that the caller will receive has arrived (SES-T13).
  public var onResponse:
    (@Sendable (_ task: SessionTask, _ response: ResponseHead) -> ResponseDisposition)?
  /// Called before a response is stored in the session's cache. The returned response is stored; with `nil`, none is.
  public var onWillCacheResponse:
    (@Sendable (_ task: SessionTask, _ proposed: CachedResponse) -> CachedResponse?)?
  /// Called with a downloaded file; returns its destination. With `nil`, the task's own destination is used (SES-D1,
  /// SES-D2). It is not called for async calls.
  public var onDownloadFinished: (@Sendable (_ task: SessionTask, _ file: URL) -> URL?)?

  // MARK: Hooks that return nothing

  /// Called when a task has become a download, because `onResponse` returned `.becomeDownload` (SES-T8).
  public var onBecomeDownload: (@Sendable (_ task: SessionTask) -> Void)?
  /// Called with each piece, after decompression, of a body that is collected in memory or read as a stream (SES-P2).
  public var onData: (@Sendable (_ task: SessionTask, _ data: ByteBuffer) -> Void)?
  /// Called after each piece of a request's body that was sent. An unknown total is taken from the request's
  /// `Content-Length` (SES-P8).
  public var onBodyDataSent:
    (@Sendable (_ task: SessionTask, _ bytes: Int, _ progress: TransferProgress) -> Void)?
  /// Called after each piece of a download.
  public var onDownloadProgress:
    (@Sendable (_ task: SessionTask, _ bytes: Int, _ progress: TransferProgress) -> Void)?
  /// Called when a download continues where an earlier one ended (SES-P4).
  public var onDownloadResume:
    (@Sendable (_ task: SessionTask, _ offset: Int64, _ total: Int64?) -> Void)?
  /// Called with the metrics of a task, once it is over. A task without a response has no metrics.
  public var onMetrics: (@Sendable (_ task: SessionTask, _ metrics: ExchangeMetrics) -> Void)?
  /// Called when a task is over, with the error of its transfer. The response serializer reports its errors later
  /// (SES-C7).
  public var onTaskCompletion: (@Sendable (_ task: SessionTask, _ error: MartletError?) -> Void)?
  /// Called when a session has been invalidated and its last task is over (SES-L9).
  public var onSessionInvalidation: (@Sendable () -> Void)?

  /// No hooks.
  public init() {}
}

/// The hooks that were set when a task was made, and the queue on which they are called.
final class TaskHooks: Sendable {
  let sessionHooks: SessionHooks
  private let queue: DispatchQueue

  init(_ hooks: SessionHooks, queue: DispatchQueue) {
    sessionHooks = hooks
    self.queue = queue
  }

  /// Calls a hook on the queue, if it is set.
  func notify<Hook: Sendable>(
    _ hook: KeyPath<SessionHooks, Hook?>, _ call: @escaping @Sendable (Hook) -> Void
  ) {
    guard let hook = sessionHooks[keyPath: hook] else { return }
    queue.async { call(hook) }
  }

  /// Calls the hooks for the events of a task.
  func follow(_ task: SessionTask) {
    let topics = sessionHooks.topics
    guard !topics.isEmpty else { return }
    task.call.observe(topics) { [weak task, self] event in
      guard let task else { return }
      switch event.kind {
      case .bodySent(let bytes, _):
        let progress = task.uploadProgressWithAnnouncedTotal
        notify(\.onBodyDataSent) { $0(task, bytes, progress) }
      case .bodyReceived(let bytes, _) where task.kind == .download:
        let progress = task.call.downloadTransfer
        notify(\.onDownloadProgress) { $0(task, bytes, progress) }
      case .downloadResumed(let offset, let total) where task.kind == .download:
        notify(\.onDownloadResume) { $0(task, offset, total) }
      case .taskCompleted(let error):
        if let metrics = task.metrics { notify(\.onMetrics) { $0(task, metrics) } }
        notify(\.onTaskCompletion) { $0(task, error) }
      default: break
      }
    }
  }
}

extension SessionHooks {
  /// The events that the hooks need.
  fileprivate var topics: CallEvent.Topics {
    var topics: CallEvent.Topics = []
    if onBodyDataSent != nil || onDownloadProgress != nil || onDownloadResume != nil {
      topics.insert(.progress)
    }
    if onMetrics != nil || onTaskCompletion != nil { topics.insert(.task) }
    return topics
  }
}

extension SessionTask {
  /// The progress of the upload; an unknown total is taken from the request's `Content-Length` (SES-P8).
  fileprivate var uploadProgressWithAnnouncedTotal: TransferProgress {
    var progress = uploadTransfer
    if progress.total == nil {
      progress.total = originalRequest.headers[.contentLength].flatMap { Int64($0) }
    }
    return progress
  }
}
