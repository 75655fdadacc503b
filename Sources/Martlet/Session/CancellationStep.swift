import MartletCore

/// Has a task's cancellation reach steps and transports of the application's own.
///
/// The engine hears of it through the exchange, they do only through a Swift task; without any, the price of one
/// is saved.
struct CancellationStep: Step {
  func send(_ request: Request, next: Next) async throws -> Response {
    let work = Task {
      try Task.checkCancellation()
      return try await next.send(request)
    }
    next.context.task?.adopt(work)
    return try await withTaskCancellationHandler {
      try await work.value
    } onCancel: {
      work.cancel()
    }
  }
}
