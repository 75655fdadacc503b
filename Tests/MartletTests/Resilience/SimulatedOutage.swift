import EssentialFoundation
import HTTPTypes
import MartletTesting
import NIOCore

@testable import Martlet
@testable import MartletEssentials

/// A server of a simulation, which fails for four tenths of the time, and its clients.
final class SimulatedOutage: Sendable {
  /// How the server fails.
  enum Kind: String, CaseIterable, Sendable {
    /// No connection can be made.
    case down
    /// It answers 503 to all but one request in two seconds.
    case overloaded
    /// Half of its responses are lost after it has processed the requests.
    case lossy
    /// It answers 503 while it is at work on four others.
    case congested
  }

  /// What a simulation shows.
  struct Result: Sendable {
    var requests = 0
    var successes = 0
    /// Requests that have reached the server or would have.
    var load = 0
    /// Requests that are not idempotent, and that the server has processed more than once.
    var doubles = 0
    var durations: [Duration] = []

    /// The load, as a multiple of that without retries.
    var loadFactor: Double { Double(load) / Double(requests) }
    var successRate: Double { Double(successes) / Double(requests) }
    var slowest: Duration { durations.sorted()[durations.count * 99 / 100] }
  }

  private struct State {
    var result = Result()
    var random = SeededGenerator(seed: 22)
    /// How often each order has been processed.
    var processed: [String: Int] = [:]
    /// The time from which an overloaded server accepts the next request.
    var acceptance = Duration.zero
    /// How many requests the server is at work on.
    var underWay = 0
  }

  private let kind: Kind
  private let period: Int
  private let clock = VirtualClock()
  private let state = Locked(State())

  /// - Parameters:
  ///   - kind: How the server fails.
  ///   - period: After how many seconds the next outage begins. The default is 1000.
  init(_ kind: Kind, period: Int = 1000) {
    self.kind = kind
    self.period = period
  }

  /// Sends requests each second, a tenth of them POST.
  ///
  /// - Parameters:
  ///   - resilience: What the clients do about failures.
  ///   - duration: The virtual time.
  ///   - rate: How many requests are sent each second, all at once. The default is 1.
  /// - Returns: What the server and the clients have seen.
  func run(_ resilience: Resilience, for duration: Duration, rate: Int = 1) async -> Result {
    let session = URLSessionManager(configuration: configuration(resilience))
    clock.join()
    await withTaskGroup(of: Void.self) { group in
      var number = 0
      // No time passes for a test that is cancelled.
      while clock.now.offset < duration, !Task.isCancelled {
        for _ in 0..<rate {
          number += 1
          clock.join()
          group.addTask { [number] in await self.send(number, session) }
        }
        try? await clock.sleep(for: .seconds(1))
      }
      clock.leave()
    }
    return state.withLock { state in
      state.result.doubles = state.processed.values.count { $0 > 1 }
      return state.result
    }
  }

  private func configuration(_ resilience: Resilience) -> SessionConfiguration {
    var configuration = SessionConfiguration()
    configuration.resilience = resilience
    configuration.resilience.clock = ResilienceClock(clock) {
      Date()
    } random: {
      self.random()
    }
    configuration.transport = InProcessTransport { try await self.answer($0) }
    return configuration
  }

  private func random() -> Double {
    state.withLock { .random(in: 0..<1, using: &$0.random) }
  }

  private func send(_ number: Int, _ session: URLSessionManager) async {
    let start = clock.now
    let response = try? await response(number, session)
    let duration = start.duration(to: clock.now)
    state.withLock { state in
      state.result.requests += 1
      if response?.status == .ok { state.result.successes += 1 }
      state.result.durations.append(duration)
    }
    clock.leave()
  }

  private func response(_ number: Int, _ session: URLSessionManager) async throws -> Response {
    var request = try Request(number.isMultiple(of: 10) ? .post : .get, "http://server/\(number)")
    request.call = call()
    return try await session.send(request)
  }

  /// A call that does not hold the time back while it waits for the end of others.
  private func call() -> Call {
    let (call, isWaiting) = (Call(), Locked(false))
    call.observe { [clock] event in
      switch event.kind {
      case .concurrencyLimited:
        isWaiting.withLock { $0 = true }
        clock.leave()
      case .attemptStarted where isWaiting.withLock({ exchange(&$0, with: false) }): clock.join()
      default: break
      }
    }
    return call
  }

  // MARK: The server

  private func answer(_ request: Request) async throws -> Response {
    if try request.origin.description.contains("other") { return .text("", to: request) }
    let others = state.withLock { state in
      state.result.load += 1
      state.underWay += 1
      return state.underWay - 1
    }
    defer { state.withLock { $0.underWay -= 1 } }
    try await clock.sleep(for: .milliseconds(20 + 60 * random()))
    let time = clock.now.offset
    let isHealthy = Int(time / .seconds(1)) % period < period * 6 / 10
    let fate = random()
    switch kind {
    case _ where isHealthy: break
    case .down:
      throw MartletError.connectionFailed(
        try request.origin, reason: "nothing listens there", addresses: [], underlying: nil)
    case .overloaded:
      let isAccepted = state.withLock { state in
        guard time >= state.acceptance else { return false }
        state.acceptance = time + .seconds(2)
        return true
      }
      guard isAccepted else { return .text("", to: request, status: .serviceUnavailable) }
    case .lossy where fate < 0.5:
      process(request)
      throw MartletError.connectionLost(try request.origin, sent: .whole)
    case .congested where others >= 4:
      return .text("", to: request, status: .serviceUnavailable)
    case .lossy, .congested: break
    }
    process(request)
    return .text("", to: request)
  }

  private func process(_ request: Request) {
    guard request.method == .post else { return }
    state.withLock { $0.processed[request.url.path, default: 0] += 1 }
  }
}
