import EssentialFoundation
import HTTPTypes
package import NIOCore
import Synchronization

/// A call: everything that is sent and received for one request, including redirects and retries.
///
/// A call can be observed, suspended, resumed and cancelled. It is passed on with the request through every interceptor
/// to the transport. Each request needs its own call.
public final class Call: Sendable {
  /// A closure that is called for each event, in order, usually on an event loop. It must be quick and must not block.
  public typealias Listener = @Sendable (CallEvent) -> Void

  fileprivate struct State {
    var isSuspended = false
    var isCancelled = false
    var control: (any CallControl)?
    /// The object that attached the control, if one was given.
    var owner: ObjectIdentifier?
    /// The closures for waits outside the transport, the outermost first.
    var cancellationHandlers: [(id: UInt64, handler: @Sendable () -> Void)] = []
    var start: NIODeadline?
    var listeners: [CallListener] = []
    var redirectedRequest: Request?
    private(set) var observedRequest: Request?
    private(set) var attemptStart: ContinuousClock.Instant?

    // A function, because the access to the property through the lock copies the whole state.
    @inline(never)
    func currentListeners() -> [CallListener] { listeners }

    mutating func noteRequest(_ request: Request) {
      observedRequest = request
      // The call must not retain itself.
      observedRequest?.call = nil
    }

    mutating func noteAttempt(_ request: Request, at time: ContinuousClock.Instant) {
      noteRequest(request)
      attemptStart = time
    }

    private var id: UInt64?
    private static let lastID = Atomic<UInt64>(0)

    /// The identifier, assigned on first use because all threads share one counter.
    var ownID: UInt64 {
      mutating get {
        let id = id ?? Self.lastID.add(1, ordering: .relaxed).newValue
        self.id = id
        return id
      }
    }
  }

  /// The priority among several waiting requests.
  public let priority: Request.Priority
  private let state = Locked(State())
  private let upload = TransferCounter()
  private let download = TransferCounter()
  /// The topics that have listeners. Events about other topics need no lock.
  private let observed = Atomic<UInt8>(0)
  private let attempts = Atomic(0)
  private let isAttemptOpen = Atomic(false)
  /// The identifier of the current attempt's connection; 0 before there is one.
  private let connection = Atomic<UInt64>(0)
  /// The status of the current attempt's response; 0 before there is one.
  private let lastResponse = Atomic<UInt16>(0)
  /// Whether the task has ended. No event follows then.
  private let hasEnded = Atomic(false)

  /// Makes a call that has not begun.
  ///
  /// - Parameter priority: The priority among several waiting requests. The default is `.medium`.
  public init(priority: Request.Priority = .medium) {
    self.priority = priority
  }

  // MARK: For callers

  /// Stops sending and receiving as soon as possible. Before the start, holds the request back until `resume()`.
  ///
  /// The time-outs `idle` and `firstByte` stop meanwhile and start again with `resume()`; `total` continues. The
  /// server may have its own time-outs.
  public func suspend() {
    state.withLock { state in
      state.isSuspended = true
      return state.control
    }?.suspend()
  }

  /// Continues after `suspend()`.
  public func resume() {
    state.withLock { state in
      state.isSuspended = false
      return state.control
    }?.resume()
  }

  /// Ends the call.
  ///
  /// A caller that waits for the response receives an error with code `.cancelled`. The next read of the body throws
  /// the same error, unless the end has been read.
  public func cancel() {
    let (control, handlers) = state.withLock { state in
      state.isCancelled = true
      return (state.control, state.cancellationHandlers)
    }
    for (_, handler) in handlers { handler() }
    control?.cancel()
  }

  /// Whether the call is suspended.
  public var isSuspended: Bool { state.withLock { $0.isSuspended } }

  /// Whether the call was cancelled.
  package var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// The identifier of the call, unique in this process.
  public var id: UInt64 { state.withLock { $0.ownID } }

  /// The progress of sending the request's body.
  public var uploadTransfer: TransferProgress { upload.progress }

  /// How many bytes of bodies the last attempt has sent and received, without those of an earlier download.
  package var bodyBytes: (sent: Int64, received: Int64) { (upload.count, download.count) }

  /// The request of the last attempt, or that of the call before the first, if the call has observers.
  package var observedRequest: Request? { state.withLock { $0.observedRequest } }

  /// The time at which the last attempt began, if the attempts are observed.
  package var attemptStart: ContinuousClock.Instant? { state.withLock { $0.attemptStart } }

  /// The status of the current attempt's response; `nil` before there is one.
  package var lastStatus: Int? {
    let status = lastResponse.load(ordering: .relaxed)
    return status == 0 ? nil : Int(status)
  }

  /// The number of attempts so far: the requests that were passed to the transport.
  public var attemptCount: Int { attempts.load(ordering: .relaxed) }

  /// The progress of receiving the response's body, before content decoding.
  public var downloadTransfer: TransferProgress { download.progress }

