/// Decides which request of a batch begins and which outcomes are delivered, without any I/O.
struct BatchState<Outcome: Sendable>: Sendable {
  private let limit: Int
  private let isInOrder: Bool
  private var running = 0
  private(set) var isExhausted = false
  /// The outcomes that can be delivered now.
  private var finished: [Outcome] = []
  /// The outcomes that wait for an earlier request, by index, if the batch is in order.
  private var outOfOrder: [Int: Outcome] = [:]
  private var nextInOrder = 0

  init(limit: Int, isInOrder: Bool) {
    self.limit = limit
    self.isInOrder = isInOrder
  }

  /// Whether another request may begin: not while too many outcomes wait to be read.
  var mayBegin: Bool { !isExhausted && finished.count + outOfOrder.count < limit }
  /// Whether all outcomes have been delivered.
  var isOver: Bool { isExhausted && running == 0 && finished.isEmpty && outOfOrder.isEmpty }

  /// Whether there are enough outcomes to resume a reader: half of the limit, or the outcomes of all requests that have
  /// begun.
  var shouldWakeReader: Bool { running == 0 || finished.count >= limit - limit / 2 }

  /// Records that a request begins.
  mutating func begin() {
    running += 1
  }

  /// Records that there was no request for the last `begin()`, and that there will be no more.
  mutating func exhaust() {
    running -= 1
    isExhausted = true
  }

  mutating func finish(_ index: Int, _ outcome: Outcome) {
    running -= 1
    guard isInOrder else { return finished.append(outcome) }
    outOfOrder[index] = outcome
    while let next = outOfOrder.removeValue(forKey: nextInOrder) {
      finished.append(next)
      nextInOrder += 1
    }
  }

  /// Removes and returns all outcomes that can be delivered now, in order, or `nil` if there are none.
  mutating func takeAll() -> [Outcome]? {
    guard !finished.isEmpty else { return nil }
    defer {
      finished = []
      finished.reserveCapacity(min(limit, 1024))
    }
    return finished
  }
}
