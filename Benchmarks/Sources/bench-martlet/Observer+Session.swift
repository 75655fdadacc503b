import CoreMetrics
import Harness
import InMemoryTracing
import Martlet
import MartletObservability
import Tracing

extension Job.Observer {
  /// The observer of the session.
  var sessionObserver: any SessionObserver {
    switch self {
    case .metrics: HTTPMetrics(factory: NOOPMetricsHandler.instance)
    case .spans: HTTPSpans(tracer: NoOpTracer())
    case .recordedSpans: HTTPSpans(tracer: InMemoryTracer(recordInjections: false))
    }
  }
}
