import Testing

@testable import MartletTransport

/// Which pool may open a connection when there are not enough for all.
struct BudgetStateTests {
  @Test func `leave is given until the total is reached`() {
    var budget = BudgetState<String>(total: 2)
    same(budget.acquire(for: "a"), true)
    same(budget.acquire(for: "a"), true)
    same(budget.acquire(for: "a"), false)
    #expect(budget.hasUnservedPools)
  }

  @Test func `a connection that goes makes the pool that was refused ask again`() {
    var budget = BudgetState<String>(total: 1)
    _ = budget.acquire(for: "a")
    same(budget.acquire(for: "b"), false)
    budget.release(from: "a")
    #expect(budget.eligible == ["b"])
    same(budget.acquire(for: "b"), true)
    #expect(!budget.hasUnservedPools)
  }

  @Test func `a pool that has many makes way for one that has none`() {
    var budget = BudgetState<String>(total: 2)
    _ = budget.acquire(for: "a")
    _ = budget.acquire(for: "a")
    #expect(!budget.shouldRelease("a"))
    _ = budget.acquire(for: "b")
    #expect(budget.shouldRelease("a"))
  }

  @Test func `the pool that made way does not take the place back first`() {
    var budget = BudgetState<String>(total: 2)
    _ = budget.acquire(for: "a")
    _ = budget.acquire(for: "a")
    _ = budget.acquire(for: "b")
    budget.release(from: "a")
    #expect(budget.eligible == ["b"])
    same(budget.acquire(for: "a"), false)
    same(budget.acquire(for: "b"), true)
    // One each: neither pool has more than the other.
    #expect(!budget.shouldRelease("b"))
    #expect(!budget.shouldRelease("a"))
  }

  @Test func `a pool does not wait behind another for a permit that the other does not need`() {
    var budget = BudgetState<String>(total: 2)
    _ = budget.acquire(for: "a")
    _ = budget.acquire(for: "b")
    same(budget.acquire(for: "c"), false)
    budget.release(from: "a")
    budget.release(from: "b")
    // Of the two permits, one is for the pool that waits. If this one waited, too, nothing would wake it.
    same(budget.acquire(for: "d"), true)
    same(budget.acquire(for: "e"), false)
    same(budget.acquire(for: "c"), true)
    #expect(budget.eligible.isEmpty)
  }

  @Test func `a single connection is taken in turns`() {
    var budget = BudgetState<String>(total: 1)
    _ = budget.acquire(for: "a")
    _ = budget.acquire(for: "b")
    #expect(budget.shouldRelease("a"))
    budget.release(from: "a")
    same(budget.acquire(for: "a"), false)
    same(budget.acquire(for: "b"), true)
    #expect(budget.shouldRelease("b"))
  }

  @Test func `a pool that needs nothing any more lets the next in line ask`() {
    var budget = BudgetState<String>(total: 1)
    _ = budget.acquire(for: "a")
    _ = budget.acquire(for: "b")
    budget.release(from: "a")
    #expect(budget.eligible == ["b"])
    same(budget.acquire(for: "a"), false)
    budget.withdraw("b")
    #expect(budget.eligible == ["a"])
    same(budget.acquire(for: "a"), true)
    #expect(budget.eligible == [])
  }

  @Test
  func `only as many pools ask again as can be served, by what they hold and how long they wait`() {
    var budget = BudgetState<String>(total: 3)
    for pool in ["a", "a", "b"] { _ = budget.acquire(for: pool) }
    for pool in ["a", "b", "c", "d"] { same(budget.acquire(for: pool), false) }
    budget.release(from: "a")
    #expect(budget.eligible == ["c"])
    budget.release(from: "a")
    #expect(budget.eligible == ["a", "c"])
    budget.release(from: "b")
    #expect(budget.eligible == ["a", "b", "c"])
  }

  @Test func `no more connections make way than pools wait`() {
    var budget = BudgetState<String>(total: 2)
    _ = budget.acquire(for: "a")
    _ = budget.acquire(for: "a")
    _ = budget.acquire(for: "b")
    budget.willClose(for: "a")
    #expect(!budget.hasUnservedPools)
    #expect(!budget.shouldRelease("a"))
    _ = budget.acquire(for: "c")
    #expect(budget.hasUnservedPools)
    budget.willClose(for: "a")
    #expect(!budget.hasUnservedPools)
    budget.release(from: "a")
    same(budget.acquire(for: "b"), true)
    #expect(!budget.hasUnservedPools)
    budget.release(from: "a")
    same(budget.acquire(for: "c"), true)
    _ = budget.acquire(for: "a")
    #expect(budget.hasUnservedPools)
  }

  @Test func `a pool that waits does not close its connections for itself`() {
    var budget = BudgetState<String>(total: 1)
    _ = budget.acquire(for: "a")
    same(budget.acquire(for: "a"), false)
    #expect(!budget.hasUnservedPools(besides: "a"))
    #expect(budget.hasUnservedPools(besides: "b"))
    same(budget.acquire(for: "b"), false)
    #expect(budget.hasUnservedPools(besides: "a"))
  }

  @Test func `a permit that is free serves the pool that waits for it`() {
    var budget = BudgetState<String>(total: 2)
    #expect(budget.isAvailable)
    for _ in 1...2 { _ = budget.acquire(for: "a") }
    #expect(!budget.isAvailable)
    same(budget.acquire(for: "b"), false)
    budget.release(from: "a")
    #expect(!budget.hasUnservedPools)
    // It is not available for others.
    #expect(!budget.isAvailable)
    budget.release(from: "a")
    #expect(budget.isAvailable)
  }

  @Test(arguments: [(1, false), (2, false), (3, true), (4, true)])
  func `a pool makes way for one that holds at least two fewer`(held: Int, makesWay: Bool) {
    var budget = BudgetState<String>(total: held + 1)
    for _ in 1...held { _ = budget.acquire(for: "a") }
    same(budget.acquire(for: "b"), true)
    same(budget.acquire(for: "b"), false)
    #expect(budget.shouldRelease("a") == makesWay)
  }
}
