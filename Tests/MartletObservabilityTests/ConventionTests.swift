import CoreMetrics
import EssentialFoundation
import InMemoryTracing
import Martlet
import MartletObservability
import MartletTesting
import MetricsTestKit
import Testing
import Tracing

/// All names of the metrics and attributes of a run with redirects, a retry, a stored response and a failure.
///
/// With the path of a file in `MARTLET_CONVENTIONS`, they are written there, to be compared with OpenTelemetry's package.
@Suite(.timeLimit(.minutes(5)))
struct ConventionTests {
  private let metrics = TestMetrics()
  private let tracer = InMemoryTracer()

  private static let expectedMetrics: Set = [
    "metric http.client.active_requests updowncounter {request}",
    "metric http.client.connection.duration histogram s",
    "metric http.client.open_connections updowncounter {connection}",
    "metric http.client.request.body.size histogram By",
    "metric http.client.request.duration histogram s",
    "metric http.client.request.time_in_queue histogram s",
    "metric http.client.response.body.size histogram By",
    "metric martlet.client.cache.requests counter {request}",
    "metric martlet.client.retries counter {retry}",
  ]
  private static let expectedAttributes: Set = [
    "dns.answers", "dns.question.name", "error.type", "http.connection.state",
    "http.request.method", "http.request.method_original", "http.request.resend_count",
    "http.response.status_code", "martlet.cache.result", "martlet.event",
    "network.peer.address", "network.peer.port", "network.protocol.version", "server.address",
    "server.port", "url.full", "url.scheme", "url.template",
  ]

  @Test func `metrics, units and attributes are those of the conventions`() async throws {
    try await run()
    let metrics = Set(metricLines)
    #expect(metrics == Self.expectedMetrics)
    #expect(attributes == Self.expectedAttributes)
    guard let path = ProcessInfo.processInfo.environment["MARTLET_CONVENTIONS"] else { return }
    let lines = metrics.sorted() + attributes.sorted().map { "attribute \($0)" }
    try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: URL(fileURLWithPath: path))
  }

  private func run() async throws {
    let observers: [any SessionObserver] = [
      HTTPMetrics(factory: metrics), HTTPSpans(tracer: tracer),
    ]
    let scripts: [Script] = [
      .redirect(to: "/b"), .status(503), .redirect(to: "/b"), .text("late"),
      .respond("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"),
    ]
    let run = try await ObservedRun(scripts, observers: observers) {
      $0.cache = MemoryResponseCache()
      $0.resilience.retry = .standard
      $0.resilience.clock = ResilienceClock(VirtualClock())
    }
    let url = try #require(URL(string: "http://localhost:\(run.server.port)/a"))
    var request = Request(url: url)
    request.urlTemplate = "/{name}"
    _ = try await run.session.send(request)
    let brew = Request(try #require(HTTPRequest.Method("BREW")), url: url)
    await #expect(throws: MartletError.self) { try await run.session.send(brew) }
    await run.end()
  }

  private var metricLines: [String] {
    metrics.timers.filter { $0.displayUnit == .seconds }.map { "metric \($0.label) histogram s" }
      + metrics.recorders.map { "metric \($0.label) histogram By" }
      + metrics.meters.map {
        "metric \($0.label) updowncounter \($0.label.contains("conn") ? "{connection}" : "{request}")"
      }
      + metrics.counters.map {
        "metric \($0.label) counter \($0.label.contains("cache") ? "{request}" : "{retry}")"
      }
  }

  private var attributes: Set<String> {
    let dimensions =
      metrics.timers.map(\.dimensions) + metrics.recorders.map(\.dimensions)
      + metrics.meters.map(\.dimensions) + metrics.counters.map(\.dimensions)
    var names = Set(dimensions.flatMap { $0.map(\.0) })
    for span in tracer.finishedSpans {
      span.attributes.forEach { name, _ in names.insert(name) }
      for event in span.events { event.attributes.forEach { name, _ in names.insert(name) } }
    }
    return names
  }
}
