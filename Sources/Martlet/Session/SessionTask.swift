public import Foundation
public import MartletCore

/// One request of a session: its state, its progress, and the means to hold or end it.
///
/// A task that was made with a completion begins when it is resumed for the first time, as in
/// AFNetworking; one that belongs to an async call is running from the start.
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

  private struct Status {
    var state: State
    var start: (@Sendable () -> Void)?
    var work: Task<Response, any Error>?
    var response: Response?
    var error: MartletError?
    var progress: ProgressPair?

    mutating func end() {
      state = .completed
      work = nil
    }
  }

  /// Tells the tasks of one session apart; never used again.
  public let identifier: Int
  /// The request as it was made, before redirects.
  public let originalRequest: Request
  /// The handle through which the engine is reached.
  public let exchange: Exchange
  /// Whether the session had been invalidated when the task was made.
  let isRefused: Bool
  private let status: Locked<Status>

  /// - Parameters:
  ///   - identifier: Tells it apart from the session's other tasks.
  ///   - request: What to send.
  ///   - isRefused: Whether it will not be sent at all.
  ///   - start: Begins the task when it is first resumed; a task without is running already.
  init(
    identifier: Int, request: Request, isRefused: Bool, start: (@Sendable (SessionTask) -> Void)?
  ) {
    self.identifier = identifier
    self.isRefused = isRefused
    exchange = request.exchange ?? Exchange()
    originalRequest = request
    status = Locked(Status(state: start == nil ? .running : .suspended))
    guard let start else { return }
    status.withLock { $0.start = { [unowned self] in start(self) } }
  }

  // MARK: State

  /// Where the task stands.
  public var state: State { status.withLock { $0.state } }
  /// The response, once there is one.
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
    status.withLock { status in
      guard status.state == .suspended else { return }
      status.state = .running
      guard let start = status.start else { return exchange.resume() }
      status.start = nil
      start()
    }
  }

  /// Holds the task: nothing more is sent or received until it is resumed.
  public func suspend() {
    status.withLock { status in
      guard status.state == .running else { return }
      status.state = .suspended
      exchange.suspend()
    }
  }

  /// Ends the task; its completion gets an error with code `.cancelled`.
  ///
  /// A task that never began completes as well.
  public func cancel() {
    let ending: (start: (@Sendable () -> Void)?, work: Task<Response, any Error>?)? =
      status.withLock { status in
        guard status.state == .running || status.state == .suspended else { return nil }
        status.state = .canceling
        defer { status.start = nil }
        return (status.start, status.work)
      }
    guard let ending else { return }
    exchange.cancel()
    ending.work?.cancel()
    ending.start?()
  }

  // MARK: For the session

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
  func complete(with response: Response) throws(MartletError) {
    let isCanceling = status.withLock { status in
      guard status.state != .canceling else { return true }
      status.end()
      status.response = response
      return false
    }
    if isCanceling { throw .cancelled }
  }

  /// Records why the task failed.
  ///
  /// - Returns: The error, with the request as it can be sent again: without this task's handle.
  func fail(with error: MartletError) -> MartletError {
    var error = error
    if originalRequest.exchange == nil, error.request?.exchange === exchange {
      error.request?.exchange = nil
    }
    status.withLock { [error] status in
      status.end()
      status.error = error
    }
    return error
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

extension SessionTask: CustomStringConvertible {
  /// The task as text, such as `<SessionTask 7: GET https://example.com/ running>`.
  public var description: String {
    let url = originalRequest.url.absoluteString.withoutUserInfo
    return "<SessionTask \(identifier): \(originalRequest.method) \(url) \(state)>"
  }
}
