/// Runs `work` where no actor and no engine waits for its thread, as far as `work` is `@concurrent`.
///
/// A task that runs on an engine's thread takes `@concurrent` functions along to it, for it prefers that
/// thread (SE-0417): what computes for long, or blocks, has to prefer the runtime's own for as long.
package func elsewhere<Value>(_ work: () async throws -> Value) async rethrows -> Value {
  try await withTaskExecutorPreference(globalConcurrentExecutor) { try await work() }
}