  /// Calls `listener` for every event from now on.
  ///
  /// - Returns: The observation, with which it can be ended.
  @discardableResult
  public func observe(_ listener: @escaping Listener) -> Observation {
    beginObservation(of: .all, listener)
  }

  /// Calls `listener` for every event about `topics` from now on.
  ///
  /// - Returns: The observation, with which it can be ended.
  package func beginObservation(
    of topics: CallEvent.Topics, _ listener: @escaping Listener
  ) -> Observation {
    let observation = Observation { [weak self] in self?.removeListener(of: $0) }
    observe(topics, for: observation, listener)
    return observation
  }

  /// Calls `listener` for every event about `topics` from now on.
  ///
  /// - Parameters:
  ///   - topics: The topics.
  ///   - observation: The observation, at whose end the listener is not called any more. The default is none.
  ///   - listener: The listener.
  package func observe(
    _ topics: CallEvent.Topics, for observation: Observation? = nil, _ listener: @escaping Listener
  ) {
    state.withLock {
      $0.listeners.append(
        CallListener(topics: topics, observation: observation, receive: listener))
    }
    observed.bitwiseOr(topics.rawValue, ordering: .relaxed)
  }

  /// Adds an observer for all that follows.
  ///
  /// - Parameters:
  ///   - observer: The observer, which the call keeps.
  ///   - request: The request of the call.
  package func addObserver(_ observer: any CallObserver, of request: Request) {
    let topics = observer.topics
    state.withLock { state in
      state.noteRequest(request)
      state.listeners.append(
        CallListener(observer, topics))
    }
    observed.bitwiseOr(topics.rawValue, ordering: .relaxed)
  }

  /// Whether an observer wants the response's body.
  package var observesBodies: Bool {
    CallEvent.Topics(rawValue: observed.load(ordering: .relaxed)).contains(.bodies)
  }

  /// Passes bytes of the response's body to the observers that want them.
  package func report(bytes: ByteBuffer) {
    for observer in observers(of: .bodies) { observer.receive(bytes: bytes) }
  }

  /// Lets the observers change a request of the call that is about to be passed to the transport.
  package func prepare(_ request: inout Request) {
    for observer in observers(of: .requests) { observer.prepare(&request) }
  }

  /// The observers of a topic that has no events.
  private func observers(of topic: CallEvent.Topics) -> [any CallObserver] {
    let observed = CallEvent.Topics(rawValue: observed.load(ordering: .relaxed))
    guard observed.contains(topic) else { return [] }
    let listeners = state.withLock { $0.listeners }
    return listeners.compactMap { $0.topics.contains(topic) ? $0.observer : nil }
  }

  private func removeListener(of observation: Observation) {
    // It is released outside the lock: the objects that it retains may run any code in `deinit`.
    _ = state.withLock { state in
      defer { state.listeners.removeAll { $0.isOf(observation) } }
      return state.listeners
    }
  }

  /// Calls `listener` each time more of the request's body has been sent.
  package func observeUpload(_ listener: @escaping TransferProgress.Handler) {
    observe(.progress) { [weak self] event in
      guard case .bodySent = event.kind, let self else { return }
      listener(uploadTransfer)
    }
  }

  /// Calls `listener` each time more of the response's body has arrived, and when a download is resumed.
  package func observeDownload(_ listener: @escaping TransferProgress.Handler) {
    observe(.progress) { [weak self] event in
      switch event.kind {
      case .downloadResumed, .bodyReceived: if let self { listener(downloadTransfer) }
      default: break
      }
    }
  }

  // MARK: For transports

  /// The action of a transport that has attached its control.
  public enum AttachResult: Sendable {
    /// Send the request.
    case proceed
    /// Hold the request until the control's `resume()` is called.
    case suspended
    /// Do not send the request.
    case cancelled
  }

  /// Attaches the control that suspends, resumes and cancels the request, or detaches it at the end.
  ///
  /// - Parameter control: The control; `nil` detaches the current one.
  /// - Returns: What the transport should do now.
  @discardableResult
  public func attach(_ control: (any CallControl)?) -> AttachResult {
    attach(control, of: nil)
  }

  /// Attaches a control, which `detach(_:)` removes only for the same `owner`.
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

  /// Adds a closure for a cancellation outside the transport, for example during another wait.
  ///
  /// - Parameter handler: Called when the call is cancelled, in addition to the transport's control.
  /// - Returns: The identifier for `removeCancellationHandler(_:)`; `nil` if the call has been cancelled already. The
  ///   closure is not called then.
  package func addCancellationHandler(_ handler: @escaping @Sendable () -> Void) -> UInt64? {
    state.withLock { state in
      guard !state.isCancelled else { return nil }
      let id = (state.cancellationHandlers.last?.id ?? 0) + 1
      state.cancellationHandlers.append((id, handler))
      return id
    }
  }

  /// Removes a closure that `addCancellationHandler(_:)` has added.
  package func removeCancellationHandler(_ id: UInt64) {
    state.withLock { $0.cancellationHandlers.removeAll { $0.id == id } }
  }

