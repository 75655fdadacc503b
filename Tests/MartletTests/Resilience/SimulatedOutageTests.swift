import EssentialFoundation
import Foundation
import Testing

@testable import Martlet
@testable import MartletEssentials

/// Ten thousand seconds of outages in a simulation, with and without retries.
///
/// With the variable `MARTLET_OUTAGES`, the results are printed as a table.
@Suite(.timeLimit(.minutes(20)))
struct SimulatedOutageTests {
  /// The outages in which requests fail.
  private static let failing = [SimulatedOutage.Kind.down, .overloaded, .lossy]

  /// Sends one request a second for 10 000 seconds, or more of them in one short outage.
  private func run(
    _ kind: SimulatedOutage.Kind, _ name: String, _ resilience: Resilience, rate: Int = 1
  ) async -> SimulatedOutage.Result {
    let seconds = rate == 1 ? 10_000 : 200
    let result = await SimulatedOutage(kind, period: min(seconds, 1000))
      .run(resilience, for: .seconds(seconds), rate: rate)
    if ProcessInfo.processInfo.environment["MARTLET_OUTAGES"] != nil {
      let (load, success) = (result.loadFactor, result.successRate * 100)
      print(
        "| \(kind.rawValue) | \(name) |", String(format: "%.3f | %.2f %% |", load, success),
        result.slowest.text, "|")
    }
    return result
  }

  private func resilience(_ configure: (inout Resilience) -> Void) -> Resilience {
    var resilience = Resilience()
    configure(&resilience)
    return resilience
  }

  private var withoutBudget: Resilience {
    resilience {
      $0.retry = .standard
      $0.retry.budget = nil
    }
  }

  @Test(arguments: failing)
  func `retries help, and add no more than a fifth to the load`(kind: SimulatedOutage.Kind) async {
    let plain = await run(kind, "no retries", Resilience())
    let retries = await run(kind, "retries", resilience { $0.retry = .standard })
    let breaker = await run(
      kind, "breaker", resilience { $0.circuitBreaker = CircuitBreakerPolicy() })
    let standard = await run(kind, "standard", .standard)
    #expect(plain.loadFactor == 1)
    #expect(plain.requests == 10_000)
    for result in [retries, standard] {
      #expect(result.loadFactor <= 1.2)
      #expect(result.doubles == 0)
    }
    #expect(retries.successRate >= plain.successRate)
    // When the server is well again, the first requests are still refused.
    #expect(standard.successRate >= plain.successRate - 0.01)
    #expect(breaker.loadFactor <= 1)
  }

  @Test(arguments: failing)
  func `without a budget, retries multiply the load`(kind: SimulatedOutage.Kind) async {
    let result = await run(kind, "without a budget", withoutBudget)
    #expect(result.loadFactor > 1.2)
    #expect(result.doubles == 0)
  }

  @Test func `a circuit breaker spares a server that is down`() async {
    let breaker = resilience { $0.circuitBreaker = CircuitBreakerPolicy() }
    let result = await run(.down, "breaker, 50 a second", breaker, rate: 50)
    // The server is down for two fifths of the time.
    #expect(result.loadFactor < 0.7)
    #expect(result.successRate > 0.59)
  }

  @Test func `another server answers for one that is down`() async throws {
    let (primary, secondary) = (URL(string: "http://server"), URL(string: "http://other"))
    let fallback = Fallback(replacing: try #require(primary), with: try #require(secondary))
    let result = await run(.down, "fallback", resilience { $0.fallback = fallback })
    #expect(result.successRate == 1)
    #expect(result.loadFactor == 1)
  }

  @Test func `limits keep a congested server at work`() async {
    func run(_ name: String, _ resilience: Resilience) async -> SimulatedOutage.Result {
      await self.run(.congested, name, resilience, rate: 20)
    }
    let plain = await run("no limit", Resilience())
    let fixed = await run("fixed limit", resilience { $0.concurrencyLimit = .fixed(4) })
    let adaptive = await run(
      "adaptive limit", resilience { $0.concurrencyLimit = .adaptive(in: 1...100) })
    let rate = await run(
      "rate limit",
      resilience { $0.rateLimit = RateLimit(requests: 25, per: .seconds(1), burst: 1) })
    #expect(plain.successRate < 0.7)
    for result in [fixed, rate] {
      #expect(result.successRate == 1)
      #expect(result.loadFactor == 1)
    }
    #expect(adaptive.successRate > 0.9)
  }
}
