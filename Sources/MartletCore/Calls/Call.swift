import EssentialFoundation
package import NIOCore
import Synchronization

/// One call: all that is sent and received for one request, redirects and repetitions included.
///
/// Watch it, suspend and resume it, cancel it. It travels with the request through every interceptor, so that the
/// caller stays in touch with the transport. Each request needs a call of its own.
public final class Call: Sendable {
  /// Called for each event, in order, usually on an event loop: be quick and do not block.
  public typealias Listener = @Sendable (CallEvent) -> Void

  fileprivate struct State {
    var isSuspended = false
    var isCancelled = false
    var control: (any CallControl)?
    /// The object that attached the control, if it named itself.
    var owner: ObjectIdentifier?
    var interruption: (@Sendable () -> Void)?
    var start: NIODeadline?
    var listeners: [(topics: CallEvent.Topics, listener: Listener)] = []
    var redirectedRequest: Request?
    private var id: UInt64?
    private static let lastID = Atomic<UInt64>(0)

    /// Assigned on first use: all threads take from one counter.
    var ownID: UInt64 {
      mutating get {
        let id = id ?? Self.lastID.add(1, ordering: .relaxed).newValue
        self.id = id
        return id
      }
    }
  }

  /// Which of several waiting requests goes first.
  public let priority: Request.Priority
  private let state = Locked(State())
  private let upload = TransferCounter()
  private let download = TransferCounter()
  /// What there are listeners for, so that an event about anything else costs no lock.
  private let observed = Atomic<UInt8>(0)
  private let begun = Atomic(0)
  private let isAttemptOpen = Atomic(false)
  /// The connection of the present attempt; 0 before there is one.
  private let connection = Atomic<UInt64>(0)
  /// Whether the task has ended: nothing follows.
  private let isOver = Atomic(false)

  /// A call that has not begun.
  ///
  /// - Parameter priority: Which of several waiting requests goes first. The default is `.medium`.
  public init(priority: Request.Priority = .medium) {
    self.priority = priority
  }

  // MARK: For callers

  /// Stops sending and receiving as soon as possible; before the start, holds the request back.
  ///
  /// The time-outs for silence, `idle` and `firstByte`, rest meanwhile and begin anew with `resume()`;
  /// `total` goes on. A server may have time-outs of its own.
  public func suspend() {
    state.withLock { state in
      state.isSuspended = true
      return state.control
    }?.suspend()
  }

  /// Goes on after `suspend()`.
  public func resume() {
    state.withLock { state in
      state.isSuspended = false
      return state.control
    }?.resume()
  }

  /// Ends the call: the caller that waits for it receives an error with code `.cancelled`, and so does the
  /// reader of its body with the next read, unless the end has been read.
  public func cancel() {
    let (control, interruption) = state.withLock { state in
      state.isCancelled = true
      return (state.control, state.interruption)
    }
    interruption?()
    control?.cancel()
  }

  /// Whether the call is suspended.
  public var isSuspended: Bool { state.withLock { $0.isSuspended } }

  /// Whether the call was cancelled.
  package var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Names the call in this process; never used again.
  public var id: UInt64 { state.withLock { $0.ownID } }

  /// How much of the request's body has been sent.
  public var uploadTransfer: TransferProgress { upload.progress }

  /// How many attempts have begun so far: each is a request that was handed to the transport.
  public var attemptCount: Int { begun.load(ordering: .relaxed) }

  /// How much of the response's body has been received, before content decoding.
  public var downloadTransfer: TransferProgress { download.progress }

  /// Calls `listener` for every event from now on.
  public func observe(_ listener: @escaping Listener) {
    observe(.all, listener)
  }

  /// Calls `listener` for every event about `topics` from now on.
  package func observe(_ topics: CallEvent.Topics, _ listener: @escaping Listener) {
    state.withLock { $0.listeners.append((topics, listener)) }
    observed.bitwiseOr(topics.rawValue, ordering: .relaxed)
  }

  /// Calls `listener` each time that more of the request's body has been sent.
  package func observeUpload(_ listener: @escaping @Sendable (TransferProgress) -> Void) {
    observe(.progress) { [weak self] event in
      guard case .bodySent = event.kind, let self else { return }
      listener(uploadTransfer)
    }
  }

  // MARK: For transports

  /// What a transport that has just attached itself should do.
  public enum AttachResult: Sendable {
    /// Send the request.
    case proceed
    /// Hold it until the control's `resume()`.
    case suspended
    /// Give it up.
    case cancelled
  }

  /// Attaches what suspends, resumes and cancels the request, or takes it away at the end.
  ///
  /// - Parameter control: The control; `nil` takes it away.
  /// - Returns: What the transport should do now.
  @discardableResult
  public func attach(_ control: (any CallControl)?) -> AttachResult {
    attach(control, of: nil)
  }

