import Foundation
import Testing

@testable import MartletTransport

/// Random programs of requests, cancellations and suspensions against a server that misbehaves.
///
/// A program is the same in each run of its seed. `MARTLET_RANDOM_STEPS=1000000` runs as many steps as a release asks for.
@Suite(.timeLimit(.minutes(30)))
struct RandomExchangeTests {
  private static let steps =
    ProcessInfo.processInfo.environment["MARTLET_RANDOM_STEPS"].flatMap { Int($0) } ?? 24_000
  private static let length = 120

  @Test(arguments: 0..<8)
  func `whatever is cancelled and suspended, every request ends once and nothing is left`(
    group: Int
  ) throws {
    for number in 0..<max(Self.steps / Self.length / 8, 1) {
      let seed = UInt64(number * 8 + group)
      let program = RandomOperation.program(seed: seed, count: Self.length)
      guard let violation = violation(of: program, seed) else { continue }
      let short = RandomOperation.shrunk(program) { self.violation(of: $0, seed) != nil }
      let steps = "\(short)".replacing("MartletTransportTests.RandomOperation", with: "")
      Issue.record("Seed \(seed): \(violation). The shortest such program: \(steps)")
      return
    }
  }

  private func violation(of program: [RandomOperation], _ seed: UInt64) -> String? {
    do {
      try RandomRun(seed: seed).run(program)
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test func `the programs have answers, failures and retries`() throws {
    var counts = (sent: 0, answered: 0, retried: 0)
    for seed in 0..<60 as Range<UInt64> {
      let run = try RandomRun(seed: seed)
      try run.run(RandomOperation.program(seed: seed, count: Self.length))
      counts.sent += run.counts.sent
      counts.answered += run.counts.answered
      counts.retried += run.counts.retried
    }
    #expect(counts.sent > 800)
    #expect(counts.answered * 5 > counts.sent)
    #expect(counts.answered * 3 < counts.sent * 2)
    #expect(counts.retried * 50 > counts.sent)
  }

  @Test func `a program of a seed is always the same`() {
    let program = RandomOperation.program(seed: 7, count: 50)
    #expect(RandomOperation.program(seed: 7, count: 50) == program)
    #expect(RandomOperation.program(seed: 8, count: 50) != program)
  }

  @Test func `a program that fails is shrunk to the steps that it needs`() {
    let program =
      RandomOperation.program(seed: 3, count: 200) + [.makeRoom, .runLoop(5), .cancel(1)]
    let short = RandomOperation.shrunk(program) { steps in
      steps.contains(.cancel(1)) && steps.contains(.runLoop(5))
    }
    #expect(Set(short) == [.cancel(1), .runLoop(5)])
    #expect(short.count == 2)
  }
}
