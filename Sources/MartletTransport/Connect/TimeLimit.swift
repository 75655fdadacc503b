import MartletCore
import NIOCore

/// Runs `body`, and cancels it when it takes longer than `limit`.
///
/// - Parameters:
///   - limit: The longest time that `body` may take. `nil` sets no limit.
///   - loop: The event loop that measures the time.
///   - timeOut: Makes the error when the limit is reached.
///   - discard: Receives a value that `body` returns after its time has run out or the task was cancelled.
///   - body: The operation.
/// - Returns: The value that `body` returned in time.
/// - Throws: The time-out error; `CancellationError`; what `body` throws.
func withTimeLimit<Value: Sendable>(
  _ limit: Duration?, on loop: any EventLoop, timeOut: (Duration) -> MartletError,
  discard: (Value) -> Void = { _ in },
  body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  guard let limit else { return try await body() }
  return try await withThrowingTaskGroup(of: Value?.self) { group in
    group.addTask { try await body() }
    group.addTask {
      // The sleep is cancelled only if `body` is over, or if the caller is cancelled and `body` with it.
      try? await loop.sleep(for: limit)
      return nil
    }
    if let first = try await group.next() ?? nil {
      group.cancelAll()
      return first
    }
    group.cancelAll()
    let isCancelled = Task.isCancelled
    if let late = try? await group.next() ?? nil { discard(late) }
    throw isCancelled ? CancellationError() as any Error : timeOut(limit)
  }
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
