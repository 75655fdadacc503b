import EssentialFoundation
import HTTPTypes
import MartletCore
import Tracing

/// The span of an attempt, and those of the parts of making its connection.
final class AttemptTrace: Sendable {
  private struct State {
    /// The spans of the parts under way, by their names.
    var parts: [String: any Span] = [:]
    var status: HTTPResponse.Status?
  }

  let span: any Span
  private let tracer: any Tracer
  // The tracer is not called under the lock.
  private let state = Locked(State())

  /// Begins the span of an attempt.
  ///
  /// - Parameters:
  ///   - request: The request, as the attempt sends it.
  ///   - tracer: Makes the spans.
  ///   - parent: The context of the call's span.
  ///   - resendCount: The number of attempts of the call before this one.
  init(
    _ request: Request, _ tracer: any Tracer, in parent: ServiceContext, resendCount: Int
  ) {
    self.tracer = tracer
    span = tracer.startAnySpan(CallTrace.name(of: request), context: parent, ofKind: .client)
    guard span.isRecording else { return }
    span.updateAttributes { attributes in
      attributes["http.request.method"] = Conventions.name(of: request.method)
      if Conventions.name(of: request.method) != request.method.rawValue {
        attributes["http.request.method_original"] = request.method.rawValue
      }
      attributes["url.full"] = Conventions.text(of: request)
      if let template = request.urlTemplate { attributes["url.template"] = template }
      if resendCount > 0 { attributes["http.request.resend_count"] = resendCount }
      switch try? request.origin.endpoint {
      case .host(let host, let port)?:
        attributes["server.address"] = host
        attributes["server.port"] = port
      case .unixSocket(let path)?: attributes["server.address"] = path
      case nil: break
      }
    }
  }

  /// Notes what happens during the attempt.
  func receive(_ event: CallEvent.Kind) {
    switch event {
    case .resolving(let host): begin("DNS lookup \(host)", ["dns.question.name": .string(host)])
    case .resolved(let host, let addresses):
      end("DNS lookup \(host)", ["dns.answers": .stringArray(addresses)])
    case .connecting(let address): begin("socket connect \(address)", Self.peer(address))
    case .connected(let address): end("socket connect \(address)")
    case .securing(let host): begin("TLS handshake \(host)", ["server.address": .string(host)])
    case .secured(let host): end("TLS handshake \(host)")
    case .sending(_, let connection, _): endParts(); note(connection)
    case .retrying: endParts(); span.addEvent("retrying")
    case .responseReceived(let head): state.withLock { $0.status = head.status }
    case .attemptFinished: end(nil)
    case .attemptFailed(let error): end(error)
    default: break
    }
  }

  /// Ends the span, and those of its parts.
  func end(_ error: MartletError? = nil) {
    endParts()
    let status = state.withLock { $0.status }
    if let status { span.attributes["http.response.status_code"] = status.code }
    if let error {
      span.fail(error)
    } else if let type = Conventions.errorType(of: status) {
      span.attributes["error.type"] = type
      span.setStatus(SpanStatus(code: .error))
    }
    span.end()
  }

  // MARK: Parts

  private func begin(_ name: String, _ attributes: SpanAttributes) {
    let part = tracer.startAnySpan(name, context: span.context, ofKind: .internal)
    part.attributes = attributes
    state.withLock { $0.parts[name] = part }
  }

  private func end(_ name: String, _ attributes: SpanAttributes = [:]) {
    guard let part = state.withLock({ $0.parts.removeValue(forKey: name) }) else { return }
    if !attributes.isEmpty { part.attributes.merge(attributes) }
    part.end()
  }

  /// Ends the parts that no event has ended: connections that were tried and are not needed, or that have failed.
  private func endParts() {
    let parts = state.withLock { state in
      defer { state.parts = [:] }
      return state.parts.values
    }
    for part in parts { part.end() }
  }

  private func note(_ connection: ConnectionInfo?) {
    guard span.isRecording, let connection else { return }
    span.updateAttributes { attributes in
      attributes["network.protocol.version"] = Conventions.version(of: connection)
      if let peer = connection.remoteAddress { attributes.merge(Self.peer(peer)) }
    }
  }

  /// The attributes of an address with a port, or of the path of a socket.
  private static func peer(_ address: String) -> SpanAttributes {
    guard let colon = address.lastIndex(of: ":"),
      let port = Int(address[address.index(after: colon)...])
    else { return ["network.peer.address": .string(address)] }
    let host = address[..<colon].filter { !"[]".contains($0) }
    return [
      "network.peer.address": .string(host), "network.peer.port": .int64(Int64(port)),
    ]
  }
}
