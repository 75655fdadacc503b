import Foundation
import HTTPTypes
import MartletCore
import MartletTesting
import NIOCore
import Testing

@testable import Martlet
@testable import MartletEssentials

/// What an event says beside what happened: when, to which task, attempt and connection; and the ends, of which there is
/// one each.
@Suite(.timeLimit(.minutes(5)))
struct CallEventTests {
  private let session = URLSessionManager()

  /// The events of one task, once it is over.
  private func events(
    of request: Request, in session: URLSessionManager? = nil
  ) async throws -> [CallEvent] {
    let task = (session ?? self.session).dataTask(with: request) { _, _, _ in }
    let stream = task.events
    task.resume()
    var events: [CallEvent] = []
    for await event in stream { events.append(event) }
    return events
  }

  private func names(_ events: [CallEvent]) -> [String] {
    events.map { String("\($0)".prefix { $0 != "(" }) }
  }

  @Test func `every hop of a redirect is an attempt with one end, and the task has one`()
    async throws
  {
    let server = try await ScriptedServer.start(
      .keepAlive([.redirect(to: "/a"), .redirect(to: "/b"), .text("ok")]))
    let events = try await events(of: Request(url: server.url()))
    for attempt in 1...3 {
      let own = names(events.filter { $0.attempt == attempt })
      #expect(own.filter { $0 == "attemptStarted" }.count == 1)
      #expect(
        own.filter { $0 == "attemptFinished" || $0 == "attemptFailed" } == ["attemptFinished"])
    }
    #expect(names(events).filter { $0 == "taskCompleted" }.count == 1)
    #expect(names(events).last == "taskCompleted")
    #expect(Set(events.map(\.callID)).count == 1)
    #expect(zip(events, events.dropFirst()).allSatisfy { $0.time <= $1.time })
    await server.stop()
  }

  @Test func `the connection is named from the moment at which the request goes out over it`()
    async throws
  {
    let server = try await ScriptedServer.start(
      .reply(CannedResponse(302, ["Location": "/a", "Connection": "close"])), .text("ok"))
    let events = try await events(of: Request(url: server.url()))
    let connections = (1...2).map { attempt in
      Set(events.filter { $0.attempt == attempt }.compactMap(\.connectionID))
    }
    #expect(connections.allSatisfy { $0.count == 1 })
    #expect(connections[0] != connections[1])
    let isNamed = events.map { $0.connectionID != nil }
    let firstSending = try #require(names(events).firstIndex(of: "sending"))
    #expect(!isNamed[..<firstSending].contains(true))
    #expect(isNamed[firstSending])
    for event in events {
      guard case .sending(_, let info?, _) = event.kind else { continue }
      #expect(event.connectionID == info.id)
    }
    await server.stop()
  }

  @Test func `a failure ends its attempt and its task once`() async throws {
    let server = try await ScriptedServer.start(
      .respond("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok"))
    let events = try await events(of: Request(url: server.url()))
    let ends = names(events).filter {
      ["attemptFinished", "attemptFailed", "taskCompleted"].contains($0)
    }
    #expect(ends == ["attemptFailed", "taskCompleted"])
    guard case .taskCompleted(let error?)? = events.last?.kind else {
      Issue.record("The task has not ended with an error.")
      return
    }
    #expect(error.code == .bodyTruncated)
    await server.stop()
  }

  @Test func `a request that goes out again on another connection reports a retry, in one attempt`()
    async throws
  {
    let server = try await ScriptedServer.start(
      Script([.readRequest, .reply(CannedResponse(200, [:], "one")), .readRequest, .close]),
      .text("two"))
    _ = try await session.send(Request(url: server.url()))
    let events = try await events(of: Request(url: server.url()))
    #expect(names(events).contains("retrying"))
    #expect(Set(events.map(\.attempt)) == [0, 1])
    #expect(names(events).filter { $0 == "sending" }.count == 2)
    #expect(
      names(events).filter { $0 == "attemptFinished" || $0 == "attemptFailed" } == [
        "attemptFinished"
      ])
    await server.stop()
  }

  @Test func `an answer from the cache is no attempt`() async throws {
    let server = try await ScriptedServer.start(
      .reply(CannedResponse(200, ["Cache-Control": "max-age=60"], "kept")))
    var configuration = SessionConfiguration()
    configuration.cache = MemoryResponseCache()
    let session = URLSessionManager(configuration: configuration)
    _ = try await session.send(Request(url: server.url()))
    let events = try await events(of: Request(url: server.url()), in: session)
    #expect(names(events) == ["taskResumed", "cacheUsed", "bodyReceived", "taskCompleted"])
    #expect(events.allSatisfy { $0.attempt == 0 })
    await server.stop()
  }

  @Test func `a task that is cancelled before it begins has an end, and no attempt`() async throws {
    let task = session.dataTask(with: try Request(.get, "http://127.0.0.1:1/")) { _, _, _ in }
    let stream = task.events
    task.cancel()
    var events: [CallEvent] = []
    for await event in stream { events.append(event) }
    #expect(names(events) == ["taskCompleted"])
  }

  @Test(arguments: [true, false])
  func `nothing follows the end of a task whose stream is cancelled or dropped`(isCancelled: Bool)
    async throws
  {
    let server = try await ScriptedServer.start(
      Script([.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nsome"), .stall]))
    let names = AwaitableValue<[String]>([])
    let call = Call()
    call.observe { event in names.update { $0.append("\(event)".prefix { $0 != "(" } + "") } }
    var request = Request(url: server.url())
    request.call = call
    request.delivery = .stream
    do {
      let response = try await session.send(request)
      if isCancelled { session.tasks.first?.cancel() }
      withExtendedLifetime(response) {}
    }
    try await server.waitForConnectionsClosed()
    try await names.wait { $0.contains("taskCompleted") }
    #expect(names.current.suffix(2) == ["attemptFailed", "taskCompleted"])
    #expect(names.current.filter { $0 == "attemptFailed" }.count == 1)
    await server.stop()
  }
}
