import MartletCore
import MartletTransport

/// A session's pipeline, with what is at its end.
///
/// A session that is reset makes a new one; its tasks keep to the one they were made with.
final class SessionRoute: Sendable {
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

  /// What a task sends, and what takes it from here.
  func departure(of task: SessionTask) -> (request: Request, way: any Transport) {
    var request = task.request
    if let expectThreshold, request.body.length ?? .max > expectThreshold {
      request.options.expectsContinue = true
    }
    let way = way(of: task)
    return (request, hasOwnParts ? CancellableTransport(task: task, way: way) : way)
  }

  private func way(of task: SessionTask) -> any Transport {
    let way: any Transport =
      task.hooks == nil ? pipeline.entry : HookedTransport(task: task, pipeline: pipeline)
    return task.download.map { Pipeline([$0], transport: way) } ?? way
  }
}

/// Has a task's cancellation reach steps and transports of the application's own.
///
/// The engine hears of it through the exchange, they do only through a Swift task; without any, the price of one
/// is saved.
private struct CancellableTransport: Transport {
  let task: SessionTask
  let way: any Transport

  func send(_ request: Request) async throws -> Response {
    let work = Task {
      try Task.checkCancellation()
      return try await way.send(request)
    }
    task.adopt(work)
    return try await withTaskCancellationHandler {
      try await work.value
    } onCancel: {
      work.cancel()
    }
  }
}
