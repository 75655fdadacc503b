import EssentialFoundation
import Foundation
import Martlet
import MartletTesting
import NIOCore
import SpecificationCoverage
import TestTiming
import Testing

/// The end of a session, and its beginning anew.
@Suite(.timeLimit(.minutes(5)))
struct InvalidationTests {
  private let server: LoopbackServer
  private let session = URLSessionManager()

  init() async throws {
    server = try await .start()
    session.completionQueue = .global()
  }

  @Test(.covers("SES-L9", "SES-L6"), arguments: [true, false])
  func `its end is reported once the last task is over, by hook and notification`(cancels: Bool)
    async throws
  {
    let told = Locked<[String]>([])
    session.onSessionInvalidation = { told.withLock { $0.append("hook") } }
    let token = NotificationCenter.default.addObserver(
      forName: .sessionDidInvalidate, object: session, queue: nil
    ) { _ in told.withLock { $0.append("notification") } }
    defer { NotificationCenter.default.removeObserver(token) }
    let task = session.dataTask(with: Request(url: server.url("/delay/1"))) { _, _, _ in
      told.withLock { $0.append("task") }
    }
    task.resume()
    session.invalidateSession(cancelingTasks: cancels)
    session.invalidateSession(cancelingTasks: cancels)
    #expect(session.isInvalidated)
    try await eventually { told.current.count == 3 }
    #expect(task.error?.code == (cancels ? .cancelled : nil))
    #expect(told.current.filter { $0 != "task" } == ["hook", "notification"])
  }

  @Test(.covers("SES-L6"))
  func `tasks that were left to finish can still be cancelled, and the end is reported once`()
    async throws
  {
    let told = Locked(0)
    session.onSessionInvalidation = { told.withLock { $0 += 1 } }
    let task = session.dataTask(with: Request(url: server.url("/delay/9"))) { _, _, _ in }
    task.resume()
    session.invalidateSession(cancelingTasks: false)
    session.invalidateSession(cancelingTasks: true)
    await #expect(throws: MartletError.self) { try await task.value }
    #expect(task.error?.code == .cancelled)
    try await eventually { told.current > 0 }
    #expect(told.current == 1)
  }

  @Test func `a snapshot has the connections of a session, which close at its end`() async throws {
    #expect(try await session.send(Request(url: server.url("/get"))).status == .ok)
    #expect(await session.snapshot()?.servers.map(\.connections.count) == [1])
    session.invalidateSession(cancelingTasks: true)
    try await server.waitForOpenConnections(0)
    #expect(await session.snapshot()?.servers.isEmpty == true)
  }

  @Test(.covers("SES-L7"))
  func `a session that has ended begins anew when it is reset`() async throws {
    session.invalidateSession(cancelingTasks: true)
    session.invalidateSession(cancelingTasks: true, resettingSession: true)
    #expect(!session.isInvalidated)
    #expect(try await session.send(Request(url: server.url("/get"))).status == .ok)
  }

  @Test(.covers("SES-L7", "T-SES-05"))
  func `a session that is not reset takes nothing more`() async throws {
    session.invalidateSession(cancelingTasks: true)
    let error = await #expect(throws: MartletError.self) {
      try await session.send(Request(url: server.url("/get")))
    }
    #expect(error?.code == .shutDown)
  }

  @Test(.covers("SES-L7", "SES-L8", "SES-L2", "T-SES-06"))
  func `a session that is reset goes on over new connections, and finishes what it had begun`()
    async throws
  {
    _ = try await session.send(Request(url: server.url("/get")))
    let old = session.dataTask(with: Request(url: server.url("/delay/1"))) { _, _, _ in }
    old.resume()
    try await eventually { server.requestCount == 2 || server.openConnectionCount == 1 }
    session.invalidateSession(cancelingTasks: false, resettingSession: true)
    #expect(!session.isInvalidated)
    let accepted = server.connectionCount
    let new = session.dataTask(with: Request(url: server.url("/get"))) { _, _, _ in }
    #expect(new.taskIdentifier > old.taskIdentifier)
    new.resume()
    #expect(try await new.value.status == .ok)
    #expect(server.connectionCount == accepted + 1)
    #expect(try await old.value.status == .ok)
    // The old connection goes with the last task that needed it.
    try await server.waitForOpenConnections(1)
  }

  @Test(.covers("SES-L6"))
  func `a task that was made before the reset keeps to what it was made with`() async throws {
    let old = session.dataTask(with: Request(url: server.url("/get"))) { _, _, _ in }
    session.invalidateSession(cancelingTasks: false, resettingSession: true)
    old.resume()
    #expect(try await old.value.status == .ok)
  }
}
