/// The observers of a call, in order. The first needs no array: most calls that are observed have one.
struct CallObservers {
  private var first: (any CallObserver)?
  private var others: [any CallObserver] = []

  /// Adds an observer behind the others.
  mutating func append(_ observer: any CallObserver) {
    if first == nil, others.isEmpty { first = observer } else { others.append(observer) }
  }

  /// Removes the closure of an observation.
  mutating func remove(_ observation: Observation) {
    remove { ($0 as? ClosureObserver)?.observation === observation }
  }

  /// Removes the observers of one task.
  mutating func removeTaskObservers() {
    remove { ($0 as? ClosureObserver)?.endsWithTask ?? true }
  }

  private mutating func remove(where isRemoved: (any CallObserver) -> Bool) {
    if let first, isRemoved(first) { self.first = nil }
    others.removeAll(where: isRemoved)
  }

  /// Calls `body` with each observer of a topic.
  func forEach(of topic: CallEvent.Topics, _ body: (any CallObserver) -> Void) {
    if let first, first.topics.contains(topic) { body(first) }
    for observer in others where observer.topics.contains(topic) { body(observer) }
  }
}
