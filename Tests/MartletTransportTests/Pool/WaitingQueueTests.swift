import MartletCore
import Testing

@testable import MartletTransport

/// The queue of exchanges that wait for a connection.
struct WaitingQueueTests {
  @Test func `an exchange that gives up leaves no place behind for long`() {
    var queue = WaitingQueue()
    queue.add(0, priority: .medium)
    for exchange in 1...10_000 as ClosedRange<ExchangeID> {
      queue.add(exchange, priority: .medium)
      let isTaken = queue.remove(exchange)
      #expect(isTaken)
      #expect(queue.slotCount <= 64)
    }
    #expect(queue.count == 1)
    let first = queue.popFirst()
    #expect(first == 0)
  }

  @Test
  func `the places of removed exchanges are reused when they are more than the others and 32`() {
    var queue = WaitingQueue()
    for exchange in 0..<10 as Range<ExchangeID> { queue.add(exchange, priority: .high) }
    for exchange in 10..<52 as Range<ExchangeID> { queue.add(exchange, priority: .low) }
    for exchange in 10..<52 as Range<ExchangeID> { _ = queue.remove(exchange) }
    #expect(queue.count == 10)
    #expect(queue.slotCount == 52)
    queue.add(52, priority: .low)
    _ = queue.remove(52)
    #expect(queue.slotCount == 10)
  }

  @Test func `exchanges that stay keep their order while others give up`() {
    var queue = WaitingQueue()
    for exchange in 0..<1_000 as Range<ExchangeID> {
      queue.add(exchange, priority: exchange.isMultiple(of: 3) ? .high : .low)
    }
    for exchange in 0..<1_000 as Range<ExchangeID> where !exchange.isMultiple(of: 10) {
      _ = queue.remove(exchange)
    }
    var order: [ExchangeID] = []
    while let exchange = queue.popFirst() { order.append(exchange) }
    let stayed = (0..<1_000 as Range<ExchangeID>).filter { $0.isMultiple(of: 10) }
    #expect(
      order == stayed.filter { $0.isMultiple(of: 3) } + stayed.filter { !$0.isMultiple(of: 3) })
  }
}
