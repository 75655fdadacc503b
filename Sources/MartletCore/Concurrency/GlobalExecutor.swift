package import NIOCore

/// Runs `work` where no actor and no engine waits for its thread, as far as `work` is `@concurrent`.
///
/// A task that runs on an engine's thread takes `@concurrent` functions along to it, for it prefers that
/// thread (SE-0417): what computes for long, or blocks, has to prefer the runtime's own for as long.
package func runOnGlobalExecutor<Value>(_ work: () async throws -> Value) async rethrows -> Value {
  try await withTaskExecutorPreference(globalConcurrentExecutor) { try await work() }
}

extension ByteBuffer {
  /// From this size on, work that grows with the body, such as decoding and decompressing, leaves the
  /// caller's actor: 16 KiB. Below, the way there costs more than the work.
  package static let largeBody = 16 << 10

  /// Whether there are that many bytes.
  package var isLargeBody: Bool { readableBytes >= Self.largeBody }
}
