import EssentialFoundation
import HTTPTypes
import MartletCore
import MartletEssentials
import Tracing

/// Makes the spans of one call.
final class CallTrace: CallObserver {
  private struct State {
    /// The span of the call; `nil` before its begin and after its end.
    var span: (any Span)?
    /// The attempt under way.
    var attempt: AttemptTrace?
    var attemptCount = 0
    var hasEnded = false
  }

  private let tracer: any Tracer
  private let context: ServiceContext
  private let request: Request
  private let state = Locked(State())

  init(_ task: SessionTask, _ tracer: any Tracer) {
    self.tracer = tracer
    context = ServiceContext.current ?? .topLevel
    request = task.originalRequest
    if task.state == .running { begin() }
  }

  /// Begins the span of an attempt, and adds the fields with which the server's spans become its children.
  func prepare(_ request: inout Request) {
    begin()
    let (parent, previous, count) = state.withLock { state in
      state.attemptCount += 1
      return (state.span?.context, state.attempt.take(), state.attemptCount)
    }
    // A transport that reports no events has not ended it.
    previous?.end()
    guard let parent else { return }
    let attempt = AttemptTrace(request, tracer, in: parent, resendCount: count - 1)
    tracer.inject(attempt.span.context, into: &request.headers, using: FieldInjector())
    state.withLock { $0.attempt = attempt }
  }

  func receive(_ event: CallEvent) {
    switch event.kind {
    case .taskResumed: begin()
    case .taskCompleted(let error): end(error)
    case .retryDecided, .redirecting, .hedged, .fellBack, .circuitOpened, .circuitClosed,
      .rateLimited, .concurrencyLimited, .cacheUsed, .cacheFailed:
      state.withLock { $0.span }?.addEvent(SpanEvent(event.kind))
    default: state.withLock { $0.attempt }?.receive(event.kind)
    }
  }

  var topics: CallEvent.Topics { [.task, .attempts, .connections] }

  private func begin() {
    guard state.withLock({ $0.span == nil && !$0.hasEnded }) else { return }
    let span = tracer.startAnySpan(
      Self.name(of: request, after: "call"), context: context, ofKind: .internal)
    span.attributes["http.request.method"] = Conventions.name(of: request.method)
    state.withLock { $0.span = span }
  }

  private func end(_ error: MartletError?) {
    let (span, attempt) = state.withLock { state in
      state.hasEnded = true
      defer { (state.span, state.attempt) = (nil, nil) }
      return (state.span, state.attempt)
    }
    attempt?.end()
    guard let span else { return }
    if let error { span.fail(error) }
    span.end()
  }

  /// The name of a span: the method, and the template of the URL if there is one.
  static func name(of request: Request, after prefix: String? = nil) -> String {
    let parts = [prefix, Conventions.name(of: request.method), request.urlTemplate]
    return parts.compactMap { $0 }.joined(separator: " ")
  }
}

extension Span {
  /// Notes the error that ends the span.
  func fail(_ error: MartletError) {
    attributes["error.type"] = "\(error.code)"
    recordError(error)
    setStatus(SpanStatus(code: .error, message: error.message))
  }
}

extension SpanEvent {
  /// An event by its name, with all that it says as an attribute.
  fileprivate init(_ kind: CallEvent.Kind) {
    let text = kind.description
    self.init(
      name: String(text.prefix { $0 != "(" }), attributes: ["martlet.event": .string(text)])
  }
}

/// Adds the fields of a trace to a request.
private struct FieldInjector: Injector {
  func inject(_ value: String, forKey key: String, into fields: inout HTTPFields) {
    guard let name = HTTPField.Name(key) else { return }
    fields[name] = value
  }
}
