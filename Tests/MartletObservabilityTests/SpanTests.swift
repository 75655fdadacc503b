import EssentialFoundation
import InMemoryTracing
import Martlet
import MartletObservability
import MartletTesting
import MetricsTestKit
import TestTiming
import Testing
import Tracing

/// The spans of a session: their tree, names and attributes after OpenTelemetry's conventions for HTTP clients.
@Suite(.timeLimit(.minutes(5)))
struct SpanTests {
  private let tracer = InMemoryTracer()

  private func run(
    _ scripts: Script..., configure: (inout SessionConfiguration) -> Void = { _ in }
  ) async throws -> ObservedRun {
    try await ObservedRun(scripts, observers: [HTTPSpans(tracer: tracer)], configure)
  }

  private func spans(_ kind: SpanKind) -> [FinishedInMemorySpan] {
    tracer.finishedSpans.filter { $0.kind == kind }
  }

  private var call: FinishedInMemorySpan? {
    tracer.finishedSpans.first { $0.operationName.hasPrefix("call") }
  }

  @Test func `a call has a span, and its attempt a client span with the conventions' attributes`()
    async throws
  {
    let run = try await run(.text("hello"))
    var request = Request(url: run.server.url("/users/7"))
    request.urlTemplate = "/users/{id}"
    _ = try await run.session.send(request)
    let call = try #require(call)
    #expect(call.operationName == "call GET /users/{id}")
    #expect(call.kind == .internal)
    let attempt = try #require(spans(.client).first)
    #expect(attempt.operationName == "GET /users/{id}")
    #expect(attempt.parentSpanID == call.spanID)
    #expect(attempt.traceID == call.traceID)
    let attributes = attempt.attributes
    #expect(attributes.get("http.request.method") == .string("GET"))
    #expect(attributes.get("url.full") == .string(run.server.url("/users/7").absoluteString))
    #expect(attributes.get("url.template") == .string("/users/{id}"))
    #expect(attributes.get("server.address") == .string("127.0.0.1"))
    #expect(attributes.get("server.port") == .int64(Int64(run.server.port)))
    #expect(attributes.get("http.response.status_code") == .int64(200))
    #expect(attributes.get("network.protocol.version") == .string("1.1"))
    #expect(attributes.get("network.peer.address") == .string("127.0.0.1"))
    #expect(attributes.get("network.peer.port") == .int64(Int64(run.server.port)))
    #expect(attributes.get("http.request.resend_count") == nil)
    #expect(attempt.status == nil)
    await run.end()
  }

  @Test func `the span of the caller is the parent of the call's`() async throws {
    let run = try await run(.text("hello"))
    let (session, url) = (run.session, run.server.url("/"))
    let parent = tracer.startSpan("request of a user", context: .topLevel)
    try await ServiceContext.withValue(parent.context) {
      _ = try await session.send(Request(url: url))
    }
    parent.end()
    #expect(call?.parentSpanID == parent.spanID)
    await run.end()
  }

  @Test func `the tracer's fields are sent with each attempt, and those of a retry differ`()
    async throws
  {
    let run = try await run(.status(503), .text("late")) {
      $0.resilience.retry = .standard
      $0.resilience.clock = ResilienceClock(VirtualClock())
    }
    _ = try await run.session.send(Request(url: run.server.url("/")))
    let ids = run.server.receivedRequests.map { $0.header(InMemoryTracer.spanIDKey) }
    #expect(ids == spans(.client).map { $0.spanID })
    #expect(Set(ids).count == 2)
    let traces = run.server.receivedRequests.map { $0.header(InMemoryTracer.traceIDKey) }
    #expect(Set(traces) == [call?.traceID])
    await run.end()
  }

