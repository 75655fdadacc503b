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

  struct State {
    var isSuspended = false
    var isCancelled = false
    var control: (any CallControl)?
    /// The object that attached the control, if one was given.
    var owner: ObjectIdentifier?
    /// The closures for waits outside the transport, the outermost first.
    var cancellationHandlers: [(id: UInt64, handler: @Sendable () -> Void)] = []
    var start: NIODeadline?
    var observers = CallObservers()
    var redirectedRequest: Request?
    /// The request of the current attempt, without the call, which must not retain itself.
    fileprivate var request: KeptRequest?
    private(set) var attemptStart: EventTime?
    /// The second requests that were sent because the first were slow.
    var hedges: [WeakCall] = []

    /// Notes the request of an attempt.
    ///
    /// - Returns: The one before, to be released outside the lock: the objects that it retains may run any code in `deinit`.
    mutating func note(_ request: Request, at time: EventTime? = nil) -> KeptRequest? {
      defer { self.request = request.kept }
      attemptStart = time
      return self.request
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
  /// The call of the first request, if this one is that of a second request.
  let parent: Call?
  let state = Locked(State())
  let upload = TransferCounter()
  let download = TransferCounter()
  /// The topics that are observed. Events about other topics need no lock.
  let observed = Atomic<UInt8>(0)
  let attempts = Atomic(0)
  /// The number of the current attempt. The attempts of a second request are numbered together with those of the first.
  let attempt = Atomic(0)
  /// How many attempts have no end yet. The next may begin before the end of one whose response was dropped.
  let openAttempts = Atomic(0)
  /// The identifier of the current attempt's connection; 0 before there is one.
  let connection = Atomic<UInt64>(0)
  /// The status of the current attempt's response; 0 before there is one.
  let lastStatus = Atomic<UInt16>(0)
  /// Whether the task has ended. No event follows then.
  let hasEnded = Atomic(false)

  /// Makes a call that has not begun.
  ///
  /// - Parameter priority: The priority among several waiting requests. The default is `.medium`.
  public init(priority: Request.Priority = .medium) {
    self.priority = priority
    parent = nil
  }

  /// Makes the call of a second request, which is suspended, resumed and observed together with the first.
  package init(secondTo parent: Call) {
    priority = parent.priority
    self.parent = parent
    let request = parent.state.withLock { $0.request }
    state.withLock { state in
      state.isSuspended = parent.isSuspended
      state.request = request
    }
    parent.state.withLock { $0.hedges.append(WeakCall(call: self)) }
  }

  /// The calls of second requests.
  var hedges: [Call] { state.withLock { $0.hedges }.compactMap(\.call) }

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
    for hedge in hedges { hedge.suspend() }
  }

  /// Continues after `suspend()`.
  public func resume() {
    state.withLock { state in
      state.isSuspended = false
      return state.control
    }?.resume()
    for hedge in hedges { hedge.resume() }
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
  public var id: UInt64 { parent?.id ?? state.withLock { $0.ownID } }

  /// The progress of sending the request's body.
  public var uploadTransfer: TransferProgress { upload.progress }

  /// How many bytes of bodies the current attempt has sent and received, before content decoding and without those of an
  /// earlier download.
  public var bodyBytes: (sent: Int64, received: Int64) { (upload.count, download.count) }

  /// The request of the current attempt, without call and delivery. Before the first attempt it is that of the task, if the session
  /// has observers. It is `nil` if nothing observes the call.
  public var request: Request? { state.withLock { $0.request }.map { Request($0) } }

  /// When the current attempt began; `nil` before the first, and if nothing observes the call.
  public var attemptStart: ContinuousClock.Instant? { state.withLock { $0.attemptStart }?.instant }

  /// The status of the current attempt's response; `nil` before there is one.
  public var status: Int? {
    let status = lastStatus.load(ordering: .relaxed)
    return status == 0 ? nil : Int(status)
  }

  /// The number of attempts so far: the requests that were passed to the transport.
  public var attemptCount: Int { (parent ?? self).attempts.load(ordering: .relaxed) }

  /// The progress of receiving the response's body, before content decoding.
  public var downloadTransfer: TransferProgress { download.progress }

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

  /// Stores the request after a redirect and reports the redirect to the observers.
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
}

/// A call that is not retained.
struct WeakCall {
  weak var call: Call?
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
