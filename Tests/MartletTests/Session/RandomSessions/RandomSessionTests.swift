import EssentialFoundation
import Foundation
import Martlet
import TestTiming
import Testing

/// Random programs of tasks, changes of policy, a cache and invalidations, against a correct server and one that fails.
///
/// `MARTLET_RANDOM_STEPS=200000` runs as many steps, in about six minutes, `MARTLET_RANDOM_SEED=7` the program of a seed. The
/// steps of a seed are always the same; when the bytes arrive is not. Below the session, `RandomExchangeTests` control that too.
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
    var ends: [Locked<[MartletError.Code?]>] = []
    for seed in seeds.map(UInt64.init) {
      weak var session: URLSessionManager?
      do {
        let random = try RandomSession(servers)
        session = random.session
        try await random.run(SessionOperation.program(seed: seed, count: Self.length))
        try await random.finish()
        endings.formUnion(random.endings)
        ends = random.ends
      } catch {
        Issue.record("Seed \(seed): \(error)")
        return
      }
      try await eventually { [weak session] in session == nil }
      #expect(ends.allSatisfy { $0.current.count == 1 }, "seed \(seed)")
    }
    #expect(
      endings == [nil, .cancelled, .bodyTruncated, .certificateWrongHost] || seeds.count == 1)
    try await servers.stop()
  }

  @Test func `a program of a seed is always the same`() {
    let program = SessionOperation.program(seed: 7, count: 50)
    #expect(SessionOperation.program(seed: 7, count: 50) == program)
    #expect(SessionOperation.program(seed: 8, count: 50) != program)
  }
}
