public import EssentialFoundation
public import MartletCore

/// What a session asks and tells the application about all of its tasks (SES §9.1).
///
/// Each is one optional closure; setting it replaces the one before, `nil` takes it away. They are reached
/// through the session:
///
///     session.onRedirect = { task, redirect, proposed in
///       proposed.url.host == "example.com" ? proposed : nil
///     }
///
/// A task keeps to the hooks that were set when it was made. Those that are asked for something are called
/// where the answer is needed, mostly on an event loop: they must be quick, and must not block. Those that
/// are only told are called on the session's queue, one at a time and in order, before the completion of the
/// task. A hook that refers to the session should do so weakly.
public struct SessionHooks: Sendable {
  /// What a response hook wants done.
  public enum ResponseDisposition: Hashable, Sendable {
    /// Go on.
    case allow
    /// End the task, with an error of code `.cancelled`.
    case cancel
    /// Write the body to a file, as a download does.
    case becomeDownload
  }

  // MARK: Asked

  /// Asked before a redirect is followed, with the redirect and the request that would follow it. The answer
  /// is followed; with `nil` the redirect itself is the response (SES-T12).
  public var onRedirect:
    (@Sendable (_ task: SessionTask, _ redirect: ResponseHead, _ proposed: Request) -> Request?)?
  /// Called when a server requires authentication, before the session's own credentials are used. It may take its
  /// time; meanwhile the task can be cancelled (SES-A3).
  public var onAuthenticationChallenge:
    (@Sendable (_ task: SessionTask, _ challenge: ServerChallenge) async -> ChallengeDisposition)?
  /// Asked for the body when a redirect or a challenge needs it once more; `nil` fails the task. Without this hook, a body
  /// that can be replayed is (SES-B1).
  public var onNeedNewBody: (@Sendable (_ task: SessionTask) -> RequestBody?)?
  /// Asked when the head of the response that the caller will get has arrived (SES-T13).
  public var onResponse:
    (@Sendable (_ task: SessionTask, _ response: ResponseHead) -> ResponseDisposition)?
  /// Asked before a response is put into the session's cache; the answer is put there, `nil` nothing.
  public var onWillCacheResponse:
    (@Sendable (_ task: SessionTask, _ proposed: CachedResponse) -> CachedResponse?)?
  /// Asked where a download goes, before the task's own destination is; that one is asked when the answer is
  /// `nil` (SES-D1, SES-D2).
  public var onDownloadFinished: (@Sendable (_ task: SessionTask, _ file: URL) -> URL?)?

  // MARK: Told

  /// Told that a task writes its body to a file after all, as `onResponse` wanted (SES-T8).
  public var onBecomeDownload: (@Sendable (_ task: SessionTask) -> Void)?
  /// Told of each piece of a body that is collected in memory or read as a stream, decompressed (SES-P2).
  public var onData: (@Sendable (_ task: SessionTask, _ data: ByteBuffer) -> Void)?
  /// Told of each piece of a request's body that was sent. An unknown total is taken from the request's
  /// `Content-Length` (SES-P8).
  public var onBodyDataSent:
    (@Sendable (_ task: SessionTask, _ bytes: Int, _ progress: TransferProgress) -> Void)?
  /// Told of each piece of a download.
  public var onDownloadProgress:
    (@Sendable (_ task: SessionTask, _ bytes: Int, _ progress: TransferProgress) -> Void)?
  /// Told that a download goes on where an earlier one ended (SES-P4).
  public var onDownloadResume:
    (@Sendable (_ task: SessionTask, _ offset: Int64, _ total: Int64?) -> Void)?
  /// Told what a task has taken, once it is over.
  public var onMetrics: (@Sendable (_ task: SessionTask, _ metrics: ExchangeMetrics) -> Void)?
  /// Told that a task is over, with the error of its transfer; what the response serializer thinks comes
  /// later (SES-C7).
  public var onTaskCompletion: (@Sendable (_ task: SessionTask, _ error: MartletError?) -> Void)?
  /// Told that a session has been invalidated, and its last task is over (SES-L9).
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

  /// Calls a hook, if it is set, in its turn.
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
        let progress = task.uploadAsAnnounced
        notify(\.onBodyDataSent) { $0(task, bytes, progress) }
      case .bodyReceived(let bytes, _) where task.kind == .download:
        let progress = task.call.downloadTransfer
        notify(\.onDownloadProgress) { $0(task, bytes, progress) }
      case .downloadResumed(let offset, let total):
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
  /// How far the upload has come; an unknown total is the one in the header of the request (SES-P8).
  fileprivate var uploadAsAnnounced: TransferProgress {
    var progress = uploadTransfer
    if progress.total == nil {
      progress.total = originalRequest.headers[.contentLength].flatMap { Int64($0) }
    }
    return progress
  }
}
