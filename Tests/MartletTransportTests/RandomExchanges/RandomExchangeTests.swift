import Foundation
import MartletTesting
import Testing

@testable import MartletTransport

/// Random programs of requests, cancellations and suspensions against a server that misbehaves.
///
/// `MARTLET_RANDOM_STEPS=1000000` runs as many steps as a release asks for, `MARTLET_RANDOM_SEED=8000` the program of a seed.
@Suite(.timeLimit(.minutes(30)))
struct RandomExchangeTests {
  private static func variable(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }

  private static let steps = variable("MARTLET_RANDOM_STEPS") ?? 24_000
  private static let length = 120

  @Test(arguments: 0..<8)
  func `whatever is cancelled and suspended, every request ends once and nothing is left`(
    group: Int
  ) async throws {
    let all = (0..<max(Self.steps / Self.length / 8, 1)).map { $0 * 8 + group }
    let seeds = Self.variable("MARTLET_RANDOM_SEED").map { $0 % 8 == group ? [$0] : [] } ?? all
    for seed in seeds.map(UInt64.init) {
      let program = RandomOperation.program(seed: seed, count: Self.length)
      guard let first = violation(of: program, seed) else {
        // Other tests go on meanwhile.
        await Task.yield()
        continue
      }
      let short = await shrunk(program) { violation(of: $0, seed)?.rule == first.rule }
      let last = violation(of: short, seed) ?? first
      Issue.record("Seed \(seed), \(last). The shortest such program: \(text(short))")
      return
    }
  }

  private func violation(of program: [RandomOperation], _ seed: UInt64) -> RandomRun.Violation? {
    do {
      try RandomRun(seed: seed).run(program)
      return nil
    } catch {
      return error as? RandomRun.Violation
        ?? RandomRun.Violation(rule: "a run throws no error", details: "\(error)")
    }
  }

  /// The steps as Swift code.
  private func text(_ program: [RandomOperation]) -> String {
    "\(program)"
      .replacing(/MartletTransportTests\.RandomOperation(\.(Kind|ServerOutput))?/, with: "")
  }

  /// A function without `await`, because the loops of a run belong to one thread until they are deallocated.
  private func seenByCallers(_ seed: UInt64) throws -> [RandomCaller.Seen] {
    let run = try RandomRun(seed: seed)
    try run.run(RandomOperation.program(seed: seed, count: Self.length))
    return run.callers.map(\.seen)
  }

  @Test func `the programs have answers, failures and retries`() async throws {
    var seen: [RandomCaller.Seen] = []
    for seed in 0..<60 as Range<UInt64> {
      seen += try seenByCallers(seed)
      await Task.yield()
    }
    let answered = seen.count { $0.finishes > 0 }
    #expect(seen.count > 800)
    #expect(answered * 5 > seen.count)
    #expect(answered * 5 < seen.count * 4)
    #expect(seen.count { $0.retries > 0 } * 50 > seen.count)
  }

  @Test func `a run of a seed is the same in all its steps`() async throws {
    for seed in 0..<24 as Range<UInt64> {
      let program = RandomOperation.program(seed: seed, count: Self.length)
      let runs = try (0..<2).map { _ in
        var counts: [RandomRun.Counts] = []
        try RandomRun(seed: seed).run(program) { counts.append($0) }
        return counts
      }
      #expect(runs[0] == runs[1], "seed \(seed)")
      await Task.yield()
    }
  }

  @Test func `a program of a seed is always the same`() {
    let program = RandomOperation.program(seed: 7, count: 50)
    #expect(RandomOperation.program(seed: 7, count: 50) == program)
    #expect(RandomOperation.program(seed: 8, count: 50) != program)
  }

  @Test func `a program that fails is shrunk to the steps that it needs`() async {
    let program =
      RandomOperation.program(seed: 3, count: 200) + [.makeRoom, .runLoop(5), .cancel(1)]
    let short = await shrunk(program) { steps in
      steps.contains(.cancel(1)) && steps.contains(.runLoop(5))
    }
    #expect(Set(short) == [.cancel(1), .runLoop(5)])
    #expect(short.count == 2)
  }
}
