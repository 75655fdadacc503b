import EssentialFoundation
import Foundation
import MartletTesting
import Testing

@testable import Martlet
@testable import MartletEssentials

/// Closures that are called for the events of a session.
@Suite(.timeLimit(.minutes(5)))
struct ObserverTests {
  private let session: URLSessionManager

  init() {
    var configuration = SessionConfiguration()
    configuration.transport = InProcessTransport { .text("body", to: $0) }
    session = URLSessionManager(configuration: configuration)
  }

  private func send() async throws { _ = try await session.send(Request("http://h/")) }

  @Test func `each observer receives all events, with the ids of task and attempt, in order`()
    async throws
  {
    let seen = Locked<[[TaskEvent]]>([[], [], []])
    for index in 0..<3 { session.observe { event in seen.withLock { $0[index].append(event) } } }
    try await send()
    try await send()
    let all = seen.current
    let names = all.map { events in events.map { "\($0.task.taskIdentifier) \($0.event)" } }
    #expect(names[0] == names[1] && names[1] == names[2])
    #expect(
      names[0].filter { $0.contains("taskCompleted") } == ["1 taskCompleted", "2 taskCompleted"])
    #expect(names[0].count { $0.contains("attemptFinished") } == 2)
    #expect(zip(all[0], all[0].dropFirst()).allSatisfy { $0.event.time <= $1.event.time })
    #expect(Set(all[0].map(\.event.callID)).count == 2)
    #expect(all[0].last?.event.attempt == 1)
  }

  @Test func `an observer that has ended is not called, also for tasks under way`() async throws {
    let count = Locked(0)
    let observation = session.observe { _ in count.withLock { $0 += 1 } }
    var request = try Request("http://h/")
    request.delivery = .stream
    let response = try await session.send(request)
    let before = count.current
    #expect(before > 0)
    observation.cancel()
    observation.cancel()
    _ = try await response.body.collect()
    try await send()
    #expect(count.current == before)
  }

  @Test func `an observer may end itself, and others, while it is called`() async throws {
    let (calls, observations) = (Locked<[String]>([]), Locked<[Observation]>([]))
    let first = session.observe { _ in
      calls.withLock { $0.append("first") }
      for observation in observations.current { observation.cancel() }
    }
    let second = session.observe { _ in calls.withLock { $0.append("second") } }
    observations.withLock { $0 = [first, second] }
    try await send()
    #expect(calls.current == ["first"])
  }

  @Test func `an observer that blocks delays requests, and none is lost`() async throws {
    let server = try await LoopbackServer.start()
    let session = URLSessionManager()
    let (isFirst, released) = (Locked(true), DispatchSemaphore(value: 0))
    let completed = Locked(0)
    session.observe { event in
      if case .taskCompleted(nil) = event.event.kind { completed.withLock { $0 += 1 } }
      guard isFirst.withLock({ $0.exchange(with: false) }) else { return }
      Thread.detachNewThread { released.signal() }
      released.wait()
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 1...10 {
        group.addTask { _ = try await session.send(Request(url: server.url("/get"))) }
      }
      try await group.waitForAll()
    }
    #expect(completed.current == 10)
    await session.shutDown()
    await server.stop()
  }

  @Test func `observers come and go from many threads`() async throws {
    let kept = Locked(0)
    session.observe { event in
      if case .taskCompleted = event.event.kind { kept.withLock { $0 += 1 } }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 1...100 {
        group.addTask {
          let observation = session.observe { _ in }
          try await send()
          observation.cancel()
        }
      }
      try await group.waitForAll()
    }
    #expect(kept.current == 100)
  }

  @Test func `what an observer retains is released at its end`() async throws {
    final class Thing: Sendable {}
    var thing: Thing? = Thing()
    weak let released = thing
    let observation = session.observe { [thing] _ in withExtendedLifetime(thing) {} }
    thing = nil
    try await send()
    #expect(released != nil)
    observation.cancel()
    #expect(released == nil)
  }

  @Test func `the observation of one call can end as well`() async throws {
    let (call, count) = (Call(), Locked(0))
    let observation = call.observe { _ in count.withLock { $0 += 1 } }
    call.report(.requestSent)
    observation.cancel()
    call.report(.requestSent)
    #expect(count.current == 1)
  }

  /// Counts the tasks that have ended.
  private final class TaskCount: SessionObserver, CallObserver {
    let ended = Locked(0)
    var topics: CallEvent.Topics { .task }
    func observer(of task: SessionTask) -> (any CallObserver)? { self }

    func receive(_ event: CallEvent) {
      if case .taskCompleted = event.kind { ended.withLock { $0 += 1 } }
    }
  }

  @Test func `a call that is used for two tasks reports each once to the session's observers`()
    async throws
  {
    let count = TaskCount()
    var configuration = session.configuration
    configuration.observers = [count]
    let observed = URLSessionManager(configuration: configuration)
    var request = try Request("http://h/")
    request.call = Call()
    for _ in 1...2 { _ = try await observed.send(request) }
    #expect(count.ended.current == 2)
  }
}

extension Bool {
  /// Sets a new value, and returns the old one.
  fileprivate mutating func exchange(with value: Bool) -> Bool {
    defer { self = value }
    return self
  }
}
