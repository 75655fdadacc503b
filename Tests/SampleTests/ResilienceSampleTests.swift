// Compiled as an application would be: `import Martlet`, and no feature flag.

import Foundation
import Martlet
import MartletTesting
import Synchronization
import Testing

/// The interceptors of resilience, each in a place that the application chooses.
@Suite(.timeLimit(.minutes(5)))
struct ResilienceSampleTests {
  private let clock = VirtualClock()
  private var time: ResilienceClock { ResilienceClock(clock) }

  /// Sends requests with one interceptor to a server that answers with these statuses, and then with 200.
  private func statuses(
    _ interceptor: any Interceptor, requests: Int = 1, _ answers: [Int] = []
  ) async -> [String] {
    let rest = Rest(answers)
    let api = HTTPSessionManager {
      $0.interceptors.perCall = [interceptor]
      $0.transport = InProcessTransport { request in
        .text("", to: request, status: .init(code: rest.next(), reasonPhrase: ""))
      }
    }
    var results: [String] = []
    for _ in 0..<requests {
      do {
        let response = try await api.send(Request("http://tern.example/"))
        results.append("\(response.status.code)")
      } catch {
        results.append("\((error as? MartletError)?.code ?? .cancelled)")
      }
    }
    return results
  }

  @Test func `requests are retried`() async {
    let retry = RetryInterceptor(.standard, clock: time)
    #expect(await statuses(retry, [503, 500]) == ["200"])
  }

  @Test func `a server that fails is left alone`() async {
    var policy = CircuitBreakerPolicy()
    policy.minimumRequests = 2
    let breaker = CircuitBreakerInterceptor(policy, clock: time)
    #expect(await statuses(breaker, requests: 3, [500, 500]) == ["500", "500", "circuitOpen"])
  }

  @Test func `requests that are too many wait, or are refused`() async {
    let limit = ConcurrencyInterceptor(.fixed(1), clock: time)
    #expect(await statuses(limit, requests: 2) == ["200", "200"])
    var rate = RateLimit(requests: 1, per: .seconds(10), burst: 1)
    rate.maximumWait = .seconds(5)
    let refusing = RateInterceptor(rate, clock: time)
    #expect(await statuses(refusing, requests: 2) == ["200", "limitReached"])
    rate.maximumWait = .seconds(15)
    let waiting = RateInterceptor(rate, clock: time)
    #expect(await statuses(waiting, requests: 2) == ["200", "200"])
    #expect(clock.now.offset == .seconds(10))
  }

  @Test func `a request is sent a second time, or elsewhere`() async throws {
    let hedge = HedgeInterceptor(.after(.seconds(1)), clock: time)
    #expect(await statuses(hedge) == ["200"])
    let (first, second) = (URL(string: "http://tern.example/"), URL(string: "http://gull.example/"))
    let fallback = Fallback(replacing: try #require(first), with: try #require(second))
    #expect(await statuses(FallbackInterceptor(fallback), [502]) == ["200"])
  }
}

/// The statuses that a server still has to answer with.
private final class Rest: Sendable {
  private let statuses: Mutex<[Int]>

  init(_ statuses: [Int]) {
    self.statuses = Mutex(statuses.reversed())
  }

  func next() -> Int { statuses.withLock { $0.popLast() ?? 200 } }
}
