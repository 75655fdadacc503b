import Testing

@testable import MartletCore

/// The share of requests that may be retries.
struct RetryBudgetTests {
  private func spent(_ count: Int, of balance: inout RetryBalance, _ budget: RetryBudget) -> Int {
    (0..<count).count { _ in balance.spend(budget) }
  }

  @Test func `the reserve is there from the beginning`() {
    var balance = RetryBalance()
    #expect(spent(20, of: &balance, RetryBudget()) == 10)
  }

  @Test func `five requests earn one retry`() {
    var balance = RetryBalance()
    let budget = RetryBudget()
    _ = spent(20, of: &balance, budget)
    for _ in 1...4 { balance.earn(budget) }
    #expect(spent(1, of: &balance, budget) == 0)
    balance.earn(budget)
    #expect(spent(5, of: &balance, budget) == 1)
  }

  @Test func `no more than the reserve is saved`() {
    var balance = RetryBalance()
    for _ in 1...1000 { balance.earn(RetryBudget()) }
    #expect(spent(1000, of: &balance, RetryBudget()) == 10)
  }

  @Test func `a budget of nothing allows nothing`() {
    var balance = RetryBalance()
    for budget in [RetryBudget(share: 0, reserve: 0), RetryBudget(share: -1, reserve: -1)] {
      balance.earn(budget)
      #expect(spent(1, of: &balance, budget) == 0)
    }
  }
}
