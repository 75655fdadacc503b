import MartletCore

extension Call {
  /// Waits for what is no transfer, until the call or the calling task is cancelled.
  ///
  /// - Parameter work: What to wait for; it is cancelled, too.
  /// - Returns: What `work` returns.
  /// - Throws: What `work` throws, or `MartletError` with code `.cancelled` as soon as that happens.
  func wait<Value: Sendable>(
    for work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let (values, continuation) = AsyncThrowingStream<Value, any Error>.makeStream()
    let task = Task {
      do {
        continuation.yield(try await work())
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    continuation.onTermination = { _ in task.cancel() }
    defer {
      onCancel(nil)
      continuation.finish()
    }
    let isCancelled = onCancel { continuation.finish(throwing: MartletError.cancelled) }
    guard !isCancelled else { throw MartletError.cancelled }
    for try await value in values { return value }
    throw MartletError.cancelled
  }
}
