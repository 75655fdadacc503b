import CoreMetrics
import EssentialFoundation
import Martlet
import MartletObservability
import MartletTesting
import MetricsTestKit
import Testing

/// The metrics of a session: names, units and attributes after OpenTelemetry's conventions for HTTP clients.
@Suite(.timeLimit(.minutes(5)))
struct MetricsTests {
  private let metrics = TestMetrics()

  private func run(
    _ scripts: Script..., configure: (inout SessionConfiguration) -> Void = { _ in }
  ) async throws -> ObservedRun {
    try await ObservedRun(scripts, observers: [HTTPMetrics(factory: metrics)], configure)
  }

  private func timers(_ label: String) -> [[String: String]] {
    metrics.timers(label: label).map { Dictionary(uniqueKeysWithValues: $0.dimensions) }
  }

  @Test func `an attempt is measured in seconds, with its method, server, status and version`()
    async throws
  {
    let run = try await run(.text("hello"))
    _ = try await run.session.send(Request(url: run.server.url("/a?b=c")))
    let duration = try #require(metrics.timers(label: "http.client.request.duration").first)
    #expect(duration.displayUnit == .seconds)
    #expect(duration.values.count == 1)
    #expect(try #require(duration.values.first) > 0)
    let dimensions = Dictionary(uniqueKeysWithValues: duration.dimensions)
    #expect(
      dimensions == [
        "http.request.method": "GET", "server.address": "127.0.0.1",
        "server.port": "\(run.server.port)", "url.scheme": "http",
        "http.response.status_code": "200", "network.protocol.version": "1.1",
      ])
    #expect(metrics.timers(label: "http.client.request.time_in_queue").first?.values.count == 1)
    #expect(metrics.recorders(label: "http.client.response.body.size").first?.values == [5])
    #expect(metrics.recorders(label: "http.client.request.body.size").first?.values == [0])
    await run.end()
  }

  @Test func `each redirect and each retry is an attempt of its own`() async throws {
    let run = try await run(.redirect(to: "/b"), .status(503), .text("late")) {
      $0.resilience.retry = .standard
      $0.resilience.clock = ResilienceClock(VirtualClock())
    }
    run.server.enqueue(.text("late"))
    _ = try await run.session.send(Request(url: run.server.url("/a")))
    let statuses = timers("http.client.request.duration").compactMap {
      $0["http.response.status_code"]
    }
    #expect(statuses.sorted() == ["200", "302", "503"])
    let failed = timers("http.client.request.duration").first { $0["error.type"] != nil }
    #expect(failed?["error.type"] == "503")
    #expect(metrics.counterTotal(label: "martlet.client.retries") == 1)
    #expect(metrics.meters(label: "http.client.active_requests").map(\.lastValue) == [0])
    await run.end()
  }

  @Test func `the body of a redirect is measured, though the caller does not receive it`()
    async throws
  {
    let head = "HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 6\r\n\r\n"
    let run = try await run(
      .keepAlive([.respond(head + "moved."), .text("here")]))
    _ = try await run.session.send(Request(url: run.server.url("/a")))
    let sizes = metrics.recorders(label: "http.client.response.body.size")
    #expect(sizes.flatMap(\.values).sorted() == [4, 6])
    await run.end()
  }

  @Test func `an attempt without a response has the error's code as its type`() async throws {
    let run = try await run(.respond("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"))
    await #expect(throws: MartletError.self) {
      try await run.session.send(Request(url: run.server.url("/")))
    }
    let dimensions = try #require(timers("http.client.request.duration").first)
    #expect(dimensions["error.type"] == "bodyTruncated")
    #expect(dimensions["http.response.status_code"] == "200")
    #expect(metrics.meters(label: "http.client.active_requests").map(\.lastValue) == [0])
    await run.end()
  }

  @Test func `connections are counted by their state, and their durations when they end`()
    async throws
  {
    let run = try await run(.keepAlive([.text("a"), .text("b")]))
    _ = try await run.session.send(Request(url: run.server.url("/")))
    let idle = try #require(
      metrics.meters(label: "http.client.open_connections").first { meter in
        meter.dimensions.contains { $0 == ("http.connection.state", "idle") }
      })
    #expect(idle.lastValue == 1)
    _ = try await run.session.send(Request(url: run.server.url("/")))
    await run.end()
    for meter in metrics.meters(label: "http.client.open_connections") {
      #expect(meter.lastValue == 0, "\(meter.dimensions)")
    }
    let states = metrics.meters(label: "http.client.open_connections").map {
      Dictionary(uniqueKeysWithValues: $0.dimensions)["http.connection.state"]
    }
    #expect(Set(states) == ["active", "idle"])
    #expect(metrics.timers(label: "http.client.connection.duration").first?.values.isEmpty == false)
  }

  @Test func `a template groups the paths, and no path is an attribute`() async throws {
    let run = try await run(.text("a"), .text("b"))
    for id in [7, 8] {
      var request = Request(url: run.server.url("/users/\(id)"))
      request.urlTemplate = "/users/{id}"
      _ = try await run.session.send(request)
    }
    let durations = metrics.timers(label: "http.client.request.duration")
    #expect(durations.map(\.values.count) == [2])
    #expect(timers("http.client.request.duration").first?["url.template"] == "/users/{id}")
    await run.end()
  }

  @Test func `servers and templates beyond the bounds are recorded together`() async throws {
    let observer = HTTPMetrics(factory: metrics, maximumServers: 2, maximumTemplates: 1)
    var configuration = SessionConfiguration()
    configuration.observers = [observer]
    configuration.transport = InProcessTransport { .text("", to: $0) }
    let session = URLSessionManager(configuration: configuration)
    for server in 1...50 {
      var request = try Request("http://host\(server)/")
      request.urlTemplate = "/\(server)"
      _ = try await session.send(request)
    }
    let dimensions = timers("http.client.request.duration")
    #expect(Set(dimensions.compactMap { $0["server.address"] }) == ["host1", "host2", "_OTHER"])
    #expect(Set(dimensions.compactMap { $0["url.template"] }) == ["/1"])
    #expect(dimensions.allSatisfy { $0["server.address"] != "_OTHER" || $0["server.port"] == nil })
  }

  @Test func `an unknown method is recorded as _OTHER`() async throws {
    let run = try await run(.text("a"))
    let method = try #require(HTTPRequest.Method("BREW"))
    _ = try await run.session.send(Request(method, url: run.server.url("/")))
    #expect(timers("http.client.request.duration").first?["http.request.method"] == "_OTHER")
    await run.end()
  }

  @Test func `the cache's results are counted`() async throws {
    let run = try await run(
      .respond("HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 1\r\n\r\na")
    ) {
      $0.cache = MemoryResponseCache()
    }
    for _ in 1...3 { _ = try await run.session.send(Request(url: run.server.url("/"))) }
    let results = metrics.counters(label: "martlet.client.cache.requests").map {
      (Dictionary(uniqueKeysWithValues: $0.dimensions)["martlet.cache.result"], $0.totalValue)
    }
    #expect(results.first { $0.0 == "uri-miss" }?.1 == 1)
    #expect(results.first { $0.0 == "hit" }?.1 == 2)
    #expect(metrics.timers(label: "http.client.request.duration").map(\.values.count) == [1])
    await run.end()
  }
}
