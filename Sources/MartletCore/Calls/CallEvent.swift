public import EssentialFoundation

/// Something that happened during a call: what, when, and to which of its requests.
///
/// Redirects, challenges and downloads that go on have several requests sent for one call: each is an attempt, and has
/// one end.
public struct CallEvent: Sendable {
  /// What happened.
  public let kind: Kind
  /// When it happened.
  public let time: ContinuousClock.Instant
  /// Names the call, and with it the task, in this process.
  public let callID: UInt64
  /// Which of the call's attempts it is about: 1 for the first, and 0 before there is one.
  public let attempt: Int
  /// Names the connection of that attempt in this process, once there is one; the `id` of its `ConnectionInfo`.
  public let connectionID: UInt64?

  /// What may happen, in order of happening.
  public enum Kind: Sendable {
    /// A session's task begins, or goes on.
    case taskResumed
    /// A session's task is held.
    case taskSuspended
    /// A session's task is over, with this error if it failed; nothing of it follows.
    case taskCompleted(MartletError?)
    /// A cache has answered, in place of the server.
    case cacheHit(ResponseHead)
    /// A request is handed to the transport: an attempt begins, which `attemptFinished` or `attemptFailed` ends.
    case attemptStarted(Request)
    /// All connections to the origin are busy, and no more may be made.
    case queued
    /// The addresses of a host are being looked up.
    case resolving(host: String)
    /// The addresses of a host are known.
    case resolved(host: String, addresses: [String])
    /// A connection to an address is being tried.
    case connecting(address: String)
    /// An address has answered.
    case connected(address: String)
    /// The TLS handshake has begun.
    case securing(host: String)
    /// The TLS handshake is done and the server is trusted.
    case secured(host: String)
    /// A connection is at hand, and the request goes out as it stands here. The connection is `nil` when no
    /// network is involved.
    case sending(Request, over: ConnectionInfo?, isConnectionReused: Bool)
    /// The request goes out again: its connection was stale or has not processed it, a proxy requires authentication, or
    /// the server does not support `Expect`.
    case retrying
    /// Bytes of the body went out.
    case bodySent(bytes: Int, total: Int64?)
    /// The request has been sent whole.
    case requestSent
    /// An interim response, such as `100 Continue`, has arrived.
    case informationalResponse(ResponseHead)
    /// The head of the final response has arrived.
    case responseReceived(ResponseHead)
    /// The body goes on where an earlier one ended: so many bytes are there already.
    case downloadResumed(offset: Int64, total: Int64?)
    /// Bytes of the body arrived.
    case bodyReceived(bytes: Int, total: Int64?)
    /// The response is a redirect, and it is followed.
    case redirecting(to: URL)
    /// The attempt is over: the response has been received whole.
    case attemptFinished(ExchangeMetrics)
    /// The attempt is over: it has failed.
    case attemptFailed(MartletError)
  }
}

extension CallEvent {
  /// What events are about: a listener for a few topics costs nothing when other events are reported.
  package struct Topics: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// The task begins, is held, goes on, is over.
    package static let task = Topics(rawValue: 1)
    /// Bytes of bodies.
    package static let progress = Topics(rawValue: 2)
    /// Attempts, connections, redirects and answers from a cache: all other events.
    package static let attempts = Topics(rawValue: 4)

    /// All events.
    package static let all: Topics = [.task, .progress, .attempts]
  }
}

extension CallEvent.Kind {
  var topic: CallEvent.Topics {
    switch self {
    case .taskResumed, .taskSuspended, .taskCompleted: .task
    case .bodySent, .bodyReceived, .downloadResumed: .progress
    case .cacheHit, .attemptStarted, .queued, .resolving, .resolved, .connecting, .connected,
      .securing, .secured, .sending, .retrying, .requestSent, .informationalResponse,
      .responseReceived, .redirecting,
      .attemptFinished, .attemptFailed:
      .attempts
    }
  }
}

extension CallEvent: CustomStringConvertible, CustomReflectable {
  /// What happened, such as `connecting(127.0.0.1:80)`; secrets are masked.
  public var description: String { kind.description }

  /// What debuggers show: no more than the description says.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension CallEvent.Kind: CustomStringConvertible, CustomReflectable {
  /// What happened, as text; secrets are masked.
  public var description: String {
    switch self {
    case .taskResumed: "taskResumed"
    case .taskSuspended: "taskSuspended"
    case .taskCompleted(nil): "taskCompleted"
    case .taskCompleted(let error?): "taskCompleted(\(error))"
    case .cacheHit(let head): "cacheHit(\(head))"
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

  /// What debuggers show: no more than the description says.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .enum) }

  private static func amount(_ bytes: some BinaryInteger, of total: Int64?) -> String {
    total.map { "\(bytes) of \($0) bytes" } ?? "\(bytes) bytes"
  }
}
