import EssentialFoundation

/// The entries of an archive that is being recorded. Of more than the limits allow, the oldest are dropped.
final class ArchiveEntries: Sendable {
  private struct State {
    var entries: [HTTPArchive.Entry] = []
    /// The number of the first entry that is kept.
    var first = 0
    /// The bytes of all bodies together.
    var bodySize = 0

    mutating func drop(_ count: Int) {
      bodySize -= entries.prefix(count).reduce(0) { $0 + $1.bodySize }
      entries.removeFirst(count)
      first += count
    }
  }

  private let limit: Int
  private let bodySizeLimit: Int
  private let state = Locked(State())

  /// - Parameters:
  ///   - limit: The most entries.
  ///   - bodySizeLimit: The most bytes of their bodies together, as text.
  init(limit: Int, bodySizeLimit: Int) {
    self.limit = max(limit, 1)
    self.bodySizeLimit = max(bodySizeLimit, 0)
  }

  /// The entries that are kept, and how many were dropped.
  var current: (entries: [HTTPArchive.Entry], dropped: Int) {
    state.withLock { ($0.entries, $0.first) }
  }

  /// Adds an entry, and returns its number.
  func add(_ entry: HTTPArchive.Entry) -> Int {
    state.withLock { state in
      // Half of the entries at a time, so that not each new one moves all others.
      if state.entries.count >= limit { state.drop((limit + 1) / 2) }
      state.entries.append(entry)
      state.bodySize += entry.bodySize
      dropBodies(&state)
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
      let index = number - state.first
      state.bodySize -= state.entries[index].bodySize
      change(&state.entries[index])
      state.bodySize += state.entries[index].bodySize
      dropBodies(&state)
    }
  }

  /// Drops entries while their bodies are too large, but keeps the latest.
  private func dropBodies(_ state: inout State) {
    while state.bodySize > bodySizeLimit, state.entries.count > 1 {
      state.drop((state.entries.count + 1) / 2)
    }
  }
}

extension HTTPArchive.Entry {
  /// The bytes of both bodies, as text.
  fileprivate var bodySize: Int {
    (request.postData?.text?.utf8.count ?? 0) + (response.content.text?.utf8.count ?? 0)
  }
}
