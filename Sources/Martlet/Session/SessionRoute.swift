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
    let transport = configuration.transport ?? HTTPTransport(configuration.engineConfiguration)
    engine = transport as? HTTPTransport
    pipeline = configuration.makePipeline(over: transport)
    hasOwnParts = !configuration.steps.isEmpty || configuration.transport != nil
    expectThreshold = configuration.expectsContinueAbove
  }

  /// The response to a task's request.
  ///
  /// The engine hears of a cancellation through the exchange, steps and transports of the application's
  /// own only through a Swift task; without any, the price of one is saved.
  func response(for task: SessionTask) async throws -> Response {
    guard hasOwnParts else { return try await send(task) }
    let work = Task {
      try Task.checkCancellation()
      return try await send(task)
    }
    task.adopt(work)
    return try await withTaskCancellationHandler {
      try await work.value
    } onCancel: {
      work.cancel()
    }
  }

  private func send(_ task: SessionTask) async throws -> Response {
    var request = task.request
    if let expectThreshold, request.body.length ?? .max > expectThreshold {
      request.options.expectsContinue = true
    }
    guard task.hooks != nil || task.download != nil else {
      return try await pipeline.send(request)
    }
    let way: any Transport =
      task.hooks == nil ? pipeline : HookedTransport(task: task, pipeline: pipeline)
    guard let download = task.download else { return try await way.send(request) }
    return try await download.send(request, next: way)
  }
}
