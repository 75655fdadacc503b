/// What is stored with the next change of the database: the uses of rows, and the removals that have failed so far.
struct PendingChanges: Sendable {
  /// The URLs whose responses are removed.
  struct Removals: Sendable {
    var urls: Set<String> = []
    /// Whether there were too many URLs. Then all responses are removed.
    var all = false

    func contains(_ url: String) -> Bool { all || urls.contains(url) }

    mutating func formUnion(_ other: Removals) {
      urls.formUnion(other.urls)
      all = all || other.all || urls.count > PendingChanges.mostURLs
      if all { urls = [] }
    }
  }

  /// When rows were used.
  private(set) var uses: [Int64: Int64] = [:]
  private var removals = Removals()
  /// The removals of the change that is being made.
  private var removing = Removals()

  /// The most URLs that are remembered.
  fileprivate static let mostURLs = 1000

  /// Whether the responses of a URL are not used any more.
  func isRemoved(_ url: String) -> Bool { removals.contains(url) || removing.contains(url) }

  mutating func note(_ row: Int64, usedAt time: Int64) { uses[row] = time }

  /// Notes that the responses of a URL could not be removed.
  mutating func noteFailure(toRemove url: String) {
    removals.formUnion(Removals(urls: [url]))
  }

  /// Returns what is stored with a change that is made now.
  mutating func begin() -> (uses: [Int64: Int64], removals: Removals) {
    defer { (uses, removals, removing) = ([:], Removals(), removals) }
    return (uses, removals)
  }

  /// Notes that the change was made.
  mutating func end() { removing = Removals() }

  /// Notes that the change has failed. Its removals are made with the next one.
  mutating func fail() {
    removals.formUnion(removing)
    removing = Removals()
  }
}
