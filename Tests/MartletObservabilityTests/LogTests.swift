import EssentialFoundation
import InMemoryLogging
import Logging
import Martlet
import MartletObservability
import MartletTesting
import Testing

/// The lines that a session logs, at each level.
@Suite(.timeLimit(.minutes(5)))
struct LogTests {
  private let handler = InMemoryLogHandler()

  private func run(
    _ level: Logger.Level, _ scripts: Script...,
    configure: (inout SessionConfiguration) -> Void = { _ in }
  ) async throws -> ObservedRun {
    var logger = Logger(label: "test") { [handler] _ in handler }
    logger.logLevel = level
    return try await ObservedRun(scripts, observers: [HTTPLogs(logger)], configure)
  }

  private var lines: [String] { handler.entries.map { "\($0.message)" } }

  @Test func `at the level info, there is one line for each call`() async throws {
    let run = try await run(.info, .redirect(to: "/b"), .text("hello"))
    _ = try await run.session.send(Request(url: run.server.url("/a")))
    #expect(lines.count == 1)
    let line = try #require(lines.first)
    #expect(line.hasPrefix("GET \(run.server.url("/a")): 200 after "))
    #expect(line.contains(", 2 attempts, "))
    let metadata = try #require(handler.entries.first?.metadata)
    #expect(metadata["http.request.method"] == "GET")
    #expect(metadata["http.response.status_code"] == "200")
    #expect(metadata["url.full"] == "\(run.server.url("/a"))")
    #expect(handler.entries.first?.level == .info)
    await run.end()
  }

  @Test func `a failed call has its error in its line`() async throws {
    let run = try await run(.info, .respond("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"))
    await #expect(throws: MartletError.self) {
      try await run.session.send(Request(url: run.server.url("/")))
    }
    #expect(lines.count == 1)
    #expect(lines.first?.contains("200, bodyTruncated after ") == true)
    #expect(handler.entries.first?.metadata["error.type"] == "bodyTruncated")
    await run.end()
  }

  @Test func `at the level debug, each attempt has a line, too`() async throws {
    let run = try await run(.debug, .redirect(to: "/b"), .text("hello"))
    _ = try await run.session.send(Request(url: run.server.url("/a")))
    #expect(lines.count == 3)
    #expect(lines[0].hasPrefix("attempt 1: GET \(run.server.url("/a")): 302 after "))
    #expect(lines[1].hasPrefix("attempt 2: GET \(run.server.url("/b")): 200 after "))
    #expect(handler.entries.map(\.level) == [.debug, .debug, .info])
    await run.end()
  }

  @Test func `at the level trace, all events are logged, and no secret`() async throws {
    let run = try await run(.trace, .text("hello"))
    let port = run.server.port
    let url = try #require(
      URL(string: "http://ada:wren@127.0.0.1:\(port)/?token=gull#id_token=finch"))
    var request = Request(url: url)
    request.headers[.authorization] = "Bearer tern"
    request.headers[.cookie] = "id=robin"
    _ = try await run.session.send(request)
    #expect(lines.contains { $0.hasPrefix("attemptStarted(") })
    #expect(lines.contains { $0.hasPrefix("connecting(") })
    for secret in ["tern", "wren", "gull", "finch", "robin"] {
      #expect(!lines.contains { $0.contains(secret) }, "\(secret)")
    }
    await run.end()
  }

  @Test func `at the level warning, nothing is logged`() async throws {
    let run = try await run(.warning, .text("hello"))
    _ = try await run.session.send(Request(url: run.server.url("/")))
    #expect(lines.isEmpty)
    await run.end()
  }
}
