package import NIOCore

/// Runs the `@concurrent` functions that `work` calls on the global executor, so that they do not block an event loop.
///
/// Other code of `work` may run where the caller does: it must not block.
///
/// A task with an executor preference, such as one on an engine's thread, also runs its `@concurrent` functions there
/// (SE-0417). Long computations and blocking calls therefore need a preference for the global executor.
package func runOnGlobalExecutor<Value>(_ work: () async throws -> Value) async rethrows -> Value {
  try await withTaskExecutorPreference(globalConcurrentExecutor) { try await work() }
}

extension ByteBuffer {
  /// The size from which work on a body, such as decompression, leaves the caller's actor: 16 KiB.
  ///
  /// For a smaller body the change of executor costs more than the work.
  package static let largeBody = 16 << 10

  /// Whether the buffer has at least `largeBody` bytes.
  package var isLargeBody: Bool { readableBytes >= Self.largeBody }
}
