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
