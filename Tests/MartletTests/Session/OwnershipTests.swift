import EssentialFoundation
import Foundation
import Martlet
import MartletTesting
import NIOCore
import SpecificationCoverage
import TestTiming
import Testing

/// Which objects keep others alive.
@Suite(.timeLimit(.minutes(5)))
struct OwnershipTests {
  /// Something that a closure captures.
  private final class Captured: Sendable {}

  /// A manager over a transport that answers when it is let.
  private func manager(_ answers: AwaitableValue<Bool> = AwaitableValue(true)) -> HTTPSessionManager
  {
    HTTPSessionManager(baseURL: URL(string: "http://in.process/")) {
      $0.completionQueue = .global()
      $0.transport = InProcessTransport { request in
        try await answers.wait { $0 }
        return Response(head: ResponseHead(status: .noContent), url: request.url)
      }
    }
  }

  @Test(.covers("SES-L5"))
  func `a manager that is dropped is freed, though a task of it was never resumed`() {
    weak var api: HTTPSessionManager?
    weak var session: URLSessionManager?
    weak var captured: Captured?
    do {
      let (made, object) = (manager(), Captured())
      (api, session, captured) = (made, made.session, object)
      _ = made.dataTask(
        .get, "x", uploadProgress: { _ in _ = object }, downloadProgress: { _ in _ = object },
        success: { _, _ in _ = object })
    }
    #expect(api == nil)
    #expect(session == nil)
    #expect(captured == nil)
  }

  @Test func `a task that was kept begins without its manager, too`() async throws {
    weak var session: URLSessionManager?
    let status = Locked<Int?>(nil)
    let task: SessionTask
    do {
      let api = manager()
      session = api.session
      let made = api.dataTask(
        .get, "x",
        success: { task, _ in
          status.withLock { $0 = task.response?.status.code }
        })
      task = try #require(made)
    }
    #expect(session == nil)
    task.resume()
    try await eventually { status.current != nil }
    #expect(status.current == 204)
    #expect(task.state == .completed)
  }

  @Test(.covers("SES-C13"))
  func `a task that runs is finished though its manager is dropped`() async throws {
    let answers = AwaitableValue(false)
    weak var session: URLSessionManager?
    let status = Locked<Int?>(nil)
    do {
      let api = manager(answers)
      session = api.session
      api.get("x") { task, _ in
        status.withLock { $0 = task.response?.status.code }
      }
    }
    #expect(session == nil)
    answers.update { $0 = true }
    try await eventually { status.current != nil }
    #expect(status.current == 204)
  }

  @Test func `a body goes on though its manager is dropped`() async throws {
    let server = try await LoopbackServer.start()
    let response: Response
    do {
      let api = HTTPSessionManager(baseURL: server.url("/"))
      var request = try api.request(.get, "bytes/100000")
      request.delivery = .stream
      response = try await api.send(request)
    }
    #expect(try await response.body.collect().readableBytes == 100_000)
  }

  @Test(arguments: [true, false])
  func `a task that is over lets go of its closures`(cancelled: Bool) async throws {
    let api = manager()
    weak var captured: Captured?
    let task: SessionTask
    do {
      let object = Captured()
      captured = object
      let made = api.dataTask(
        .get, "x", uploadProgress: { _ in _ = object }, downloadProgress: { _ in _ = object },
        success: { _, _ in _ = object }, failure: { _, _ in _ = object })
      task = try #require(made)
    }
    #expect(captured != nil)
    if cancelled { task.cancel() } else { task.resume() }
    try await eventually { captured == nil }
    #expect(task.state == .completed)
    #expect((task.error == nil) == !cancelled)
  }

  /// Each row: whether the events are those of the session; otherwise, of the task.
  @Test(arguments: [true, false])
  func `a stream of events that is left before its end keeps neither task nor call`(
    ofSession: Bool
  ) async throws {
    let answers = AwaitableValue(false)
    weak var task: SessionTask?
    weak var call: Call?
    do {
      let api = manager(answers)
      let all = api.session.events
      let running = api.get("x", success: { _, _ in })
      let made = try #require(running)
      let events = made.events
      (task, call) = (made, made.originalRequest.call)
      answers.update { $0 = true }
      if ofSession {
        for await _ in all { break }
      } else {
        for await _ in events { break }
      }
      _ = try await made.value
    }
    try await eventually { task == nil && call == nil }
  }

  @Test func `the listener of an exchange of one's own outlives the task`() async throws {
    let session = manager().session
    let finished = Locked(0)
    var request = try Request(.get, "http://in.process/")
    let call = Call()
    request.call = call
    call.observe { event in
      if case .attemptFinished = event.kind { finished.withLock { $0 += 1 } }
    }
    for _ in 0..<2 { _ = try await session.send(request) }
    #expect(finished.current == 2)
  }
}
