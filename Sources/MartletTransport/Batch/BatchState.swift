/// Which request of a batch begins, and which outcomes are handed out, without any I/O.
struct BatchState<Outcome: Sendable>: Sendable {
  private let limit: Int
  private let isInOrder: Bool
  private var running = 0
  private(set) var isExhausted = false
  /// In order of completion.
  private var finished: [Outcome] = []
  /// In order of request: what waits for its turn.
  private var early: [Int: Outcome] = [:]
  private var nextInOrder = 0

  init(limit: Int, isInOrder: Bool) {
    self.limit = limit
    self.isInOrder = isInOrder
  }

  /// Whether another request may begin: not while too many outcomes wait to be read.
  var mayBegin: Bool { !isExhausted && finished.count + early.count < limit }
  /// Whether all has been handed out.
  var isOver: Bool { isExhausted && running == 0 && finished.isEmpty && early.isEmpty }

  /// Whether there is enough to hand out to wake a reader for: half of what may wait, or all that will
  /// come for now.
  var shouldWakeReader: Bool { running == 0 || finished.count >= limit - limit / 2 }

  /// A request begins.
  mutating func begin() {
    running += 1
  }

  /// A request that was to begin does not exist, and no other will.
  mutating func exhaust() {
    running -= 1
    isExhausted = true
  }

  mutating func finish(_ index: Int, _ outcome: Outcome) {
    running -= 1
    guard isInOrder else { return finished.append(outcome) }
    early[index] = outcome
    while let next = early.removeValue(forKey: nextInOrder) {
      finished.append(next)
      nextInOrder += 1
    }
  }

  /// All outcomes that can be handed out now, in order; none when there is nothing to hand out yet.
  mutating func takeAll() -> [Outcome]? {
    guard !finished.isEmpty else { return nil }
    defer {
      finished = []
      finished.reserveCapacity(min(limit, 1024))
    }
    return finished
  }
}
