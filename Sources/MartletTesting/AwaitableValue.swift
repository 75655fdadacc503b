import EssentialFoundation
import MartletCore

/// A value that any task can change or wait for, so that tests need no arbitrary delays.
package final class AwaitableValue<Value: Sendable>: Sendable {
  private struct Waiter: Sendable {
    let isMet: @Sendable (Value) -> Bool
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct State: Sendable {
    var value: Value
    var waiters: [Int: Waiter] = [:]
    var nextWaiter = 0
  }

  private let state: Locked<State>

  package init(_ value: Value) {
    state = Locked(State(value: value))
  }

  /// A copy of the value as it is now.
  package var current: Value { state.withLock { $0.value } }

  /// Changes the value and resumes the tasks whose condition it now meets.
  @discardableResult
  package func update<Result>(_ change: (inout Value) -> Result) -> Result {
    let (result, met) = state.withLock { state in
      let result = change(&state.value)
      guard !state.waiters.isEmpty else { return (result, [Waiter]()) }
      let met = state.waiters.filter { $0.value.isMet(state.value) }
      for id in met.keys { state.waiters[id] = nil }
      return (result, Array(met.values))
    }
    for waiter in met { waiter.continuation.resume(returning: true) }
    return result
  }

  /// Returns as soon as the value meets a condition, without a time limit.
  ///
  /// - Throws: `CancellationError` when the task is cancelled first.
  package func waitWithoutLimit(until isMet: @escaping @Sendable (Value) -> Bool)
    async throws(CancellationError)
  {
    let id = state.withLock { state in
      state.nextWaiter += 1
      return state.nextWaiter
    }
    let isDone = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let waiter = Waiter(isMet: isMet, continuation: continuation)
        if let isDone = enlist(waiter, as: id) { continuation.resume(returning: isDone) }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: id) }?.continuation.resume(returning: false)
    }
    guard isDone else { throw CancellationError() }
  }

  /// Returns true if the condition is met, false if the task is cancelled, and `nil` if the waiter was added.
  ///
  /// A task is marked as cancelled before its cancellation handler runs. So either this function sees the mark, or the
  /// handler finds the waiter.
  private func enlist(_ waiter: Waiter, as id: Int) -> Bool? {
    state.withLock { state in
      if waiter.isMet(state.value) { return true }
      if Task.isCancelled { return false }
      state.waiters[id] = waiter
      return nil
    }
  }

  /// Returns as soon as the value meets a condition; waits for at most one minute.
  ///
  /// - Throws: `MartletError` with code `.timedOut` that names the line of the caller, or `CancellationError`.
  package func wait(
    file: StaticString = #fileID, line: UInt = #line,
    until isMet: @escaping @Sendable (Value) -> Bool
  ) async throws {
    let limit = Duration.seconds(60)
    try await wait(within: limit) {
      "The condition at \(file):\(line) was not met within \(limit.text). The value is \($0)."
    } until: {
      isMet($0)
    }
  }

  /// Returns as soon as the value meets a condition; waits for at most `limit`.
  ///
  /// - Throws: `MartletError` with code `.timedOut` and the message that `message` returns for the value, or
  ///   `CancellationError`.
  package func wait(
    within limit: Duration, message: @escaping @Sendable (Value) -> String,
    until isMet: @escaping @Sendable (Value) -> Bool
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await self.waitWithoutLimit(until: isMet) }
      group.addTask {
        try await Task.sleep(for: limit)
        throw MartletError(.timedOut, message(self.current), phase: .wait)
      }
      try await group.next()
      group.cancelAll()
    }
  }
}
