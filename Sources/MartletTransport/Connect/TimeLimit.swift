import EssentialFoundation
import MartletCore
import NIOCore

/// Runs `body`, whose waits end when it takes longer than `limit`.
///
/// - Parameters:
///   - limit: The longest time that `body` may take. `nil` sets no limit.
///   - loop: The event loop that measures the time.
///   - timeOut: Makes the error when the limit is reached.
///   - discard: Receives a value that `body` returns after its time has run out.
///   - body: The operation, which waits with `TimeLimit.wait(_:orCancel:)`.
/// - Returns: The value that `body` returned in time.
/// - Throws: The time-out error; `CancellationError`; what `body` throws.
func withTimeLimit<Value>(
  _ limit: Duration?, on loop: any EventLoop, timeOut: (Duration) -> MartletError,
  discard: (Value) -> Void = { _ in }, body: (TimeLimit) async throws -> Value
) async throws -> Value {
  let timeLimit = TimeLimit()
  guard let limit else { return try await body(timeLimit) }
  let timer = loop.scheduleTask(in: TimeAmount(limit)) { timeLimit.reach() }
  let result: Result<Value, any Error>
  do { result = .success(try await body(timeLimit)) } catch { result = .failure(error) }
  let isInTime = timeLimit.end()
  timer.cancel()
  if isInTime { return try result.get() }
  if case .success(let late) = result { discard(late) }
  throw Task.isCancelled ? CancellationError() as any Error : timeOut(limit)
}

/// A limit of time for several waits. No task is needed for it: each wait says how it is ended.
final class TimeLimit: Sendable {
  private struct State {
    var isReached = false
    var isOver = false
    var lastWait = 0
    var waits: [(number: Int, cancel: @Sendable () -> Void)] = []
  }

  private let state = Locked(State())

  /// Whether the time has run out.
  var isReached: Bool { state.withLock { $0.isReached } }

  /// Waits, until the time has run out or the task is cancelled.
  ///
  /// - Parameters:
  ///   - work: The wait.
  ///   - cancel: Ends the wait; called on any thread, perhaps before `work` begins or after it has ended.
  /// - Returns: What `work` returns.
  /// - Throws: What `work` throws.
  func wait<Value>(
    _ work: () async throws -> Value, orCancel cancel: @escaping @Sendable () -> Void
  ) async rethrows -> Value {
    let number = begin(cancel)
    if number == nil { cancel() }
    defer { state.withLock { $0.waits.removeAll { $0.number == number } } }
    return try await withTaskCancellationHandler(operation: work, onCancel: cancel)
  }

  private func begin(_ cancel: @escaping @Sendable () -> Void) -> Int? {
    state.withLock { state in
      guard !state.isReached else { return nil }
      state.lastWait += 1
      state.waits.append((state.lastWait, cancel))
      return state.lastWait
    }
  }

  /// Ends all waits, unless the work has ended in time.
  fileprivate func reach() {
    let waits = state.withLock { state in
      state.isReached = !state.isOver
      return state.isOver ? [] : state.waits
    }
    for wait in waits { wait.cancel() }
  }

  /// Ends the work. Returns whether it has ended in time.
  fileprivate func end() -> Bool {
    state.withLock { state in
      state.isOver = true
      return !state.isReached
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
