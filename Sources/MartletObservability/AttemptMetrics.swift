import CoreMetrics
import MartletCore

/// How an attempt ends.
struct AttemptOutcome: Hashable {
  var status: Int?
  /// Whether the attempt was over HTTP/2; `nil` if that is not known.
  var isMultiplexed: Bool?
  /// The code of the error, if there was one.
  var error: MartletError.Code?

  /// The attributes that the outcome adds to those of the request.
  var dimensions: ServerLabels.Dimensions {
    var dimensions: ServerLabels.Dimensions = []
    if let status { dimensions.append(("http.response.status_code", String(status))) }
    if let isMultiplexed {
      dimensions.append(
        ("network.protocol.version", Conventions.version(isMultiplexed: isMultiplexed)))
    }
    if let type = error.map({ "\($0)" }) ?? Conventions.errorType(of: status) {
      dimensions.append(("error.type", type))
    }
    return dimensions
  }
}

/// The metrics of the attempts with the same attributes.
final class AttemptMetrics: Sendable {
  let outcome: AttemptOutcome
  let duration: any TimerHandler
  private let requestBodySize: any RecorderHandler
  private let responseBodySize: any RecorderHandler

  init(
    _ outcome: AttemptOutcome, _ factory: any MetricsFactory, _ dimensions: ServerLabels.Dimensions
  ) {
    func size(_ label: String) -> any RecorderHandler {
      factory.makeRecorder(label: label, dimensions: dimensions, aggregate: true)
    }
    self.outcome = outcome
    duration = factory.makeTimer(seconds: "http.client.request.duration", dimensions: dimensions)
    requestBodySize = size("http.client.request.body.size")
    responseBodySize = size("http.client.response.body.size")
  }

  /// Records an attempt that has ended without an error.
  func record(_ exchange: ExchangeMetrics, sent: Int64) {
    duration.recordNanoseconds(exchange.totalDuration.nanoseconds)
    requestBodySize.record(sent)
    responseBodySize.record(exchange.bodyBytesReceived)
  }
}
