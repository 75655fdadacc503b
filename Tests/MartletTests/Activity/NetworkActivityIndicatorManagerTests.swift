import EssentialFoundation
import Foundation
import MartletTesting
import SpecificationCoverage
import TestTiming
import Testing

@testable import Martlet
@testable import MartletEssentials

/// The indicator as applications see it. The clock is the test's; requests take their real time.
@Suite(.timeLimit(.minutes(5)))
struct NetworkActivityIndicatorManagerTests {
  private let server: LoopbackServer
  private let session = URLSessionManager()
  private let clock = ManualSchedule()
  private let indicator: NetworkActivityIndicatorManager
  private let heard = Locked<[Bool]>([])
  /// Whether `/held` and `/missing` send their responses.
  private let isLetGo = AwaitableValue(false)

  init() async throws {
    let isLetGo = isLetGo
    let held = ServerRoute.get("/held/:name") { _ in
      try await isLetGo.wait { $0 }
      return .text("{}")
    }
    let missing = ServerRoute.get("/missing") { _ in
      try await isLetGo.wait { $0 }
      return ServerResponse(.notFound)
    }
    server = try await .start(router: ServerRouter([held, missing]))
    session.responseSerializer = HTTPResponseSerializer()
    // The tasks of other tests must not be counted.
    let port = server.port
    indicator = NetworkActivityIndicatorManager(clock) { $0.originalRequest.url.port == port }
    let heard = heard
    indicator.onVisibilityChange = { isVisible in heard.withLock { $0.append(isVisible) } }
    indicator.isEnabled = true
  }

  private func task(_ path: String = "/held/1") -> SessionTask {
    session.dataTask(with: Request(url: server.url(path))) { _, _, _ in }
  }

  /// Waits until `count` tasks are under way, and runs the indicator's work that is due.
  private func settle(at count: Int) async throws {
    try await eventually { indicator.activityCount == count }
    // The main queue counts a task, and schedules work for it afterwards.
    await withCheckedContinuation { counted in DispatchQueue.main.async { counted.resume() } }
    clock.advance()
  }

  @Test(
    .covers("ACT-1", "ACT-3", "ACT-6", "ACT-7", "T-ACT-01", "T-ACT-02"),
    arguments: ["/held/1", "/missing"])
  func `without delays a request shows, and hides when it has ended well or badly`(path: String)
    async throws
  {
    (indicator.activationDelay, indicator.completionDelay) = (.zero, .zero)
    let isWell = Locked<Bool?>(nil)
    let task = session.dataTask(with: Request(url: server.url(path))) { _, _, error in
      isWell.withLock { $0 = error == nil }
    }
    task.resume()
    try await settle(at: 1)
    #expect(heard.current == [true])
    #expect(indicator.isNetworkActivityIndicatorVisible)
    isLetGo.update { $0 = true }
    try await settle(at: 0)
    #expect(heard.current == [true, false])
    #expect(!indicator.isNetworkActivityIndicatorVisible)
    #expect(isWell.current == (path == "/held/1"))
  }

  @Test(.covers("ACT-9", "T-ACT-03"))
  func `a request shows after the first delay, and hides after the second`() async throws {
    (indicator.activationDelay, indicator.completionDelay) = (.seconds(1), .seconds(1))
    task().resume()
    try await settle(at: 1)
    clock.advance(by: .milliseconds(999))
    #expect(heard.current == [])
    clock.advance(by: .milliseconds(1))
    #expect(heard.current == [true])
    isLetGo.update { $0 = true }
    try await settle(at: 0)
    clock.advance(by: .milliseconds(999))
    #expect(heard.current == [true])
    clock.advance(by: .milliseconds(1))
    #expect(heard.current == [true, false])
  }

  @Test(.covers("ACT-7", "ACT-9", "T-ACT-04"))
  func `two requests at once show and hide once`() async throws {
    (indicator.activationDelay, indicator.completionDelay) = (.seconds(1), .seconds(1))
    let (one, other) = (task("/held/1"), task("/held/2"))
    one.resume()
    other.resume()
    try await settle(at: 2)
    clock.advance(by: .seconds(2))
    one.cancel()
    try await settle(at: 1)
    clock.advance(by: .seconds(2))
    #expect(heard.current == [true])
    isLetGo.update { $0 = true }
    try await settle(at: 0)
    clock.advance(by: .seconds(2))
    #expect(heard.current == [true, false])
  }

