import Synchronization
import Tracing

/// A tracer whose spans record everything, and are dropped at their end: what is measured is the work of the client.
struct RecordingTracer: Tracer {
  final class RecordedSpan: Tracing.Span {
    private struct State {
      var operationName: String
      var attributes: SpanAttributes = [:]
      var events: [SpanEvent] = []
    }

    let context: ServiceContext
    private let state: Mutex<State>

    init(_ operationName: String, _ context: ServiceContext) {
      self.context = context
      state = Mutex(State(operationName: operationName))
    }

    var isRecording: Bool { true }
    var operationName: String {
      get { state.withLock { $0.operationName } }
      set { state.withLock { $0.operationName = newValue } }
    }
    var attributes: SpanAttributes {
      get { state.withLock { $0.attributes } }
      set { state.withLock { $0.attributes = newValue } }
    }

    func setStatus(_ status: SpanStatus) {}
    func addEvent(_ event: SpanEvent) { state.withLock { $0.events.append(event) } }
    func recordError(
      _ error: any Error, attributes: SpanAttributes,
      at instant: @autoclosure () -> some TracerInstant
    ) {}
    func addLink(_ link: SpanLink) {}
    func end(at instant: @autoclosure () -> some TracerInstant) {}
  }

  func startSpan<Instant: TracerInstant>(
    _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
    at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
  ) -> RecordedSpan {
    RecordedSpan(operationName, context())
  }

  func forceFlush() {}

  func extract<Carrier, Extract: Extractor>(
    _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
  ) where Extract.Carrier == Carrier {}

  func inject<Carrier, Inject: Injector>(
    _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
  ) where Inject.Carrier == Carrier {
    injector.inject(
      "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", forKey: "traceparent",
      into: &carrier)
  }
}
