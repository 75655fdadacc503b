public import EssentialFoundation

/// An event of a call: its kind, its time, and the attempt that it belongs to.
///
/// Each request that is sent for a call is an attempt, and each attempt ends once. Redirects, challenges and downloads
/// that are continued need several attempts.
public struct CallEvent: Sendable {
  /// The kind of the event.
  public let kind: Kind
  let eventTime: EventTime
  /// The call, or that of its second request if the event happens to that. It has one attempt at a time.
  public let call: Call
  /// The number of the attempt: 1 for the first, and 0 before the first.
  public let attempt: Int
  /// The `id` of the `ConnectionInfo` of the attempt's connection; `nil` before there is one.
  public let connectionID: UInt64?

  /// The time of the event.
  public var time: ContinuousClock.Instant { eventTime.instant }

  /// The identifier of the call and its task, unique in this process.
  public var callID: UInt64 { call.id }

  /// The kinds of events. The events of an attempt are listed roughly in the order in which they occur.
  public enum Kind: Sendable {
    /// A session's task begins or continues.
    case taskResumed
    /// A session's task is suspended.
    case taskSuspended
    /// A session's task has ended, with this error if it failed. It is the last event of the task.
    case taskCompleted(MartletError?)
    /// The session's cache has handled the request. The status says what it has done; `answer` is the head of the
    /// response if that comes from the cache.
    indirect case cacheUsed(CacheStatus, answer: ResponseHead?)
    /// The session's cache cannot be read or written. The request goes on without it.
    case cacheFailed(MartletError)
    /// A request is passed to the transport. An attempt begins; `attemptFinished` or `attemptFailed` ends it.
    case attemptStarted(Request)
    /// The request waits for a connection: none is free, and no new connection is made for it now.
    case queued
    /// The addresses of a host are being looked up.
    case resolving(host: String)
    /// The addresses of a host are known.
    case resolved(host: String, addresses: [String])
    /// A connection to an address is being tried.
    case connecting(address: String)
    /// A connection to an address has been made.
    case connected(address: String)
    /// The TLS handshake has begun.
    case securing(host: String)
    /// The TLS handshake is done and the server is trusted.
    case secured(host: String)
    /// A connection is available, and the request is sent in this form. The connection is `nil` if no network is used.
    case sending(Request, over: ConnectionInfo?, isConnectionReused: Bool)
    /// The attempt sends its request again: its connection was stale, the server has not processed it, a proxy requires
    /// authentication, or the server does not support `Expect`.
    case retrying
    /// An attempt has failed, and the retry policy has decided whether the request is sent again.
    indirect case retryDecided(RetryDecision)
    /// Too many of the recent requests to a server have failed. Requests to it are refused for this time.
    indirect case circuitOpened(Origin, for: Duration, failures: Int, requests: Int)
    /// A server is well again. Requests to it are not refused any more.
    indirect case circuitClosed(Origin)
    /// The request is not sent: the circuit of its server is open, too many others wait, or the rate limit allows it too late.
    case refused(MartletError)
    /// The request waits, because too many others to this server are under way.
    indirect case concurrencyLimited(Origin)
    /// The request waits for this time, because of the rate limit or of what the server has announced.
    indirect case rateLimited(Origin, for: Duration)
    /// The request is sent a second time, because there was no response within this time.
    case hedged(after: Duration)
    /// The request has failed. The response comes from another URL, or, with `nil`, from the session's cache.
    case fellBack(to: URL?)
    /// Bytes of the request's body have been sent.
    case bodySent(bytes: Int, total: Int64?)
    /// The whole request has been sent.
    case requestSent
    /// An interim response, such as `100 Continue`, has arrived.
    case informationalResponse(ResponseHead)
    /// The head of the final response has arrived.
    case responseReceived(ResponseHead)
    /// The body continues an earlier download, of which `offset` bytes have been received.
    case downloadResumed(offset: Int64, total: Int64?)
    /// Bytes of the response's body have been received.
    case bodyReceived(bytes: Int, total: Int64?)
    /// The response is a redirect that is followed.
    case redirecting(to: URL)
    /// The attempt has ended without an error: the whole response has been received, or the rest is not needed.
    case attemptFinished(ExchangeMetrics)
    /// The attempt has failed.
    case attemptFailed(MartletError)
  }
}

extension CallEvent {
  /// The topics of events. An observer of some topics costs nothing when other events are reported.
  public struct Topics: OptionSet, Sendable {
    /// The bits, one for each topic.
    public let rawValue: UInt8

    /// Topics from their bits.
    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    // Computed, because each access to a static constant checks that it has been made.

