import Testing

@testable import MartletCore

/// The pauses between attempts.
struct BackoffTests {
  @Test func `the longest pause doubles up to the limit`() {
    let backoff = Backoff(initialDelay: .milliseconds(200), maximumDelay: .seconds(1))
    let pauses = (1...5).map { backoff.delay(after: $0, random: 1) }
    #expect(
      pauses == [
        .milliseconds(200), .milliseconds(400), .milliseconds(800), .seconds(1), .seconds(1),
      ])
  }

  @Test func `by default the longest pause is 0.2 s, and 20 s after many failures`() {
    #expect(Backoff().delay(after: 1, random: 1) == .milliseconds(200))
    #expect(Backoff().delay(after: 30, random: 1) == .seconds(20))
  }

  @Test(arguments: [33, 34, 100]) func `the longest pause doubles 32 times`(failures: Int) {
    let backoff = Backoff(initialDelay: .nanoseconds(1), maximumDelay: .seconds(20))
    #expect(backoff.delay(after: failures, random: 1) == .nanoseconds(1 << 32))
  }

  @Test func `no pause is longer than a year`() {
    #expect(Duration.seconds(31_536_001).boundedDelay == .seconds(31_536_000))
    #expect(Duration.seconds(31_536_000).boundedDelay == .seconds(31_536_000))
  }

  @Test func `a pause is a random part of the longest`() {
    #expect(Backoff().delay(after: 1, random: 0) == .zero)
    #expect(Backoff().delay(after: 2, random: 0.25) == .milliseconds(100))
  }

  @Test(arguments: [-1, 0, 33, 64, Int.max])
  func `no number of failures is too large or too small`(failures: Int) {
    let pause = Backoff().delay(after: failures, random: 1)
    #expect(pause >= .milliseconds(200) && pause <= .seconds(20))
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, -1, 2])
  func `no random number is a trap`(random: Double) {
    let delay = Backoff().delay(after: 1, random: random)
    #expect(delay >= .zero && delay <= .milliseconds(200))
  }

  @Test func `durations that make no sense are no trap`() {
    let most = Duration.seconds(Int64.min)
    #expect(
      Backoff(initialDelay: most, maximumDelay: .seconds(1)).delay(after: 30, random: 1) == .zero)
    let longest = Duration.seconds(Int64.max)
    #expect(
      Backoff(initialDelay: longest, maximumDelay: longest).delay(after: 9, random: 1) > .zero)
    #expect(
      Backoff(initialDelay: .seconds(-1), maximumDelay: .seconds(1)).delay(after: 9, random: 1)
        == .zero)
    #expect(
      Backoff(initialDelay: .seconds(1), maximumDelay: .seconds(-1)).delay(after: 9, random: 1)
        == .zero)
  }
}
