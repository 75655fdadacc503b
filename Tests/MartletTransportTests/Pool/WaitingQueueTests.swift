import MartletCore
import Testing

@testable import MartletTransport

/// The line of those who wait for a connection.
struct WaitingQueueTests {
  @Test func `whoever gives up leaves no place behind for long`() {
    var queue = WaitingQueue()
    queue.append(0, priority: .medium)
    for call in 1...10_000 as ClosedRange<CallID> {
      queue.append(call, priority: .medium)
      let isTaken = queue.remove(call)
      #expect(isTaken)
      #expect(queue.places <= 64)
    }
    #expect(queue.count == 1)
    let first = queue.popFirst()
    #expect(first == 0)
  }

  @Test func `those who stay keep their order while others give up`() {
    var queue = WaitingQueue()
    for call in 0..<1_000 as Range<CallID> {
      queue.append(call, priority: call.isMultiple(of: 3) ? .high : .low)
    }
    for call in 0..<1_000 as Range<CallID> where !call.isMultiple(of: 10) {
      _ = queue.remove(call)
    }
    var order: [CallID] = []
    while let call = queue.popFirst() { order.append(call) }
    let stayed = (0..<1_000 as Range<CallID>).filter { $0.isMultiple(of: 10) }
    #expect(
      order == stayed.filter { $0.isMultiple(of: 3) } + stayed.filter { !$0.isMultiple(of: 3) })
  }
}
