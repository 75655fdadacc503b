import EssentialFoundation

/// The revalidations of stored responses that no caller waits for. There is one at a time for each key.
///
/// They are cancelled when this object is released with its session's pipeline.
final class BackgroundRevalidations: Sendable {
  private let tasks = Locked<[CacheKey: Task<Void, Never>]>([:])

  deinit {
    for task in tasks.current.values { task.cancel() }
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
