import Testing

@testable import MartletTransport

/// Which request of a batch begins, and which outcomes are handed out.
struct BatchStateTests {
  @Test func `outcomes are handed out in order of completion`() {
    var batch = BatchState<String>(limit: 3, isInOrder: false)
    for _ in 0..<3 { batch.begin() }
    batch.finish(2, "c")
    batch.finish(0, "a")
    same(batch.takeAll().map { Array($0) }, ["c", "a"])
    same(batch.takeAll().map { Array($0) }, nil)
  }

  @Test func `or in order of request, where what is early waits`() {
    var batch = BatchState<String>(limit: 3, isInOrder: true)
    for _ in 0..<3 { batch.begin() }
    batch.finish(2, "c")
    same(batch.takeAll().map { Array($0) }, nil)
    batch.finish(0, "a")
    same(batch.takeAll().map { Array($0) }, ["a"])
    batch.finish(1, "b")
    same(batch.takeAll().map { Array($0) }, ["b", "c"])
  }

  @Test func `nothing begins while as many outcomes wait as may be under way`() {
    var batch = BatchState<String>(limit: 2, isInOrder: false)
    for _ in 0..<2 { batch.begin() }
    batch.finish(0, "a")
    #expect(batch.mayBegin)
    batch.finish(1, "b")
    #expect(!batch.mayBegin)
    _ = batch.takeAll()
    #expect(batch.mayBegin)
  }

  @Test func `a reader is woken for half of what may wait, or when no more will come for now`() {
    var batch = BatchState<Int>(limit: 4, isInOrder: false)
    for _ in 0..<4 { batch.begin() }
    batch.finish(0, 0)
    #expect(!batch.shouldWakeReader)
    batch.finish(1, 1)
    #expect(batch.shouldWakeReader)
    _ = batch.takeAll()
    batch.finish(2, 2)
    #expect(!batch.shouldWakeReader)
    batch.finish(3, 3)
    #expect(batch.shouldWakeReader)
  }

  @Test func `a batch is over when all has been handed out`() {
    var batch = BatchState<String>(limit: 2, isInOrder: false)
    for _ in 0..<2 { batch.begin() }
    batch.exhaust()
    #expect(!batch.mayBegin)
    #expect(!batch.isOver)
    batch.finish(0, "a")
    #expect(!batch.isOver)
    _ = batch.takeAll()
    #expect(batch.isOver)
  }
}
