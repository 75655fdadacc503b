import EssentialFoundation
import Foundation
import HTTPTypes
import MartletTesting
import NIOCore
import TestTiming
import Testing

@testable import Martlet
@testable import MartletEssentials

/// Requests that wait for their turn, or are refused.
@Suite(.timeLimit(.minutes(5)))
struct LimitInterceptorTests {
  private let clock = VirtualClock()

  // MARK: The circuit breaker

  @Test func `a server that goes on failing receives no more requests`() async throws {
    let count = Locked(0)
    let session = resilientSession(clock) {
      $0.resilience.circuitBreaker = CircuitBreakerPolicy()
    } _: { request in
      count.withLock { $0 += 1 }
      return .text("", to: request, status: .badGateway)
    }
    for _ in 1...20 { _ = try await session.send(Request("http://h/")) }
    let error = await failure { try await session.send(Request("http://h/")) }
    #expect(error?.code == .circuitOpen)
    #expect(error?.isSafeToRetry == true)
    #expect(
      error?.message
        == "The circuit of http://h is open for 1 s, because too many requests have failed: try again later."
    )
    #expect(count.current == 20)
    #expect(try await session.send(Request("http://other/")).status == .badGateway)
  }

  @Test func `when the server is well again, its requests are sent again`() async throws {
    let isWell = Locked(false)
    let session = resilientSession(clock) {
      $0.resilience.circuitBreaker = CircuitBreakerPolicy()
    } _: { request in
      .text("", to: request, status: isWell.current ? .ok : .badGateway)
    }
    let events = Locked<[String]>([])
    func send() async throws -> Response {
      var request = try Request("http://h/")
      let call = Call()
      call.observe { event in
        switch event.kind {
        case .circuitOpened, .circuitClosed, .refused: events.withLock { $0.append("\(event)") }
        default: break
        }
      }
      request.call = call
      return try await session.send(request)
    }
    for _ in 1...20 { _ = try await send() }
    try await clock.sleep(for: .seconds(1))
    #expect(try await send().status == .badGateway)
    isWell.withLock { $0 = true }
    #expect(await failure { try await send() }?.code == .circuitOpen)
    try await clock.sleep(for: .seconds(2))
    for _ in 1...3 { #expect(try await send().status == .ok) }
    #expect(
      events.current == [
        "circuitOpened(http://h for 1 s: 20 of 20 requests have failed)",
        "circuitOpened(http://h for 2 s: 1 of 1 requests have failed)",
        "refused(The circuit of http://h is open for 2 s, because too many requests have failed: try again later.)",
        "circuitClosed(http://h)",
      ])
  }

  @Test func `a stored response is used while requests are refused`() async throws {
    let count = Locked(0)
    let session = resilientSession(clock) {
      $0.resilience.circuitBreaker = CircuitBreakerPolicy()
      $0.cache = MemoryResponseCache()
    } _: { request in
      count.withLock { $0 += 1 }
      guard request.url.path == "/stored" else {
        return .text("", to: request, status: .badGateway)
      }
      return .text("stored", to: request, headers: [.cacheControl: "max-age=60"])
    }
    _ = try await session.send(Request("http://h/stored"))
    for number in 1...30 { _ = try? await session.send(Request("http://h/\(number)")) }
    let response = try await session.send(Request("http://h/stored"))
    #expect(try await response.text() == "stored")
    #expect(count.current < 25)
  }

  // MARK: The concurrency limit

  /// The requests that a server works on, and the most of them at once.
  private struct Load {
    var current = 0
    var highest = 0

    mutating func begin() {
      current += 1
      highest = max(highest, current)
    }
  }

  @Test(arguments: [Delivery.buffered, .stream])
  func `no more requests are under way than the limit allows`(delivery: Delivery) async throws {
    let load = Locked(Load())
    let session = resilientSession(clock) {
      $0.resilience.concurrencyLimit = .fixed(3)
    } _: { request in
      load.withLock { $0.begin() }
      for _ in 1...10 { await Task.yield() }
      load.withLock { $0.current -= 1 }
      return .text("body", to: request)
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1...50 {
        group.addTask {
          var request = try Request("http://h/\(number)")
          request.delivery = delivery
          #expect(try await session.send(request).text() == "body")
        }
      }
      try await group.waitForAll()
    }
    #expect(load.current.highest == 3)
  }

  @Test func `a stream is under way until it has been read or released`() async throws {
    let session = resilientSession(clock) {
      $0.resilience.concurrencyLimit = .fixed(1)
    } _: { request in
      .text("body", to: request)
    }
    var request = try Request("http://h/")
    request.delivery = .stream
    let isDone = Locked(false)
    let first = try await session.send(request)
    let second = Task {
      let response = try await session.send(Request("http://h/"))
      isDone.withLock { $0 = true }
      return response
    }
    for _ in 1...100 { await Task.yield() }
    #expect(!isDone.current)
    first.body.cancel()
    #expect(try await second.value.status == .ok)
  }

  @Test func `a request that is cancelled while it waits leaves the queue`() async throws {
    let session = resilientSession(clock) {
      $0.resilience.concurrencyLimit = .fixed(1)
    } _: { request in
      .text("body", to: request)
    }
    var request = try Request("http://h/")
    request.delivery = .stream
    let first = try await session.send(request)
    let waiting = Locked(false)
    let call = Call()
    call.observe { event in
      if case .concurrencyLimited = event.kind { waiting.withLock { $0 = true } }
    }
    request.call = call
    let second = Task { [request] in try await session.send(request) }
    try await eventually { waiting.current }
    call.cancel()
    #expect(await failure { try await second.value }?.code == .cancelled)
    first.body.cancel()
    #expect(try await session.send(Request("http://h/")).status == .ok)
  }

  @Test func `a request that waits longer than its total time-out fails`() async throws {
    let session = resilientSession(clock) {
      $0.resilience.concurrencyLimit = .fixed(1)
    } _: { request in
      .text("body", to: request)
    }
    var request = try Request("http://h/")
    request.delivery = .stream
    let first = try await session.send(request)
    var brief = try Request("http://h/")
    brief.options.timeouts = .total(.milliseconds(20))
    let error = await failure { [brief] in try await session.send(brief) }
    #expect(error?.code == .timedOut)
    withExtendedLifetime(first) {}
  }

  @Test func `a queue that is full refuses further requests`() async throws {
    let session = resilientSession(clock) {
      var limit = ConcurrencyLimit.fixed(1)
      limit.maximumQueueLength = 0
      $0.resilience.concurrencyLimit = limit
    } _: { request in
      .text("body", to: request)
    }
    var request = try Request("http://h/")
    request.delivery = .stream
    let first = try await session.send(request)
    let (error, refusals) = await refusal { try await session.send($0) }
    #expect(error?.code == .limitReached)
    #expect(refusals == [.limitReached])
    withExtendedLifetime(first) {}
  }

  @Test func `the end of a second request is not that of the first`() throws {
    let queue = PermitQueue(.fixed(1))
    let permit = try #require(queue.permit(ResilienceClock()))
    let (call, request) = (Call(), try Request("http://h/"))
    permit.endWithAttempt(of: call)
    call.report(.attemptStarted(request))
    let second = Call(secondTo: call)
    second.report(.attemptStarted(request))
    second.report(.attemptFailed(.cancelled))
    #expect(queue.permit(ResilienceClock()) == nil)
    call.report(.attemptFinished(ExchangeMetrics()))
    #expect(queue.permit(ResilienceClock()) != nil)
  }

  // MARK: The rate limit

  @Test func `requests beyond the burst wait for their turn`() async throws {
    let session = resilientSession(clock) {
      $0.resilience.rateLimit = RateLimit(requests: 10, per: .seconds(1), burst: 2)
    } _: { request in
      .text("", to: request)
    }
    for _ in 1...12 { _ = try await session.send(Request("http://h/")) }
    #expect(clock.now.offset == .seconds(1))
  }

  @Test func `after a 429 all requests to the server wait`() async throws {
    let count = Locked(0)
    let session = resilientSession(clock) {
      $0.resilience.rateLimit = .announced
    } _: { request in
      let number = count.withLock { count in
        count += 1
        return count
      }
      return number == 1
        ? .text("", to: request, status: .tooManyRequests, headers: [.retryAfter: "20"])
        : .text("", to: request)
    }
    #expect(try await session.send(Request("http://h/")).status == .tooManyRequests)
    #expect(try await session.send(Request("http://h/")).status == .ok)
    #expect(clock.now.offset == .seconds(20))
  }

  @Test func `a request that would have to wait too long fails at once`() async throws {
    let session = resilientSession(clock) {
      $0.resilience.rateLimit = .announced
    } _: { request in
      .text("", to: request, status: .tooManyRequests, headers: [.retryAfter: "31557600000"])
    }
    _ = try await session.send(Request("http://h/"))
    let (error, refusals) = await refusal { try await session.send($0) }
    #expect(error?.code == .limitReached)
    #expect(refusals == [.limitReached])
    #expect(clock.now.offset == .zero)
  }

  /// Sends a request that is refused.
  ///
  /// - Returns: The error, and the codes of the events that report it.
  private func refusal(
    _ send: @Sendable (Request) async throws -> Response
  ) async -> (error: MartletError?, events: [MartletError.Code]) {
    let (call, events) = (Call(), Locked<[MartletError.Code]>([]))
    call.observe { event in
      if case .refused(let error) = event.kind { events.withLock { $0.append(error.code) } }
    }
    let error = await failure {
      var request = try Request("http://h/")
      request.call = call
      return try await send(request)
    }
    return (error, events.current)
  }
}