  /// The request that was sent after the last redirect; `nil` before the first redirect.
  package var redirectedRequest: Request? { state.withLock { $0.redirectedRequest } }

  /// Stores the request after a redirect and reports the redirect to the listeners.
  package func recordRedirect(to request: Request) {
    var following = request
    following.call = nil
    following = following.withoutInterceptorState
    state.withLock { [following] in $0.redirectedRequest = following }
    report(.redirecting(to: request.url))
  }

  /// Stores the start of the call: the time at which its first request was passed to a transport.
  ///
  /// - Parameter now: The time at which the current request was passed to the transport.
  /// - Returns: The start of the call: `now` for the first request, else the stored time.
  package func recordStart(at now: NIODeadline) -> NIODeadline {
    state.withLock { state in
      let start = state.start ?? now
      state.start = start
      return start
    }
  }

  /// Counts bytes of the response's body that were not reported in an event.
  package func count(received bytes: Int) {
    download.add(bytes, of: Int64(bytes))
  }

  /// Counts the bytes that the event reports, and calls the listeners.
  public func report(_ kind: CallEvent.Kind) {
    count(kind)
    let isObserved = observed.load(ordering: .relaxed) != 0
    guard case .taskCompleted(let error) = kind else {
      if isObserved { notifyListeners(of: kind) }
      return
    }
    if isObserved {
      // A cancelled task may complete before the transport has ended the attempt.
      if isAttemptOpen.load(ordering: .relaxed) {
        notifyListeners(of: .attemptFailed(error ?? .cancelled))
      }
      notifyListeners(of: kind)
    }
    hasEnded.store(true, ordering: .relaxed)
  }

  /// Calls the listeners for the event's topic, unless the task has ended.
  private func notifyListeners(of kind: CallEvent.Kind) {
    let observed = CallEvent.Topics(rawValue: observed.load(ordering: .relaxed))
    let topic = kind.topic
    guard observed.contains(topic), !hasEnded.load(ordering: .relaxed) else { return }
    let time = ContinuousClock.now
    let connection = connection.load(ordering: .relaxed)
    if case .attemptStarted(let request) = kind {
      state.withLock { $0.noteAttempt(request, at: time) }
    }
    let listeners = state.withLock { $0.currentListeners() }
    let event = CallEvent(
      kind: kind, time: time, call: self, attempt: attemptCount,
      connectionID: connection == 0 ? nil : connection)
    for listener in listeners where listener.wants(topic) { listener.receive(event) }
  }

  private func count(_ kind: CallEvent.Kind) {
    switch kind {
    case .taskResumed: hasEnded.store(false, ordering: .relaxed)
    case .attemptStarted:
      attempts.add(1, ordering: .relaxed)
      isAttemptOpen.store(true, ordering: .relaxed)
      hasEnded.store(false, ordering: .relaxed)
      connection.store(0, ordering: .relaxed)
      lastResponse.store(0, ordering: .relaxed)
    case .retrying:
      connection.store(0, ordering: .relaxed)
      lastResponse.store(0, ordering: .relaxed)
    case .responseReceived(let head):
      lastResponse.store(UInt16(clamping: head.status.code), ordering: .relaxed)
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

/// A closure or an observer that is called for the events of a call.
private final class CallListener: Sendable {
  let topics: CallEvent.Topics
  let observer: (any CallObserver)?
  let receive: Call.Listener
  private let observation: Observation?

  init(topics: CallEvent.Topics, observation: Observation?, receive: @escaping Call.Listener) {
    self.topics = topics
    self.observation = observation
    self.receive = receive
    observer = nil
  }

  init(_ observer: any CallObserver, _ topics: CallEvent.Topics) {
    self.topics = topics
    self.observer = observer
    observation = nil
    receive = { observer.receive($0) }
  }

  func wants(_ topic: CallEvent.Topics) -> Bool {
    topics.contains(topic) && observation?.isActive ?? true
  }

  func isOf(_ observation: Observation) -> Bool { self.observation === observation }
}

/// A transport's control of a request, with which the call suspends, resumes and cancels it.
public protocol CallControl: Sendable {
  /// Stops sending and receiving as soon as possible.
  func suspend()
  /// Continues sending and receiving.
  func resume()
  /// Ends the request with an error of code `.cancelled`.
  func cancel()
}

extension Call: CustomStringConvertible, CustomReflectable {
  /// The call as text, such as `<Call: sent 0 bytes, received 12 of 40 bytes>`.
  public var description: String {
    let held = isSuspended ? ", suspended" : ""
    return "<Call: sent \(uploadTransfer.text), received \(downloadTransfer.text)\(held)>"
  }

  /// A mirror without children: debuggers show only the description, and no state that an engine's thread uses.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}

extension TransferProgress {
  fileprivate var text: String {
    "\(completed)\(total.map { " of \($0)" } ?? "") bytes"
  }
}
