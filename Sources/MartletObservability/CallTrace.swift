import EssentialFoundation
import HTTPTypes
import MartletCore
import MartletEssentials
import Tracing

/// Makes the spans of one call: of the call, of its attempts, and of the parts of making a connection.
final class CallTrace: CallObserver {
  private struct State {
    /// The span of the call; `nil` before its begin and after its end.
    var call: (any Span)?
    /// The span of the attempt under way.
    var attempt: (any Span)?
    /// The spans of the parts of the attempt that are under way, by their names.
    var parts: [String: any Span] = [:]
    var attemptCount = 0
    var hasEnded = false
  }

  private let tracer: any Tracer
  /// The context of the caller.
  private let context: ServiceContext
  private let request: Request
  // The call has this object as its observer, so that it exists whenever it calls a function.
  private unowned let call: Call
  // The tracer is not called under the lock.
  private let state = Locked(State())

  init(_ task: SessionTask, _ tracer: any Tracer) {
    self.tracer = tracer
    context = ServiceContext.current ?? .topLevel
    request = task.originalRequest
    call = task.call
    if task.state == .running { beginCall() }
  }

  var topics: CallEvent.Topics { [.task, .attempts, .connecting, .requests] }

  func receive(_ event: CallEvent) {
    switch event.kind {
    case .taskResumed: beginCall()
    case .taskCompleted(let error): endCall(error)
    case .attemptStarted, .queued, .taskSuspended: break
    case .attemptFinished(let metrics): endAttempt(over: metrics.connection)
    case .attemptFailed(let error): endAttempt(error)
    case .resolving(let host): beginPart(.lookup(host))
    case .resolved(let host, let addresses): endPart(.lookup(host), answers: addresses)
    case .connecting(let address): beginPart(.connection(address))
    case .connected(let address): endPart(.connection(address))
    case .securing(let host): beginPart(.handshake(host))
    case .secured(let host): endPart(.handshake(host))
    default: note(event.kind)
    }
  }

  // MARK: The call

  private func beginCall() {
    guard state.withLock({ $0.call == nil && !$0.hasEnded }) else { return }
    let span = tracer.startAnySpan(
      "call " + Self.name(of: request), context: context, ofKind: .internal)
    if span.isRecording { span.describe(call: request) }
    state.withLock { $0.call = span }
  }

  private func endCall(_ error: MartletError?) {
    // A transport that reports no events has not ended it.
    endAttempt()
    let span = state.withLock { state in
      state.hasEnded = true
      return state.call.take()
    }
    guard let span else { return }
    if let error { span.fail(error) }
    span.end()
  }

  /// Notes an event that belongs to no attempt, or to no part of one.
  private func note(_ event: CallEvent.Kind) {
    guard let span = state.withLock({ $0.call }), span.isRecording else { return }
    span.addEvent(SpanEvent(event))
  }

  // MARK: Attempts

  /// Begins the span of an attempt, and adds the fields with which the server's spans become its children.
  func prepare(_ request: inout Request) {
    beginCall()
    endAttempt()
    let (parent, count) = state.withLock { state in
      state.attemptCount += 1
      return (state.call?.context, state.attemptCount)
    }
    guard let parent else { return }
    let span = tracer.startAnySpan(Self.name(of: request), context: parent, ofKind: .client)
    if span.isRecording { span.describe(attempt: request, resendCount: count - 1) }
    tracer.inject(span.context, into: &request.headers, using: FieldInjector())
    state.withLock { $0.attempt = span }
  }

  private func endAttempt(_ error: MartletError? = nil, over connection: ConnectionInfo? = nil) {
    let (span, parts) = state.withLock { state in
      defer { state.parts = [:] }
      return (state.attempt.take(), state.parts)
    }
    // Connections that were tried and are not needed, or that have failed.
    for part in parts.values { part.end() }
    guard let span else { return }
    if span.isRecording { span.describe(end: call.lastStatus, error, over: connection) }
    span.end()
  }

  /// The name of a span: the method, and the template of the URL if there is one.
  private static func name(of request: Request) -> String {
    let method = Conventions.name(of: request.method)
    return request.urlTemplate.map { "\(method) \($0)" } ?? method
  }

  // MARK: Parts of an attempt

  private func beginPart(_ part: ConnectionPart) {
    guard let attempt = state.withLock({ $0.attempt }), attempt.isRecording else { return }
    let span = tracer.startAnySpan(part.name, context: attempt.context, ofKind: .internal)
    span.attributes = part.attributes
    state.withLock { $0.parts[part.name] = span }
  }

  private func endPart(_ part: ConnectionPart, answers: [String]? = nil) {
    guard let span = state.withLock({ $0.parts.removeValue(forKey: part.name) }) else { return }
    if let answers { span.attributes["dns.answers"] = answers }
    span.end()
  }
}

/// Adds the fields of a trace to a request.
private struct FieldInjector: Injector {
  func inject(_ value: String, forKey key: String, into fields: inout HTTPFields) {
    guard let name = HTTPField.Name(key) else { return }
    fields[name] = value
  }
}
