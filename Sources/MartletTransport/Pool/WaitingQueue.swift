import MartletCore
import NIOCore

/// Who waits for a connection: by priority, and within one priority first come, first served.
struct WaitingQueue {
  private var lines = [CircularBuffer<CallID>](repeating: CircularBuffer(), count: 3)
  private var waiting: Set<CallID> = []

  var count: Int { waiting.count }
  /// How many places the lines have, those of calls that have left included.
  var places: Int { lines.reduce(0) { $0 + $1.count } }

  mutating func append(_ call: CallID, priority: Request.Priority) {
    waiting.insert(call)
    lines[priority.rawValue].append(call)
  }

  /// The first call in line that satisfies `condition`; it stays in line.
  func first(where condition: (CallID) -> Bool) -> CallID? {
    for line in lines.reversed() {
      if let call = line.first(where: { waiting.contains($0) && condition($0) }) { return call }
    }
    return nil
  }

  /// Takes a call out of the line; whether it was in it.
  ///
  /// Its place is skipped later, and taken out when most places are of no use any more.
  mutating func remove(_ call: CallID) -> Bool {
    guard waiting.remove(call) != nil else { return false }
    if places > 2 * waiting.count + 32 {
      for index in lines.indices { lines[index].removeAll { !waiting.contains($0) } }
    }
    return true
  }

  mutating func popFirst() -> CallID? {
    for index in lines.indices.reversed() {
      while let call = lines[index].popFirst() {
        if waiting.remove(call) != nil { return call }
      }
    }
    return nil
  }
}
