import EssentialFoundation
import Foundation
import HTTPTypes
import MartletTesting
import NIOCore
import TestTiming
import Testing

@testable import Martlet
@testable import MartletEssentials

/// Requests that are sent twice, or elsewhere.
@Suite(.timeLimit(.minutes(5)))
struct HedgeAndFallbackTests {
  private let clock = VirtualClock()

  /// A number for each request: 1 for the first.
  private final class Counter: Sendable {
    private let count = Locked(0)
    var current: Int { count.current }

    func next() -> Int {
      count.withLock { count in
        count += 1
        return count
      }
    }
  }

  // MARK: Hedging

  @Test func `a slow request is sent a second time, and the first response counts`() async throws {
    let (counter, cancelled) = (Counter(), Locked(0))
    // The time passes when the server and the delay wait for it.
    for _ in 1...2 { clock.join() }
    let session = resilientSession(clock) {
      $0.resilience.hedging = .after(.milliseconds(50))
    } _: { [clock] request in
      let number = counter.next()
      do {
        try await clock.sleep(for: number == 1 ? .seconds(10) : .milliseconds(20))
      } catch {
        cancelled.withLock { $0 += 1 }
        throw error
      }
      return .text("\(number)", to: request)
    }
    let (call, delays) = (Call(), Locked<[String]>([]))
    call.observe { event in
      if case .hedged = event.kind { delays.withLock { $0.append("\(event)") } }
    }
    var request = try Request("http://h/")
    request.call = call
    let response = try await session.send(request)
    #expect(try await response.text() == "2")
    #expect(delays.current == ["hedged(after 50 ms)"])
    // The first response does not wait for the end of the other request.
    try await eventually { cancelled.current == 1 }
    #expect(clock.now.offset < .seconds(1))
  }

  @Test func `a request that fails soon fails at once`() async throws {
    let counter = Counter()
    let session = resilientSession(clock) {
      $0.resilience.hedging = .after(.seconds(3600))
      $0.resilience.clock = ResilienceClock()
    } _: { _ in
      _ = counter.next()
      throw MartletError(.connectionLost, "Lost.")
    }
    #expect(await failure { try await session.send(Request("http://h/")) }?.code == .connectionLost)
    #expect(counter.current == 1)
  }

  @Test(arguments: [HTTPRequest.Method.post, .patch])
  func `a request that is not idempotent is never doubled`(method: HTTPRequest.Method) async throws
  {
    let counter = Counter()
    let session = resilientSession(clock) {
      $0.resilience.hedging = .after(.zero)
    } _: { request in
      _ = counter.next()
      for _ in 1...100 { await Task.yield() }
      return .text("", to: request)
    }
    _ = try await session.send(Request(method, "http://h/"))
    #expect(counter.current == 1)
  }

  @Test func `no more requests are doubled than the budget allows`() async throws {
    let counter = Counter()
    let session = resilientSession(clock) {
      var policy = HedgePolicy.after(.zero)
      policy.budget = RequestBudget(share: 0, reserve: 3)
      $0.resilience.hedging = policy
    } _: { request in
      _ = counter.next()
      for _ in 1...100 { await Task.yield() }
      return .text("", to: request)
    }
    for _ in 1...20 { _ = try await session.send(Request("http://h/")) }
    #expect(counter.current <= 23)
  }

  @Test func `a cancellation ends both requests`() async throws {
    let counter = Counter()
    let session = resilientSession(clock) {
      $0.resilience.hedging = .after(.zero)
    } _: { request in
      _ = counter.next()
      try await Task.sleep(for: .seconds(100))
      return .text("", to: request)
    }
    let call = Call()
    var request = try Request("http://h/")
    request.call = call
    let sent = Task { [request] in try await session.send(request) }
    try await eventually { counter.current >= 2 }
    call.cancel()
    #expect(await failure { try await sent.value }?.code == .cancelled)
  }

  @Test func `the delay is that within which most requests have been answered`() {
    var latencies = RecentLatencies()
    let policy = HedgePolicy.afterPercentile(95)
    for milliseconds in 1...19 { latencies.add(.milliseconds(milliseconds)) }
    #expect(latencies.delay(policy) == nil)
    for milliseconds in 20...101 { latencies.add(.milliseconds(milliseconds)) }
    #expect(latencies.delay(policy) == .milliseconds(96))
    for _ in 1...200 { latencies.add(.milliseconds(7)) }
    #expect(latencies.delay(policy) == .milliseconds(7))
    #expect(latencies.delay(.after(.seconds(-1))) == .zero)
    #expect(latencies.delay(.afterPercentile(1000)) == .milliseconds(7))
  }

