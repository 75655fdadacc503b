import EssentialFoundation
import Foundation
import Testing

@testable import Martlet
@testable import MartletEssentials

/// Ten thousand seconds of outages in a simulation, with and without retries.
///
/// With the variable `MARTLET_OUTAGES`, the results are printed as a table.
@Suite(.timeLimit(.minutes(5)))
struct SimulatedOutageTests {
  private static let duration = Duration.seconds(10_000)

  private func run(_ kind: SimulatedOutage.Kind, _ name: String, _ resilience: Resilience) async
    -> SimulatedOutage.Result
  {
    let result = await SimulatedOutage(kind).run(resilience, for: Self.duration)
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

  @Test(arguments: SimulatedOutage.Kind.allCases)
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

  @Test(arguments: SimulatedOutage.Kind.allCases)
  func `without a budget, retries multiply the load`(kind: SimulatedOutage.Kind) async {
    let result = await run(kind, "without a budget", withoutBudget)
    #expect(result.loadFactor > 1.2)
    #expect(result.doubles == 0)
  }
}
