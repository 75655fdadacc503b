import EssentialFoundation
import MartletCore

/// Engines that end together, because each waits for the work on other threads of all: that of a session, and those that it has had
/// before.
package final class EngineGroup: Sendable {
  /// The pools of an engine, which live as long as it does, or longer while they have connections or exchanges.
  private struct Member {
    weak var directory: PoolDirectory?
  }

  let outsideWork = OutsideWork()
  private let replaced = Locked<[Member]>([])

  package init() {}

  /// Adds an engine that was replaced, without keeping it in memory.
  package func addReplaced(_ engine: HTTPTransport) {
    replaced.withLock { replaced in
      replaced.removeAll { $0.directory == nil }
      replaced.append(Member(directory: engine.directory))
    }
  }

  /// Closes the current engine, and those that were replaced.
  package func close(_ current: HTTPTransport) async {
    let directories = replaced.current.compactMap(\.directory) + [current.directory]
    await withDiscardingTaskGroup { group in
      for directory in directories { group.addTask { await directory.close() } }
    }
  }
}
