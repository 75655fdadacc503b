import EssentialFoundation
import Foundation
import Martlet
import MartletTesting
import TestTiming
import Testing

/// Random programs of tasks, changes of policy, a cache and invalidations, against a correct server and one that fails.
///
/// `MARTLET_RANDOM_STEPS=200000` runs as many steps, in about six minutes, `MARTLET_RANDOM_SEED=7` the program of a seed. The
/// steps of a seed are always the same; when the bytes arrive is not, so that a program that fails is shrunk as well as it can be.
/// Below the session, `RandomExchangeTests` control that too.
@Suite(.timeLimit(.minutes(30)))
struct RandomSessionTests {
  private static func variable(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }

  private static let length = 100

  @Test func `every task of a session ends once, with what it should, and nothing is left`()
    async throws
  {
    let servers = try await RandomSessionServers.start()
    let count = max((Self.variable("MARTLET_RANDOM_STEPS") ?? 2_000) / Self.length, 1)
    let seeds = Self.variable("MARTLET_RANDOM_SEED").map { [$0] } ?? Array(0..<count)
    var endings = Set<MartletError.Code?>()
    for seed in seeds.map(UInt64.init) {
      let program = SessionOperation.program(seed: seed, count: Self.length)
      do {
        endings.formUnion(try await RandomSession.run(program, with: servers))
      } catch {
        Issue.record("Seed \(seed): \(error)")
        Issue.record("A shorter program that fails: \(await shortest(program, with: servers))")
        return try await servers.stop()
      }
    }
    #expect(
      endings == [nil, .cancelled, .bodyTruncated, .certificateWrongHost] || seeds.count == 1)
    try await servers.stop()
  }

  /// A program that fails, without the steps that it does not need, as far as they are found in ten minutes.
  private func shortest(
    _ program: [SessionOperation], with servers: RandomSessionServers
  ) async -> [SessionOperation] {
    let deadline = ContinuousClock.now + .seconds(600)
    return await shrunk(program) { shorter in
      for _ in 0..<3 where ContinuousClock.now < deadline {
        do { _ = try await RandomSession.run(shorter, with: servers) } catch { return true }
      }
      return false
    }
  }

  @Test func `a program of a seed is always the same`() {
    let program = SessionOperation.program(seed: 7, count: 50)
    #expect(SessionOperation.program(seed: 7, count: 50) == program)
    #expect(SessionOperation.program(seed: 8, count: 50) != program)
  }
}
