import CoreMetrics
import Harness
import Martlet
import MartletObservability
import Tracing

extension Job.Observer {
  /// The observer of the session.
  var sessionObserver: any SessionObserver {
    switch self {
    case .metrics: HTTPMetrics(factory: NOOPMetricsHandler.instance)
    case .spans: HTTPSpans(tracer: RecordingTracer())
    case .unrecordedSpans: HTTPSpans(tracer: NoOpTracer())
    }
  }
}
