import MartletCore

extension Call {
  /// Waits for work that is not a transfer, but not longer than until the call or the calling task is cancelled.
  ///
  /// - Parameter work: The work to wait for. It is cancelled together with the call or the calling task.
  /// - Returns: What `work` returns.
  /// - Throws: What `work` throws, or `MartletError` with code `.cancelled` as soon as the call or the task is
  ///   cancelled.
  func wait<Value: Sendable>(
    for work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let (values, continuation) = AsyncThrowingStream<Value, any Error>.makeStream()
    let handler = addCancellationHandler {
      continuation.finish(throwing: MartletError.cancelled)
    }
    guard let handler else { throw MartletError.cancelled }
    let task = Task {
      do {
        continuation.yield(try await work())
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    defer {
      removeCancellationHandler(handler)
      task.cancel()
    }
    for try await value in values { return value }
    throw MartletError.cancelled
  }
}