  @Test func `a redirect, a retry and a failure are attempts that count what was sent before`()
    async throws
  {
    let run = try await run(.redirect(to: "/b"), .status(503)) {
      $0.resilience.retry = .standard
      $0.resilience.clock = ResilienceClock(VirtualClock())
    }
    for script: Script in [
      .redirect(to: "/b"), .respond("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"),
    ] { run.server.enqueue(script) }
    var request = Request(url: run.server.url("/a"))
    var policy = RetryPolicy.standard
    policy.maximumAttempts = 2
    request.retryPolicy = policy
    await #expect(throws: MartletError.self) { try await run.session.send(request) }
    let attempts = spans(.client)
    #expect(
      attempts.map { $0.attributes.get("http.request.resend_count") } == [
        nil, .int64(1), .int64(2), .int64(3),
      ])
    #expect(
      attempts.map { $0.attributes.get("error.type") } == [
        nil, .string("503"), nil, .string("bodyTruncated"),
      ])
    #expect(attempts.map { $0.status?.code } == [nil, .error, nil, .error])
    let call = try #require(call)
    #expect(call.status?.code == .error)
    #expect(call.attributes.get("error.type") == .string("bodyTruncated"))
    #expect(
      call.events.map(\.name) == ["redirecting", "retryDecided", "redirecting", "retryDecided"])
    #expect(tracer.activeSpans.isEmpty)
    await run.end()
  }

  @Test func `a new connection has spans for the look-up and the connection, an open one has none`()
    async throws
  {
    let run = try await run(.keepAlive([.text("a"), .text("b")]))
    let url = try #require(URL(string: "http://localhost:\(run.server.port)/"))
    _ = try await run.session.send(Request(url: url))
    let attempt = try #require(spans(.client).first)
    let parts = tracer.finishedSpans.filter { $0.parentSpanID == attempt.spanID }
    #expect(parts.contains { $0.operationName == "DNS lookup localhost" })
    #expect(parts.contains { $0.operationName.hasPrefix("socket connect 127.0.0.1") })
    #expect(parts.first?.attributes.get("dns.question.name") == .string("localhost"))
    let count = tracer.finishedSpans.count
    _ = try await run.session.send(Request(url: url))
    #expect(tracer.finishedSpans.count == count + 2)
    #expect(tracer.activeSpans.isEmpty)
    await run.end()
  }

  @Test func `passwords of URLs are not part of a span`() async throws {
    let run = try await run(.text("a"))
    let url = try #require(URL(string: "http://user:secret@127.0.0.1:\(run.server.port)/"))
    _ = try await run.session.send(Request(url: url))
    let text = try #require(spans(.client).first?.attributes.get("url.full"))
    #expect(!"\(text)".contains("secret"))
    await run.end()
  }

  @Test func `a stored response ends the span of its call, without an attempt`() async throws {
    let run = try await run(
      .respond("HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 1\r\n\r\na")
    ) { $0.cache = MemoryResponseCache() }
    for _ in 1...2 { _ = try await run.session.send(Request(url: run.server.url("/"))) }
    #expect(spans(.client).count == 1)
    #expect(tracer.finishedSpans.filter { $0.operationName == "call GET" }.count == 2)
    #expect(tracer.activeSpans.isEmpty)
    await run.end()
  }

  @Test func `a cancelled call ends all its spans`() async throws {
    let run = try await run(.silent)
    let task = run.session.dataTask(with: Request(url: run.server.url("/"))) { _, _, _ in }
    task.resume()
    try await run.server.waitForRequests(1)
    task.cancel()
    await #expect(throws: MartletError.self) { try await task.value }
    try await eventually { call != nil && tracer.activeSpans.isEmpty }
    #expect(call?.attributes.get("error.type") == .string("cancelled"))
    await run.end()
  }

  @Test func `a second request for a slow one is an attempt of its own, which ends with the call`()
    async throws
  {
    let metrics = TestMetrics()
    let isFirst = Locked(true)
    let transport = InProcessTransport { request in
      let isSlow = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      if isSlow { try await Task.sleep(for: .seconds(100)) }
      return .text("hello", to: request)
    }
    var configuration = SessionConfiguration()
    configuration.transport = transport
    configuration.resilience.hedging = .after(.milliseconds(50))
    configuration.observers = [HTTPSpans(tracer: tracer), HTTPMetrics(factory: metrics)]
    let session = URLSessionManager(configuration: configuration)
    #expect(try await session.send(Request("http://h/")).status == .ok)
    let attempts = spans(.client)
    #expect(attempts.count == 2)
    #expect(Set(attempts.map(\.parentSpanID)) == [call?.spanID])
    #expect(
      attempts.compactMap { $0.attributes.get("error.type") } == [.string("cancelled")])
    #expect(tracer.activeSpans.isEmpty)
    #expect(metrics.meters(label: "http.client.active_requests").map(\.lastValue) == [0])
  }

  @Test func `an interceptor that answers by itself makes no span of an attempt`() async throws {
    struct Answer: Interceptor {
      func send(_ request: Request, next: Next) async throws -> Response {
        guard request.url.path() == "/b" else { return try await next.send(request) }
        throw MartletError(.invalidRequest, "refused")
      }
    }
    let run = try await run(.redirect(to: "/b")) { $0.interceptors.perExchange = [Answer()] }
    await #expect(throws: MartletError.self) {
      try await run.session.send(Request(url: run.server.url("/a")))
    }
    #expect(spans(.client).map { $0.attributes.get("http.response.status_code") } == [.int64(302)])
    #expect(call?.attributes.get("error.type") == .string("invalidRequest"))
    #expect(tracer.activeSpans.isEmpty)
    await run.end()
  }

  @Test func `calls that are cancelled at any time end their spans, and count no request twice`()
    async throws
  {
    let metrics = TestMetrics()
    let run = try await ObservedRun(
      [], observers: [HTTPSpans(tracer: tracer), HTTPMetrics(factory: metrics)])
    let (session, url) = (run.session, run.server.url("/"))
    await withTaskGroup(of: Void.self) { group in
      for number in 1...200 {
        let call = Task { try? await session.send(Request(url: url)) }
        group.addTask {
          for _ in 0..<(number % 40) { await Task.yield() }
          call.cancel()
          _ = await call.value
        }
      }
    }
    await run.end()
    #expect(tracer.activeSpans.isEmpty)
    #expect(metrics.meters(label: "http.client.active_requests").allSatisfy { $0.lastValue == 0 })
  }

  @Test func `a connection with TLS has a span for the handshake, and HTTP/2 its version`()
    async throws
  {
    let authority = try TemporaryAuthority()
    var tls = ServerTLS(try authority.leaf())
    tls.protocols = ["h2"]
    let server = try await LoopbackServer.start(tls: tls)
    var configuration = SessionConfiguration()
    configuration.tls.roots = .certificates([authority.root])
    configuration.observers = [HTTPSpans(tracer: tracer)]
    let session = URLSessionManager(configuration: configuration)
    _ = try await session.send(Request(url: server.url("/get", host: "localhost")))
    let attempt = try #require(spans(.client).first)
    #expect(attempt.attributes.get("network.protocol.version") == .string("2"))
    let handshake = tracer.finishedSpans.first { $0.operationName == "TLS handshake localhost" }
    #expect(handshake?.parentSpanID == attempt.spanID)
    #expect(handshake?.attributes.get("server.address") == .string("localhost"))
    await session.shutDown()
    await server.stop()
  }
}