    /// The task begins, is suspended, continues or ends.
    public static var task: Topics { Topics(rawValue: 1) }
    /// Bytes of bodies.
    public static var progress: Topics { Topics(rawValue: 2) }
    /// The begin and the end of each attempt, and what leads to another one: redirects, retries, limits, answers from a
    /// cache.
    public static var attempts: Topics { Topics(rawValue: 4) }
    /// How an attempt gets its connection: `queued` to `secured`, and `retrying`.
    public static var connecting: Topics { Topics(rawValue: 8) }
    /// What an attempt sends and receives: `sending`, `requestSent`, and the heads of responses.
    public static var messages: Topics { Topics(rawValue: 16) }

    /// All events.
    public static var all: Topics { [.task, .progress, .attempts, .connecting, .messages] }

    /// No events: each request that is about to be sent (``CallObserver/prepare(_:)``).
    public static var requests: Topics { Topics(rawValue: 32) }
    /// No events: the pieces of bodies, as their readers receive them (``CallObserver/receive(bytes:)``).
    public static var bodies: Topics { Topics(rawValue: 64) }
  }
}

extension CallEvent.Kind {
  var topic: CallEvent.Topics {
    switch self {
    case .taskResumed, .taskSuspended, .taskCompleted: .task
    case .bodySent, .bodyReceived, .downloadResumed: .progress
    case .cacheUsed, .cacheFailed, .attemptStarted, .attemptFinished, .attemptFailed, .redirecting,
      .retryDecided, .circuitOpened, .circuitClosed, .refused, .concurrencyLimited, .rateLimited,
      .hedged, .fellBack:
      .attempts
    case .queued, .resolving, .resolved, .connecting, .connected, .securing, .secured, .retrying:
      .connecting
    case .sending, .requestSent, .informationalResponse, .responseReceived: .messages
    }
  }
}

extension CallEvent: CustomStringConvertible, CustomReflectable {
  /// The event as text, such as `connecting(127.0.0.1:80)`; secrets are masked.
  public var description: String { kind.description }

  /// A mirror without children: debuggers show only the description.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension CallEvent.Kind: CustomStringConvertible, CustomReflectable {
  /// The kind as text; secrets are masked.
  public var description: String {
    switch self {
    case .taskResumed: "taskResumed"
    case .taskSuspended: "taskSuspended"
    case .taskCompleted(nil): "taskCompleted"
    case .taskCompleted(let error?): "taskCompleted(\(error))"
    case .cacheUsed(let status, nil): "cacheUsed(\(status))"
    case .cacheUsed(let status, let head?): "cacheUsed(\(status), answer: \(head))"
    case .cacheFailed(let error): "cacheFailed(\(error))"
    case .attemptStarted(let request): "attemptStarted(\(request))"
    case .queued: "queued"
    case .resolving(let host): "resolving(\(host))"
    case .resolved(let host, let addresses):
      "resolved(\(host): \(addresses.joined(separator: ", ")))"
    case .connecting(let address): "connecting(\(address))"
    case .connected(let address): "connected(\(address))"
    case .securing(let host): "securing(\(host))"
    case .secured(let host): "secured(\(host))"
    case .sending(let request, nil, _): "sending(\(request))"
    case .sending(let request, let connection?, let isReused):
      "sending(\(request), over \(connection.protocolName) on \(isReused ? "an open" : "a new") connection)"
    case .retrying: "retrying"
    case .retryDecided(let decision): "retryDecided(\(decision))"
    case .circuitOpened(let origin, let pause, let failures, let requests):
      "circuitOpened(\(origin) for \(pause.text): \(failures) of \(requests) requests have failed)"
    case .circuitClosed(let origin): "circuitClosed(\(origin))"
    case .refused(let error): "refused(\(error))"
    case .concurrencyLimited(let origin): "concurrencyLimited(\(origin))"
    case .hedged(let delay): "hedged(after \(delay.text))"
    case .fellBack(let url): "fellBack(to \(url?.masked ?? "a stored response"))"
    case .rateLimited(let origin, let pause): "rateLimited(\(origin) for \(pause.text))"
    case .bodySent(let bytes, let total): "bodySent(\(Self.amount(bytes, of: total)))"
    case .requestSent: "requestSent"
    case .informationalResponse(let head): "informationalResponse(\(head))"
    case .responseReceived(let head): "responseReceived(\(head))"
    case .downloadResumed(let offset, let total):
      "downloadResumed(at \(Self.amount(offset, of: total)))"
    case .bodyReceived(let bytes, let total): "bodyReceived(\(Self.amount(bytes, of: total)))"
    case .redirecting(let url): "redirecting(to \(url.masked))"
    case .attemptFinished(let metrics): "attemptFinished(after \(metrics.totalDuration.text))"
    case .attemptFailed(let error): "attemptFailed(\(error))"
    }
  }

  /// A mirror without children: debuggers show only the description.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .enum) }

  private static func amount(_ bytes: some BinaryInteger, of total: Int64?) -> String {
    total.map { "\(bytes) of \($0) bytes" } ?? "\(bytes) bytes"
  }
}
