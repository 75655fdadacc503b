import EssentialFoundation

/// The work of a cache that no caller waits for: revalidations, and storing what was cut short. There is one task at a time
/// for each key.
///
/// They are cancelled when this object is released with its session's pipeline.
final class BackgroundTasks<Key: Hashable & Sendable>: Sendable {
  private let tasks = Locked<[Key: Task<Void, Never>]>([:])

  deinit {
    for task in tasks.current.values { task.cancel() }
  }

  /// Waits for the tasks that are under way, and cancels those that last longer than the limit.
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

  /// Begins a task, unless one for the same key is under way.
  func begin(_ key: Key, _ work: @escaping @Sendable () async throws -> Void) {
    tasks.withLock { tasks in
      guard tasks[key] == nil else { return }
      tasks[key] = Task { [weak self] in
        try? await work()
        self?.tasks.withLock { $0[key] = nil }
      }
    }
  }
}
