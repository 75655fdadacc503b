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
    /// The attempts under way: one, or two when a slow request was sent a second time.
    var attempts: [AttemptSpans] = []
    var attemptCount = 0
    var hasEnded = false

    func index(of call: Call) -> Int? {
      attempts.firstIndex { $0.call == ObjectIdentifier(call) }
    }

    mutating func removeAttempt(of call: Call) -> AttemptSpans? {
      index(of: call).map { attempts.remove(at: $0) }
    }
  }

  private let tracer: any Tracer
  /// The context of the caller.
  private let context: ServiceContext
  private let request: Request
  // The tracer is not called under the lock.
  private let state = Locked(State())

  init(_ task: SessionTask, _ tracer: any Tracer) {
    self.tracer = tracer
    context = ServiceContext.current ?? .topLevel
    request = task.originalRequest
    if task.state == .running { beginCall() }
  }

  var topics: CallEvent.Topics { [.task, .attempts, .connecting, .requests] }

  func receive(_ event: CallEvent) {
    switch event.kind {
    case .taskResumed: beginCall()
    case .taskCompleted(let error): endCall(error)
    case .attemptStarted, .queued, .taskSuspended: break
    case .attemptFinished(let metrics): endAttempt(of: event.call, over: metrics.connection)
    case .attemptFailed(let error): endAttempt(of: event.call, error)
    case .resolving(let host): beginPart(.lookup(host), of: event.call)
    case .resolved(let host, let addresses):
      endPart(.lookup(host), of: event.call, answers: addresses)
    case .connecting(let address): beginPart(.connection(address), of: event.call)
    case .connected(let address): endPart(.connection(address), of: event.call)
    case .securing(let host): beginPart(.handshake(host), of: event.call)
    case .secured(let host): endPart(.handshake(host), of: event.call)
    default: note(event.kind)
    }
  }

  // MARK: The call

  private func beginCall() {
    guard state.withLock({ $0.call == nil && !$0.hasEnded }) else { return }
    let span = tracer.startAnySpan(
      "call " + Self.name(of: request), context: context, ofKind: .internal)
    if span.isRecording { span.describe(call: request) }
    let isNeeded = state.withLock { state in
      guard state.call == nil, !state.hasEnded else { return false }
      state.call = span
      return true
    }
    // The call has ended meanwhile.
    if !isNeeded { span.end() }
  }

  private func endCall(_ error: MartletError?) {
    let (span, attempts) = state.withLock { state in
      state.hasEnded = true
      defer { state.attempts = [] }
      return (state.call.take(), state.attempts)
    }
    // Their transport reports no events, or an interceptor has failed.
    for attempt in attempts {
      if let error { attempt.span.fail(error) }
      attempt.end()
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
    guard let call = request.call else { return }
    beginCall()
    // A transport that reports no events has not ended it.
    state.withLock { $0.removeAttempt(of: call) }?.end()
    let (parent, count) = state.withLock { state in
      state.attemptCount += 1
      return (state.call?.context, state.attemptCount)
    }
    guard let parent else { return }
    let span = tracer.startAnySpan(Self.name(of: request), context: parent, ofKind: .client)
    if span.isRecording { span.describe(attempt: request, resendCount: count - 1) }
    tracer.inject(span.context, into: &request.headers, using: FieldInjector())
    let isNeeded = state.withLock { state in
      if !state.hasEnded { state.attempts.append(AttemptSpans(call, span)) }
      return !state.hasEnded
    }
    if !isNeeded { span.end() }
  }

  private func endAttempt(
    of call: Call, _ error: MartletError? = nil, over connection: ConnectionInfo? = nil
  ) {
    guard let attempt = state.withLock({ $0.removeAttempt(of: call) }) else { return }
    if attempt.span.isRecording {
      attempt.span.describe(end: call.status, error, over: connection)
    }
    attempt.end()
  }

  /// The name of a span: the method, and the template of the URL if there is one.
  private static func name(of request: Request) -> String {
    let method = Conventions.name(of: request.method)
    return request.urlTemplate.map { "\(method) \($0)" } ?? method
  }

  // MARK: Parts of an attempt

  private func beginPart(_ part: ConnectionPart, of call: Call) {
    let attempt = state.withLock { state in state.index(of: call).map { state.attempts[$0].span } }
    guard let attempt, attempt.isRecording else { return }
    let span = tracer.startAnySpan(part.name, context: attempt.context, ofKind: .internal)
    span.attributes = part.attributes
    // A part with the same name has ended: the attempt tries it again.
    let ended = state.withLock { state -> (any Span)? in
      guard let index = state.index(of: call) else { return span }
      return state.attempts[index].parts.updateValue(span, forKey: part.name)
    }
    ended?.end()
  }

  private func endPart(_ part: ConnectionPart, of call: Call, answers: [String]? = nil) {
    let span = state.withLock { state in
      state.index(of: call).flatMap { state.attempts[$0].parts.removeValue(forKey: part.name) }
    }
    guard let span else { return }
    if let answers { span.attributes["dns.answers"] = answers }
    span.end()
  }
}

/// Adds the fields of a trace to a request.
private struct FieldInjector: Injector {
  func inject(_ value: String, forKey key: String, into fields: inout HTTPFields) {
    guard let name = HTTPField.Name(key) else { return }
    // Replacing hashes the names of all fields.
    if fields.contains(where: { $0.name == name }) {
      fields[name] = value
    } else {
      fields.append(HTTPField(name: name, value: value))
    }
  }
}
