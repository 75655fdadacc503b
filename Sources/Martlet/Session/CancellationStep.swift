import MartletCore

/// Has a task's cancellation reach steps and transports of the application's own.
///
/// The engine is cancelled through the call, they are through a Swift task alone; without any of them there is no
/// need for the task.
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
