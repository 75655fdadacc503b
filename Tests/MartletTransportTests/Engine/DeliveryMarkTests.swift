import Testing

@testable import MartletTransport

/// When a request is delivered, although later bytes follow on its connection.
struct DeliveryMarkTests {
  /// Asks once with each pair, and returns the answers.
  private func answers(_ questions: [(left: Int, acknowledged: UInt64)]) -> [Bool] {
    var mark = DeliveryMark()
    return questions.map { mark.isReached(left: $0.left, acknowledged: $0.acknowledged) }
  }

  @Test func `what is acknowledged when it is first asked is delivered, whatever follows`() {
    #expect(answers([(0, 7), (5_000, 7)]) == [true, true])
  }

  @Test func `the bytes that were written when it is first asked have to be acknowledged`() {
    // More is written meanwhile, and waits behind them.
    #expect(answers([(100, 1_000), (5_000, 1_099), (5_000, 1_100)]) == [false, false, true])
  }

  @Test func `nothing is left of them when nothing is left at all`() {
    // As where the system does not count.
    #expect(answers([(100, 0), (0, 0)]) == [false, true])
  }
}
