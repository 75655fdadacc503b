import MartletCore
import NIOCore

/// The exchanges that wait for a connection, ordered by priority and then by arrival.
struct WaitingQueue {
  private var lines = [CircularBuffer<ExchangeID>](repeating: CircularBuffer(), count: 3)
  private var waiting: Set<ExchangeID> = []

  var count: Int { waiting.count }
  /// The number of places in the lines, including those of removed exchanges.
  var slotCount: Int { lines.reduce(0) { $0 + $1.count } }

  /// Adds an exchange after all others of its priority, or before them.
  mutating func add(_ exchange: ExchangeID, priority: Request.Priority, isFirst: Bool = false) {
    waiting.insert(exchange)
    if isFirst {
      lines[priority.rawValue].prepend(exchange)
    } else {
      lines[priority.rawValue].append(exchange)
    }
  }

  /// The first exchange in the queue that satisfies `condition`; it stays in the queue.
  func first(where condition: (ExchangeID) -> Bool) -> ExchangeID? {
    for line in lines.reversed() {
      if let exchange = line.first(where: { waiting.contains($0) && condition($0) }) {
        return exchange
      }
    }
    return nil
  }

  /// Removes an exchange; returns whether it was in the queue.
  ///
  /// Its place is skipped later, and removed when most places are unused.
  mutating func remove(_ exchange: ExchangeID) -> Bool {
    guard waiting.remove(exchange) != nil else { return false }
    if slotCount > 2 * waiting.count + 32 {
      for index in lines.indices { lines[index].removeAll { !waiting.contains($0) } }
    }
    return true
  }

  mutating func popFirst() -> ExchangeID? {
    for index in lines.indices.reversed() {
      while let exchange = lines[index].popFirst() {
        if waiting.remove(exchange) != nil { return exchange }
      }
    }
    return nil
  }
}
