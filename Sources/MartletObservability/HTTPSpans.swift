public import MartletCore
public import MartletEssentials
public import Tracing

/// Traces the calls of a session, with swift-distributed-tracing.
///
///     let api = HTTPSessionManager(baseURL: url) { $0.observers = [HTTPSpans()] }
///
/// Each call has a span, a child of the span in which the call is made. Its children are the attempts: the requests that are
/// sent, each with the fields that the tracer adds, such as `traceparent`. The children of an attempt are the look-up of the
/// host's addresses, the connections that are tried and the TLS handshake, if the attempt needs them. Names and attributes
/// follow OpenTelemetry's conventions for HTTP clients: the page of the module lists them.
public struct HTTPSpans: SessionObserver {
  private let tracer: (any Tracer)?

  /// An observer that makes spans.
  ///
  /// - Parameter tracer: Makes the spans. The default, `nil`, is the tracer of the system at the time of each call.
  public init(tracer: (any Tracer)? = nil) {
    self.tracer = tracer
  }

  /// Returns the maker of a call's spans.
  public func observer(of task: SessionTask) -> (any CallObserver)? {
    CallTrace(task, tracer ?? InstrumentationSystem.tracer)
  }
}
