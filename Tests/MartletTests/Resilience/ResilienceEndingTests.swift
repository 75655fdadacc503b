import EssentialFoundation
import Foundation
import HTTPTypes
import MartletTesting
import NIOCore
import Testing

@testable import Martlet
@testable import MartletEssentials

/// Cancellations, time-outs and places in limits, at the end of requests.
@Suite(.timeLimit(.minutes(5)))
struct ResilienceEndingTests {
  private func session(
    _ configure: (inout SessionConfiguration) throws -> Void,
    _ answer: @escaping InProcessTransport.Handler
  ) throws -> URLSessionManager {
    var configuration = SessionConfiguration()
    configuration.transport = InProcessTransport(answer)
    try configure(&configuration)
    return URLSessionManager(configuration: configuration)
  }

  // MARK: Downloads

  /// A download that is ended during the pause after its first failure, and the files that it leaves.
  private func download(_ end: @escaping @Sendable (SessionTask) -> Void) async throws
    -> (MartletError?, [String])
  {
    let server = try await ScriptedServer.start(
      .respond("HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 10\r\n\r\nabcd"))
    let folder = try TemporaryFolder()
    var configuration = SessionConfiguration()
    configuration.resilience.retry = .standard
    configuration.resilience.retry.backoff = Backoff(
      initialDelay: .seconds(100), maximumDelay: .seconds(100))
    configuration.resilience.clock = ResilienceClock(random: { 1 })
    let session = URLSessionManager(configuration: configuration)
    session.observe { event in
      if case .retryDecided = event.event.kind { end(event.task) }
    }
    let error = await failure {
      try await session.download(
        Request(url: server.url("/big")), to: folder.url.appendingPathComponent("big"))
    }
    await server.stop()
    return (error, try folder.names)
  }

  @Test func `a download that is cancelled during a pause leaves no file`() async throws {
    let (error, names) = try await download { $0.cancel() }
    #expect(error?.code == .cancelled)
    #expect(error?.resumeData == nil)
    #expect(names == [])
  }

  @Test func `a download that is cancelled during a pause can be resumed if that is asked for`()
    async throws
  {
    let (error, names) = try await download { $0.cancel { _ in } }
    #expect(error?.code == .cancelled)
    #expect(error?.resumeData?.received == 4)
    #expect(names.count == 1)
  }

  // MARK: Streams

  @Test func `a cancellation during the continuation of a stream is reported as one`() async throws
  {
    let server = try await ScriptedServer.start(
      .respond("HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 10\r\n\r\nabcd"),
      Script([.readRequest, .stall]))
    var configuration = SessionConfiguration()
    configuration.resilience.retry = .standard
    configuration.resilience.clock = ResilienceClock(VirtualClock())
    let session = URLSessionManager(configuration: configuration)
    let call = Call()
    var request = Request(url: server.url())
    (request.call, request.delivery) = (call, .stream)
    let response = try await session.send(request)
    call.observe { [weak call] event in
      if case .requestSent = event.kind { call?.cancel() }
    }
    #expect(await failure { try await response.body.collect() }?.code == .cancelled)
    await server.stop()
  }

  // MARK: Fallbacks

