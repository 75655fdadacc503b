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
    var response: Response?
    var error: MartletError?
    var progress: ProgressPair?
  }

  /// Tells the tasks of one session apart; never used again.
  public let identifier: Int
  /// The request as it was made, before redirects.
  public let originalRequest: Request
  /// The handle through which the engine is reached.
  public let exchange: Exchange
  private let status: Locked<Status>

  /// - Parameters:
  ///   - identifier: Tells it apart from the session's other tasks.
  ///   - request: What to send.
  ///   - start: Begins the task when it is first resumed; a task without is running already.
  init(identifier: Int, request: Request, start: (@Sendable (SessionTask) -> Void)?) {
    let exchange = request.exchange ?? Exchange()
    self.identifier = identifier
    self.exchange = exchange
    var request = request
    request.exchange = exchange
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

  /// Begins the task, or lets it go on; does nothing when it is running or over.
  public func resume() {
    let start: (@Sendable () -> Void)? = status.withLock { status in
      guard status.state == .suspended else { return nil }
      status.state = .running
      defer { status.start = nil }
      return status.start ?? { [exchange] in exchange.resume() }
    }
    start?()
  }

  /// Holds the task: nothing more is sent or received until it is resumed.
  public func suspend() {
    let isRunning = status.withLock { status in
      guard status.state == .running else { return false }
      status.state = .suspended
      return true
    }
    if isRunning { exchange.suspend() }
  }

  /// Ends the task; its completion gets an error with code `.cancelled`.
  ///
  /// A task that never began completes as well.
  public func cancel() {
    let start: (@Sendable () -> Void)? = status.withLock { status in
      guard status.state == .running || status.state == .suspended else { return nil }
      status.state = .canceling
      defer { status.start = nil }
      return status.start ?? {}
    }
    guard let start else { return }
    exchange.cancel()
    start()
  }

  /// Records how the task ended.
  func complete(_ result: Result<Response, MartletError>) {
    status.withLock { status in
      status.state = .completed
      switch result {
      case .success(let response): status.response = response
      case .failure(let error): status.error = error
      }
    }
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
    "<SessionTask \(identifier): \(originalRequest.method) \(originalRequest.url) \(state)>"
  }
}
