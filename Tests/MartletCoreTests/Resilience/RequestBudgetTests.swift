import Testing

@testable import MartletCore

/// The share of requests that may be retries.
struct RequestBudgetTests {
  private func spent(_ count: Int, of balance: inout RequestBalance, _ budget: RequestBudget) -> Int
  {
    (0..<count).count { _ in balance.spend(budget) }
  }

  @Test func `the reserve is there from the beginning`() {
    var balance = RequestBalance()
    #expect(spent(20, of: &balance, RequestBudget()) == 10)
  }

  @Test func `five requests earn one retry`() {
    var balance = RequestBalance()
    let budget = RequestBudget()
    _ = spent(20, of: &balance, budget)
    for _ in 1...4 { balance.earn(budget) }
    #expect(spent(1, of: &balance, budget) == 0)
    balance.earn(budget)
    #expect(spent(5, of: &balance, budget) == 1)
  }

  @Test func `no more than the reserve is saved`() {
    var balance = RequestBalance()
    for _ in 1...1000 { balance.earn(RequestBudget()) }
    #expect(spent(1000, of: &balance, RequestBudget()) == 10)
  }

  @Test func `one request's smaller budget does not take what the others have saved`() {
    var balance = RequestBalance()
    balance.earn(RequestBudget())
    balance.earn(RequestBudget(share: .nan, reserve: 1))
    #expect(spent(20, of: &balance, RequestBudget()) == 10)
  }

  @Test func `a budget of nothing allows nothing`() {
    var balance = RequestBalance()
    for budget in [RequestBudget(share: 0, reserve: 0), RequestBudget(share: -1, reserve: -1)] {
      balance.earn(budget)
      #expect(spent(1, of: &balance, budget) == 0)
    }
  }
}
