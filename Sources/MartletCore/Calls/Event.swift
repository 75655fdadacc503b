public import EssentialFoundation

/// Something that happened during a call: what, when, and to which of its requests.
///
/// Redirects, challenges and downloads that go on have several requests sent for one call: each is an attempt, and has
/// one end.
public struct Event: Sendable {
  /// What happened.
  public let kind: Kind
  /// When it happened.
  public let time: ContinuousClock.Instant
  /// Names the call, and with it the task, in this process.
  public let call: UInt64
  /// Which of the call's attempts it is about: 1 for the first, and 0 before there is one.
  public let attempt: Int
  /// Names the connection of that attempt in this process, once there is one; the `id` of its `ConnectionInfo`.
  public let connection: UInt64?

  /// What may happen, in order of happening.
  public enum Kind: Sendable {
    /// A session's task begins, or goes on.
    case taskResumed
    /// A session's task is held.
    case taskSuspended
    /// A session's task is over, with this error if it failed; nothing of it follows.
    case ended(MartletError?)
    /// A cache has answered, in place of the server.
    case answeredFromCache(ResponseHead)
    /// A request is handed to the transport: an attempt begins, which `finished` or `failed` ends.
    case attempting(Request)
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
    case repeating
    /// Bytes of the body went out.
    case bodySent(bytes: Int, total: Int64?)
    /// The request has been sent whole.
    case sent
    /// An interim response, such as `100 Continue`, has arrived.
    case informational(ResponseHead)
    /// The head of the final response has arrived.
    case responded(ResponseHead)
    /// The body goes on where an earlier one ended: so many bytes are there already.
    case resumed(offset: Int64, total: Int64?)
    /// Bytes of the body arrived.
    case received(bytes: Int, total: Int64?)
    /// The response is a redirect, and it is followed.
    case redirecting(to: URL)
    /// The attempt is over: the response has been received whole.
    case finished(Metrics)
    /// The attempt is over: it has failed.
    case failed(MartletError)
  }
}

extension Event {
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

extension Event.Kind {
  var topic: Event.Topics {
    switch self {
    case .taskResumed, .taskSuspended, .ended: .task
    case .bodySent, .received, .resumed: .progress
    case .answeredFromCache, .attempting, .queued, .resolving, .resolved, .connecting, .connected,
      .securing, .secured, .sending, .repeating, .sent, .informational, .responded, .redirecting,
      .finished, .failed:
      .attempts
    }
  }
}

extension Event: CustomStringConvertible, CustomReflectable {
  /// What happened, such as `connecting(127.0.0.1:80)`; secrets are masked.
  public var description: String { kind.description }

  /// What debuggers show: no more than the description says.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension Event.Kind: CustomStringConvertible, CustomReflectable {
  /// What happened, as text; secrets are masked.
  public var description: String {
    switch self {
    case .taskResumed: "taskResumed"
    case .taskSuspended: "taskSuspended"
    case .ended(nil): "ended"
    case .ended(let error?): "ended(\(error))"
    case .answeredFromCache(let head): "answeredFromCache(\(head))"
    case .attempting(let request): "attempting(\(request))"
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
    case .repeating: "repeating"
    case .bodySent(let bytes, let total): "bodySent(\(Self.amount(bytes, of: total)))"
    case .sent: "sent"
    case .informational(let head): "informational(\(head))"
    case .responded(let head): "responded(\(head))"
    case .resumed(let offset, let total): "resumed(at \(Self.amount(offset, of: total)))"
    case .received(let bytes, let total): "received(\(Self.amount(bytes, of: total)))"
    case .redirecting(let url): "redirecting(to \(url.masked))"
    case .finished(let metrics): "finished(after \(metrics.total.text))"
    case .failed(let error): "failed(\(error))"
    }
  }

  /// What debuggers show: no more than the description says.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .enum) }

  private static func amount(_ bytes: some BinaryInteger, of total: Int64?) -> String {
    total.map { "\(bytes) of \($0) bytes" } ?? "\(bytes) bytes"
  }
}