  @Test func `a request that takes longer than most before it is sent a second time`() async throws
  {
    let (counter, clock) = (Counter(), VirtualClock(isManual: true))
    let session = resilientSession(clock) {
      $0.resilience.hedging = .afterPercentile(95)
    } _: { request in
      let number = counter.next()
      try await clock.sleep(for: number == 21 ? .seconds(10) : .milliseconds(20))
      return .text("\(number)", to: request)
    }
    for _ in 1...20 {
      async let response = session.send(Request("http://h/"))
      try await clock.waitForSleepers(1)
      clock.advance(by: .milliseconds(20))
      _ = try await response
    }
    async let response = session.send(Request("http://h/"))
    // The server and the delay, then both requests in the server.
    for _ in 1...2 {
      try await clock.waitForSleepers(2)
      clock.advance(by: .milliseconds(20))
    }
    #expect(try await response.text() == "22")
    #expect(clock.now.offset == .milliseconds(440))
  }

  // MARK: Fallbacks

  private var primary: URL { get throws { try #require(URL(string: "http://first/v1/")) } }
  private var secondary: URL { get throws { try #require(URL(string: "http://second/backup")) } }

  @Test func `a server that cannot answer is replaced by another`() async throws {
    let fallback = Fallback(replacing: try primary, with: try secondary)
    let urls = Locked<[String]>([])
    let session = resilientSession(clock) {
      $0.resilience.fallback = fallback
    } _: { request in
      urls.withLock { $0.append(request.url.absoluteString) }
      let status: HTTPResponse.Status = request.url.host == "first" ? .serviceUnavailable : .ok
      return .text("body of \(status.code)", to: request, status: status)
    }
    let response = try await session.send(Request("http://first/v1/users/7?x=1"))
    #expect(try await response.text() == "body of 200")
    #expect(response.url.absoluteString == "http://second/backup/users/7?x=1")
    // A POST may have been processed, and other URLs have no second server.
    #expect(
      try await session.send(Request(.post, "http://first/v1/users")).status == .serviceUnavailable)
    #expect(try await session.send(Request("http://first/v2/users")).status == .serviceUnavailable)
    #expect(urls.current.count == 4)
  }

  @Test func `several other servers are tried in order, each for its own base URL`() async throws {
    var fallback = Fallback(replacing: try primary, with: try secondary)
    let third = try #require(URL(string: "http://third"))
    let other = try #require(URL(string: "http://other/"))
    fallback.baseURLs += [
      .init(primary: other, secondary: other), .init(primary: try primary, secondary: third),
    ]
    let hosts = Locked<[String?]>([])
    let session = resilientSession(clock) { [fallback] in
      $0.resilience.fallback = fallback
    } _: { request in
      hosts.withLock { $0.append(request.url.host) }
      return .text("", to: request, status: request.url.host == "third" ? .ok : .badGateway)
    }
    let response = try await session.send(Request("http://first/v1/users/7"))
    #expect(response.url.absoluteString == "http://third/users/7")
    #expect(hosts.current == ["first", "second", "third"])
  }

  @Test func `the other server is used after the retries`() async throws {
    let fallback = Fallback(replacing: try primary, with: try secondary)
    let hosts = Locked<[String]>([])
    let session = resilientSession(clock) {
      $0.resilience.retry = .standard
      $0.resilience.fallback = fallback
    } _: { request in
      hosts.withLock { $0.append(request.url.host ?? "") }
      guard request.url.host == "second" else { throw MartletError(.connectionFailed, "Refused.") }
      return .text("", to: request)
    }
    #expect(try await session.send(Request("http://first/v1/")).status == .ok)
    #expect(hosts.current == ["first", "first", "first", "second"])
  }

  @Test func `when neither answers, the failure is that of the first`() async throws {
    let fallback = Fallback(replacing: try primary, with: try secondary)
    let session = resilientSession(clock) {
      $0.resilience.fallback = fallback
    } _: { request in
      throw MartletError(.connectionFailed, "\(request.url.host ?? "") refused.")
    }
    let error = await failure { try await session.send(Request("http://first/v1/")) }
    #expect(error?.message == "first refused.")
  }

  @Test func `a stored response is used however old it is`() async throws {
    let counter = Counter()
    let session = resilientSession(clock) {
      $0.cache = MemoryResponseCache()
      $0.resilience.fallback = Fallback(staleResponses: true)
    } _: { request in
      guard counter.next() == 1 else { return .text("", to: request, status: .badGateway) }
      return .text("old", to: request, headers: [.cacheControl: "max-age=0"])
    }
    _ = try await session.send(Request("http://h/"))
    let (call, events) = (Call(), Locked<[String]>([]))
    call.observe { event in
      if case .fellBack = event.kind { events.withLock { $0.append("\(event)") } }
    }
    var request = try Request("http://h/")
    request.call = call
    #expect(try await session.send(request).text() == "old")
    #expect(events.current == ["fellBack(to a stored response)"])
    #expect(try await session.send(Request("http://h/other")).status == .badGateway)
  }

  @Test func `a response that is the caller's fault has no replacement`() async throws {
    let fallback = Fallback(replacing: try primary, with: try secondary, staleResponses: true)
    let counter = Counter()
    let session = resilientSession(clock) {
      $0.resilience.fallback = fallback
    } _: { request in
      _ = counter.next()
      return .text("", to: request, status: .notFound)
    }
    #expect(try await session.send(Request("http://first/v1/")).status == .notFound)
    #expect(counter.current == 1)
  }
}