  /// Attaches a control that only `owner` may detach.
  package func attach(_ control: (any CallControl)?, of owner: AnyObject?) -> AttachResult {
    state.withLock { state in
      state.control = control
      state.owner = owner.map { ObjectIdentifier($0) }
      return state.isCancelled ? .cancelled : state.isSuspended ? .suspended : .proceed
    }
  }

  /// Detaches the control of `owner`, unless another has replaced it.
  package func detach(_ owner: AnyObject) {
    state.withLock { state in
      guard state.owner == ObjectIdentifier(owner) else { return }
      state.control = nil
      state.owner = nil
    }
  }

  /// Notes whom to tell of a cancellation beside the transport, while something else is waited for; `nil` takes that
  /// away.
  ///
  /// - Parameter interruption: Called when the call is cancelled.
  /// - Returns: Whether it has been cancelled already.
  @discardableResult
  package func onCancel(_ interruption: (@Sendable () -> Void)?) -> Bool {
    state.withLock { state in
      state.interruption = interruption
      return state.isCancelled
    }
  }

  /// The request that follows the last redirect; `nil` before there is any.
  package var redirectedRequest: Request? { state.withLock { $0.redirectedRequest } }

  /// Notes and tells that a redirect is followed.
  package func recordRedirect(to request: Request) {
    var following = request
    following.call = nil
    following = following.withoutInterceptorState
    state.withLock { [following] in $0.redirectedRequest = following }
    report(.redirecting(to: request.url))
  }

  /// When the call began, which is when the first of its requests was handed to a transport.
  ///
  /// - Parameter now: When the present one was.
  /// - Returns: `now`, or the time that was noted before.
  package func recordStart(at now: NIODeadline) -> NIODeadline {
    state.withLock { state in
      let start = state.start ?? now
      state.start = start
      return start
    }
  }

  /// Counts bytes of the response's body that no event was about.
  package func count(received bytes: Int) {
    download.add(bytes, of: Int64(bytes))
  }

  /// Counts what the event says was transferred and tells the listeners.
  public func report(_ kind: CallEvent.Kind) {
    count(kind)
    // A task may be over before the transport has heard that it was cancelled.
    if case .taskCompleted(let error) = kind, isAttemptOpen.load(ordering: .relaxed) {
      notifyListeners(of: .attemptFailed(error ?? .cancelled))
    }
    notifyListeners(of: kind)
    if case .taskCompleted = kind { isOver.store(true, ordering: .relaxed) }
  }

  /// Tells the listeners for what the event is about, unless the task is over.
  private func notifyListeners(of kind: CallEvent.Kind) {
    let observed = CallEvent.Topics(rawValue: observed.load(ordering: .relaxed))
    guard !observed.isEmpty else { return }
    let topic = kind.topic
    guard observed.contains(topic), !isOver.load(ordering: .relaxed) else { return }
    let time = ContinuousClock.now
    let connection = connection.load(ordering: .relaxed)
    let (listeners, id) = state.withLock { ($0.listeners, $0.ownID) }
    let event = CallEvent(
      kind: kind, time: time, callID: id, attempt: attemptCount,
      connectionID: connection == 0 ? nil : connection)
    for (topics, listener) in listeners where topics.contains(topic) { listener(event) }
  }

  private func count(_ kind: CallEvent.Kind) {
    switch kind {
    case .taskResumed: isOver.store(false, ordering: .relaxed)
    case .attemptStarted:
      begun.add(1, ordering: .relaxed)
      isAttemptOpen.store(true, ordering: .relaxed)
      isOver.store(false, ordering: .relaxed)
      connection.store(0, ordering: .relaxed)
    case .retrying: connection.store(0, ordering: .relaxed)
    case .attemptFinished, .attemptFailed: isAttemptOpen.store(false, ordering: .relaxed)
    case .sending(_, let info, _):
      connection.store(info?.id ?? 0, ordering: .relaxed)
      upload.reset()
      download.reset()
    case .bodySent(let bytes, let total): upload.add(bytes, of: total)
    case .downloadResumed(let offset, let total): download.begin(at: offset, of: total)
    case .bodyReceived(let bytes, let total): download.add(bytes, of: total)
    default: break
    }
  }
}

/// What a transport lets a call do with its request.
public protocol CallControl: Sendable {
  /// Stops sending and receiving as soon as possible.
  func suspend()
  /// Goes on.
  func resume()
  /// Ends it with an error of code `.cancelled`.
  func cancel()
}

extension Call: CustomStringConvertible, CustomReflectable {
  /// The call as text, such as `<Call: sent 0 bytes, received 12 of 40 bytes>`.
  public var description: String {
    let held = isSuspended ? ", suspended" : ""
    return "<Call: sent \(uploadTransfer.text), received \(downloadTransfer.text)\(held)>"
  }

  /// What debuggers show: no more than the description says, and nothing that an engine's thread uses.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}

extension TransferProgress {
  fileprivate var text: String {
    "\(completed)\(total.map { " of \($0)" } ?? "") bytes"
  }
}
