import EssentialFoundation
import MartletCore
import NIOCore

/// Runs `body`, and cancels it when it takes longer than `limit`.
///
/// - Parameters:
///   - limit: The longest time that `body` may take. `nil` sets no limit.
///   - executor: The executor that `body` runs on. Its event loop measures the time.
///   - timeOut: Makes the error when the limit is reached.
///   - discard: Receives a value that `body` returns after its time has run out.
///   - body: The operation.
/// - Returns: The value that `body` returned in time.
/// - Throws: The time-out error; `CancellationError`; what `body` throws.
@inline(never)
func withTimeLimit<Value: Sendable>(
  _ limit: Duration?, on executor: EngineExecutor, timeOut: (Duration) -> MartletError,
  discard: (Value) -> Void = { _ in },
  body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  guard let limit else { return try await body() }
  // A task group would need a second task, for the time.
  let work = Task(executorPreference: executor, operation: body)
  let isOver = Locked(false)
  let timer = executor.loop.scheduleTask(in: TimeAmount(limit)) {
    isOver.withLock { $0 = true }
    work.cancel()
  }
  let result = await withTaskCancellationHandler {
    await work.result
  } onCancel: {
    work.cancel()
  }
  timer.cancel()
  guard isOver.current else { return try result.get() }
  if case .success(let late) = result { discard(late) }
  throw Task.isCancelled ? CancellationError() as any Error : timeOut(limit)
}

extension EventLoop {
  /// Waits, and ends at once when the task is cancelled.
  ///
  /// With `Task.sleep`, a cancelled task stays in memory until its time is over. Here it does not.
  ///
  /// - Parameter duration: How long to wait.
  /// - Throws: `CancellationError` when the task is cancelled before the time is over.
  func sleep(for duration: Duration) async throws {
    let timer = scheduleTask(in: TimeAmount(duration)) {}
    do {
      try await withTaskCancellationHandler {
        try await timer.futureResult.get()
      } onCancel: {
        timer.cancel()
      }
    } catch EventLoopError.cancelled {
      throw CancellationError()
    }
  }
}
