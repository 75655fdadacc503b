import EssentialFoundation
import MartletCore
import NIOCore

/// Runs `body`, and cancels it when it takes longer than `limit`.
///
/// - Parameters:
///   - limit: The longest time that `body` may take. `nil` sets no limit.
///   - executor: The executor that `body` runs on if there is a limit. Its event loop measures the time.
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
  // Not inlined, because its variables would be in the frame of callers that have no limit.
  // A task group would need a second task, for the time.
  let first = Locked<First?>(nil)
  let work = Task(executorPreference: executor) {
    defer { first.claim(.body) }
    return try await body()
  }
  let timer = executor.loop.scheduleTask(in: TimeAmount(limit)) {
    if first.claim(.limit) { work.cancel() }
  }
  let result = await withTaskCancellationHandler {
    await work.result
  } onCancel: {
    work.cancel()
  }
  timer.cancel()
  guard first.current == .limit else { return try result.get() }
  if case .success(let late) = result { discard(late) }
  throw Task.isCancelled ? CancellationError() as any Error : timeOut(limit)
}

/// What came first: the end of the body, or of its time.
private enum First {
  case body
  case limit
}

extension Locked where Value == First? {
  /// Returns whether this came first.
  @discardableResult
  fileprivate func claim(_ first: First) -> Bool {
    withLock { value in
      if value == nil { value = first }
      return value == first
    }
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