  @Test func `a cancellation during the fallback is no failure of the first server`() async throws {
    let (primary, secondary) = (URL(string: "http://h/"), URL(string: "http://second/"))
    let call = Call()
    let session = try session {
      $0.resilience.fallback = Fallback(
        replacing: try #require(primary), with: try #require(secondary))
    } _: { request in
      guard request.url.host == "second" else {
        return .text("", to: request, status: .serviceUnavailable)
      }
      call.cancel()
      try await Task.sleep(for: .seconds(100))
      return .text("", to: request)
    }
    var request = try Request("http://h/")
    request.call = call
    let error = await failure { [request] in try await session.send(request) }
    #expect(error?.code == .cancelled)
  }

  @Test(arguments: [Delivery.buffered, .stream])
  func `a failed response does not take the place of its replacement`(delivery: Delivery)
    async throws
  {
    let (primary, secondary) = (URL(string: "http://h/a"), URL(string: "http://h/b"))
    let session = try session {
      $0.resilience.concurrencyLimit = .fixed(1)
      $0.resilience.fallback = Fallback(
        replacing: try #require(primary), with: try #require(secondary))
    } _: { request in
      let isFirst = request.url.path.hasPrefix("/a")
      let page = String(repeating: "x", count: 300_000)
      return .text(page, to: request, status: isFirst ? .internalServerError : .ok)
    }
    var request = try Request("http://h/a/x")
    request.delivery = delivery
    #expect(try await session.send(request).status == .ok)
  }

  // MARK: Limits

  @Test func `a request whose call has been cancelled leaves its place, also if its body is kept`()
    async throws
  {
    let session = try session {
      $0.resilience.concurrencyLimit = .fixed(1)
    } _: { request in
      let body = ResponseBody(stream: EndlessBody())
      return Response(head: ResponseHead(status: .ok), url: request.url, body: body)
    }
    let call = Call()
    var request = try Request("http://h/")
    (request.call, request.delivery) = (call, .stream)
    let kept = try await session.send(request)
    call.cancel()
    var next = try Request("http://h/")
    next.delivery = .stream
    #expect(try await session.send(next).status == .ok)
    withExtendedLifetime(kept) {}
  }

  private struct EndlessBody: ResponseBodySource {
    func next() async throws -> ByteBuffer? {
      try await Task.sleep(for: .seconds(100))
      return nil
    }
    func abandon() {}
    var completion: ResponseBody.Completion? { nil }
  }

  @Test func `the wait for the rate keeps to the total time-out`() async throws {
    let clock = VirtualClock()
    let session = try session {
      $0.resilience.rateLimit = RateLimit(requests: 1, per: .seconds(4), burst: 1)
      $0.resilience.clock = ResilienceClock(clock)
      $0.timeouts.total = .seconds(1)
    } _: { request in
      .text("", to: request)
    }
    _ = try await session.send(Request("http://h/"))
    #expect(await failure { try await session.send(Request("http://h/")) }?.code == .limitReached)
    #expect(clock.now.offset == .zero)
  }

  @Test func `requests that wait for the rate see a later Retry-After`() async throws {
    let (clock, count) = (VirtualClock(), Locked(0))
    let session = try session {
      $0.resilience.rateLimit = RateLimit(requests: 10, per: .seconds(1), burst: 1)
      $0.resilience.clock = ResilienceClock(clock)
    } _: { request in
      let isFirst = count.withLock { count in
        count += 1
        return count == 1
      }
      return isFirst
        ? .text("", to: request, status: .tooManyRequests, headers: [.retryAfter: "30"])
        : .text("", to: request)
    }
    _ = try await session.send(Request("http://h/"))
    _ = try await session.send(Request("http://h/"))
    #expect(clock.now.offset >= .seconds(30))
  }

  // MARK: Hedging

  @Test func `a failed second response does not win over the first`() async throws {
    let (clock, count) = (VirtualClock(), Locked(0))
    for _ in 1...2 { clock.join() }
    let session = try session {
      $0.resilience.hedging = .after(.milliseconds(50))
      $0.resilience.clock = ResilienceClock(clock)
    } _: { request in
      let number = count.withLock { count in
        count += 1
        return count
      }
      try await clock.sleep(for: number == 1 ? .seconds(1) : .milliseconds(10))
      if number == 2 { clock.leave() }
      return .text("\(number)", to: request, status: number == 1 ? .ok : .serviceUnavailable)
    }
    let response = try await session.send(Request("http://h/"))
    #expect(try await response.text() == "1")
    #expect(count.current == 2)
  }

  @Test func `a loser that ignores its cancellation does not hold up the winner`() async throws {
    let (count, gate) = (Locked(0), AsyncStream<Void>.makeStream())
    let session = try session {
      $0.resilience.hedging = .after(.zero)
    } _: { request in
      let isFirst = count.withLock { count in
        count += 1
        return count == 1
      }
      // Ignores the cancellation of its task.
      if isFirst { await Task { for await _ in gate.stream {} }.value }
      return .text("", to: request)
    }
    #expect(try await session.send(Request("http://h/")).status == .ok)
    gate.continuation.finish()
  }
}
