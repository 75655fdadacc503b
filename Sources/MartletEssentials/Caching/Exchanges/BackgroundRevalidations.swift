import EssentialFoundation

/// The revalidations of stored responses that no caller waits for. There is one at a time for each key.
///
/// They are cancelled when this object is released with its session's pipeline.
final class BackgroundRevalidations: Sendable {
  private let tasks = Locked<[CacheKey: Task<Void, Never>]>([:])

  deinit {
    for task in tasks.current.values { task.cancel() }
  }

  /// Waits for the revalidations that are under way, and cancels those that last longer than the limit.
  func finish(within limit: Duration) async {
    let running = tasks.withLock { Array($0.values) }
    guard !running.isEmpty else { return }
    let timer = Task {
      try await Task.sleep(for: limit)
      for task in running { task.cancel() }
    }
    await withTaskCancellationHandler {
      for task in running { await task.value }
    } onCancel: {
      for task in running { task.cancel() }
    }
    timer.cancel()
  }

  /// Begins a revalidation, unless one for the same key is under way.
  func begin(_ key: CacheKey, _ revalidate: @escaping @Sendable () async throws -> Void) {
    tasks.withLock { tasks in
      guard tasks[key] == nil else { return }
      tasks[key] = Task { [weak self] in
        try? await revalidate()
        self?.tasks.withLock { $0[key] = nil }
      }
    }
  }
}
