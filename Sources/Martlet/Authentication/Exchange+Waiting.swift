import MartletCore

extension Exchange {
  /// Waits for what is no transfer, until the exchange or the calling task is cancelled.
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
      attach(nil)
      continuation.finish()
    }
    let standing = attach(Interruption { continuation.finish(throwing: MartletError.cancelled) })
    guard standing != .stop else { throw MartletError.cancelled }
    for try await value in values { return value }
    throw MartletError.cancelled
  }
}

/// Lets a handle cancel what is waited for; there is nothing to hold.
private struct Interruption: ExchangeControl {
  let interrupt: @Sendable () -> Void

  init(_ interrupt: @escaping @Sendable () -> Void) {
    self.interrupt = interrupt
  }

  func suspend() {}
  func resume() {}
  func cancel() { interrupt() }
}