  @Test(.covers("ACT-12", "T-ACT-05"))
  func `the count changes once, and observably, for each increment`() async throws {
    let indicator = NetworkActivityIndicatorManager { _ in false }
    var seen: [Int] = []
    for await count in indicator.activityCountUpdates {
      seen.append(count)
      #expect(indicator.activityCount == count)
      switch seen.count {
      case 1: indicator.incrementActivityCount()
      case 2: indicator.decrementActivityCount()
      case 3:
        // Nothing changes, and then something does.
        indicator.decrementActivityCount()
        indicator.incrementActivityCount()
      default: break
      }
      if seen.count == 4 { break }
    }
    #expect(seen == [0, 1, 0, 1])
  }

  @Test(.covers("ACT-1", "ACT-10"))
  func `a task that is suspended and then cancelled is counted off once`() async throws {
    let (one, other) = (task("/held/1"), task("/held/2"))
    one.resume()
    other.resume()
    try await settle(at: 2)
    one.suspend()
    try await settle(at: 1)
    one.resume()
    try await settle(at: 2)
    one.suspend()
    try await settle(at: 1)
    let isOver = Locked(false)
    let observation = TaskObservation(of: one) { _, notice in
      if notice == .completed { isOver.withLock { $0 = true } }
    }
    one.cancel()
    try await eventually { isOver.current }
    #expect(indicator.activityCount == 1)
    isLetGo.update { $0 = true }
    try await settle(at: 0)
    withExtendedLifetime(observation) {}
  }

  @Test func `a task whose file is moved goes on`() async throws {
    let download = task("/held/1")
    download.resume()
    try await settle(at: 1)
    let isResumed = Locked(false)
    let observation = TaskObservation(of: download) { _, notice in
      if notice == .resumed { isResumed.withLock { $0 = true } }
    }
    download.notify(.fileMoved)
    download.notify(.resumed)
    try await eventually { isResumed.current }
    #expect(indicator.activityCount == 1)
    isLetGo.update { $0 = true }
    try await settle(at: 0)
    withExtendedLifetime(observation) {}
  }

  @Test(.covers("ACT-2", "ACT-3", "ACT-8"))
  func `disabled it hides and goes on counting; enabled it shows what is going on`() {
    indicator.incrementActivityCount()
    clock.advance(by: .seconds(1))
    #expect(heard.current == [true])
    indicator.isEnabled = false
    #expect(!indicator.isNetworkActivityIndicatorVisible)
    clock.advance()
    #expect(heard.current == [true, false])
    indicator.incrementActivityCount()
    clock.advance(by: .seconds(9))
    #expect(indicator.activityCount == 2)
    #expect(heard.current == [true, false])
    indicator.isEnabled = true
    #expect(indicator.isEnabled)
    clock.advance(by: .seconds(1))
    #expect(heard.current == [true, false, true])
  }

  @Test(.covers("ACT-11"))
  func `a manager that is dropped shows nothing any more`() {
    let heard = Locked<[Bool]>([])
    var indicator: NetworkActivityIndicatorManager? = NetworkActivityIndicatorManager(clock) { _ in
      false
    }
    indicator?.onVisibilityChange = { isVisible in heard.withLock { $0.append(isVisible) } }
    indicator?.isEnabled = true
    indicator?.incrementActivityCount()
    clock.advance()
    weak let dropped = indicator
    indicator = nil
    #expect(dropped == nil)
    clock.advance(by: .seconds(9))
    #expect(heard.current == [])
  }

  @Test(.covers("ACT-11"))
  func `by itself it works on the main queue`() async throws {
    let indicator = NetworkActivityIndicatorManager { _ in false }
    #expect(indicator.activationDelay == .seconds(1) && !indicator.isEnabled)
    #expect(indicator.completionDelay == .milliseconds(170))
    (indicator.activationDelay, indicator.completionDelay) = (.zero, .zero)
    let heard = Locked<[Bool]>([])
    indicator.onVisibilityChange = { isVisible in
      MainActor.assertIsolated()
      heard.withLock { $0.append(isVisible) }
    }
    indicator.isEnabled = true
    try await indicator.withActivity {
      try await eventually { heard.current == [true] }
    }
    try await eventually { heard.current == [true, false] }
    #expect(!NetworkActivityIndicatorManager.shared.isEnabled)
  }
}
