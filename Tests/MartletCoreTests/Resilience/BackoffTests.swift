import Testing

@testable import MartletCore

/// The pauses between attempts.
struct BackoffTests {
  @Test func `the longest pause doubles up to the limit`() {
    let backoff = Backoff(first: .milliseconds(200), longest: .seconds(1))
    let pauses = (1...5).map { backoff.pause(after: $0, random: 1) }
    #expect(
      pauses == [
        .milliseconds(200), .milliseconds(400), .milliseconds(800), .seconds(1), .seconds(1),
      ])
  }

  @Test func `a pause is a random part of the longest`() {
    #expect(Backoff().pause(after: 1, random: 0) == .zero)
    #expect(Backoff().pause(after: 2, random: 0.25) == .milliseconds(100))
  }

  @Test(arguments: [-1, 0, 33, 64, Int.max])
  func `no number of failures is too large or too small`(failures: Int) {
    let pause = Backoff().pause(after: failures, random: 1)
    #expect(pause >= .milliseconds(200) && pause <= .seconds(20))
  }

  @Test func `durations that make no sense are no trap`() {
    let longest = Duration.seconds(Int64.max)
    #expect(Backoff(first: longest, longest: longest).pause(after: 9, random: 1) > .zero)
    #expect(Backoff(first: .seconds(-1), longest: .seconds(1)).pause(after: 9, random: 1) == .zero)
    #expect(Backoff(first: .seconds(1), longest: .seconds(-1)).pause(after: 9, random: 1) == .zero)
  }
}
