import MartletCore
import NIOCore

/// Who waits for a connection: by priority, and within one priority first come, first served.
struct WaitingQueue {
  private var lines = [CircularBuffer<ExchangeID>](repeating: CircularBuffer(), count: 3)
  private var waiting: Set<ExchangeID> = []

  var count: Int { waiting.count }
  /// How many places the lines have, those of exchanges that have left included.
  var slotCount: Int { lines.reduce(0) { $0 + $1.count } }

  mutating func append(_ exchange: ExchangeID, priority: Request.Priority) {
    waiting.insert(exchange)
    lines[priority.rawValue].append(exchange)
  }

  /// The first exchange in line that satisfies `condition`; it stays in line.
  func first(where condition: (ExchangeID) -> Bool) -> ExchangeID? {
    for line in lines.reversed() {
      if let exchange = line.first(where: { waiting.contains($0) && condition($0) }) {
        return exchange
      }
    }
    return nil
  }

  /// Takes an exchange out of the queue; whether it was in it.
  ///
  /// Its place is skipped later, and taken out when most places are of no use any more.
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
