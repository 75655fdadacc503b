import EssentialFoundation

/// The entries of an archive that is being recorded. Of more than the limit, the oldest are dropped.
final class ArchiveEntries: Sendable {
  private struct State {
    var entries: [HTTPArchive.Entry] = []
    /// The number of the first entry that is kept.
    var first = 0
  }

  private let limit: Int
  private let state = Locked(State())

  init(limit: Int) {
    self.limit = max(limit, 1)
  }

  /// The entries that are kept, and how many were dropped.
  var current: (entries: [HTTPArchive.Entry], dropped: Int) {
    state.withLock { ($0.entries, $0.first) }
  }

  /// Adds an entry, and returns its number.
  func add(_ entry: HTTPArchive.Entry) -> Int {
    state.withLock { state in
      // Half of the entries at a time, so that not each new one moves all others.
      if state.entries.count >= limit {
        let dropped = (limit + 1) / 2
        state.entries.removeFirst(dropped)
        state.first += dropped
      }
      state.entries.append(entry)
      return state.first + state.entries.count - 1
    }
  }

  /// Replaces an entry, unless it has been dropped.
  func replace(_ number: Int, by entry: HTTPArchive.Entry) {
    update(number) { $0 = entry }
  }

  /// Changes an entry, unless it has been dropped.
  func update(_ number: Int, _ change: (inout HTTPArchive.Entry) -> Void) {
    state.withLock { state in
      guard state.entries.indices.contains(number - state.first) else { return }
      change(&state.entries[number - state.first])
    }
  }
}
