import MartletCore
import MartletTransport

/// A session's pipeline, with what is at its end.
///
/// A session that is reset makes a new one; its tasks keep to the one they were made with.
struct SessionRoute: Sendable {
  /// The engine that sends the requests, if it is one.
  let engine: HTTPTransport?
  private let pipeline: Pipeline
  /// Whether there are steps or a transport of the application's own.
  private let hasOwnParts: Bool
  private let expectThreshold: Int64?

  init(_ configuration: SessionConfiguration) {
    let transport = configuration.transport ?? HTTPTransport(configuration.engine)
    engine = transport as? HTTPTransport
    pipeline = configuration.makePipeline(over: transport)
    hasOwnParts = !configuration.steps.isEmpty || configuration.transport != nil
    expectThreshold = configuration.expectsContinueAbove
  }

  /// The engine hears of a cancellation through the exchange, steps and transports of the application's
  /// own only through a Swift task; without any, the price of one is saved.
  func response(to request: Request, for task: SessionTask) async throws -> Response {
    var request = request
    if let expectThreshold, request.body.length ?? .max > expectThreshold {
      request.options.expectsContinue = true
    }
    guard hasOwnParts else { return try await pipeline.send(request) }
    let work = Task { [pipeline, request] in
      try Task.checkCancellation()
      return try await pipeline.send(request)
    }
    task.adopt(work)
    return try await withTaskCancellationHandler {
      try await work.value
    } onCancel: {
      work.cancel()
    }
  }
}
