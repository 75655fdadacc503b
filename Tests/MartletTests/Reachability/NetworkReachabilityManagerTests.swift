import EssentialFoundation
import Foundation
import SpecificationCoverage
import TestTiming
import Testing

@testable import Martlet
@testable import MartletEssentials

/// What applications see of reachability.
@Suite(.timeLimit(.minutes(5)))
struct NetworkReachabilityManagerTests {
  private let network = VirtualNetwork(.wired)

  private func manager(_ target: ReachabilityTarget = .defaultRoute) -> NetworkReachabilityManager {
    NetworkReachabilityManager(target, queue: .main, source: network)
  }

  private static let targets: [ReachabilityTarget] = [.defaultRoute, .host("localhost")]

  @Test(.covers("RCH-1", "T-RCH-03", "T-RCH-04"), arguments: targets)
  func `a manager knows nothing until it is started`(target: ReachabilityTarget) {
    let manager = manager(target)
    #expect(manager.networkReachabilityStatus == .unknown)
    #expect(manager.localizedNetworkReachabilityStatusString == "Unknown")
    #expect(!manager.isReachable && manager.interface == nil)
    #expect(network.watchers == 0)
  }

  @Test(.covers("RCH-8", "T-RCH-05", "T-RCH-06", "T-RCH-09"), arguments: targets)
  func `a manager that is started posts its status`(target: ReachabilityTarget) async throws {
    let manager = manager(target)
    let posts = ReachabilityPosts(about: manager)
    manager.startMonitoring()
    try await eventually { !posts.all.isEmpty }
    #expect(posts.all.map(\.status) == [.reachableViaWiFi])
    #expect(posts.all.map(\.isAboutManager) == [true])
    #expect(posts.all.map(\.isOnMainQueue) == [true])
  }

  @Test(.covers("RCH-6", "T-RCH-07", "T-RCH-08"), arguments: targets)
  func `a manager that is started calls its closure`(target: ReachabilityTarget) async throws {
    let manager = manager(target)
    let heard = Locked<[NetworkReachabilityStatus]>([])
    manager.onStatusChange = { status in heard.withLock { $0.append(status) } }
    #expect(manager.startMonitoring())
    try await eventually { !heard.current.isEmpty }
    #expect(heard.current == [.reachableViaWiFi])
    #expect(manager.interface?.name == (target == .defaultRoute ? "eth0" : "lo"))
  }

  @Test(.covers("RCH-8"))
  func `the status is stored before the closure is called, and that before the post`() async throws
  {
    let manager = manager()
    let order = Locked<[String]>([])
    manager.onStatusChange = { [weak manager] _ in
      order.withLock { $0.append("closure: \(manager?.isReachable ?? false)") }
    }
    let posts = ReachabilityPosts(about: manager) { order.withLock { $0.append("post") } }
    manager.startMonitoring()
    try await eventually { !posts.all.isEmpty }
    #expect(order.current == ["closure: true", "post"])
  }

  @Test(.covers("RCH-4", "RCH-9"))
  func `each change is reported, and nothing twice`() async throws {
    let manager = manager()
    let posts = ReachabilityPosts(about: manager)
    manager.startMonitoring()
    try await eventually { posts.all.count == 1 }
    #expect(manager.isReachable && manager.isReachableViaWiFi && !manager.isReachableViaCellular)
    network.become(.cellular)
    try await eventually { posts.all.count == 2 }
    #expect(manager.isReachable && !manager.isReachableViaWiFi && manager.isReachableViaCellular)
    network.become(.cellular)
    network.become(.offline)
    try await eventually { posts.all.count == 3 }
    #expect(!manager.isReachable && !manager.isReachableViaWiFi && !manager.isReachableViaCellular)
    network.become(.offline)
    network.become(.wifi)
    try await eventually { posts.all.count == 4 }
    #expect(
      posts.all.map(\.status) == [
        .reachableViaWiFi, .reachableViaCellular, .notReachable, .reachableViaWiFi,
      ])
  }

  @Test(.covers("RCH-13"))
  func `the status can be followed as a sequence, from what it is on`() async throws {
    let manager = manager()
    manager.startMonitoring()
    var seen: [NetworkReachabilityStatus] = []
    for await status in manager.statusUpdates where status != .unknown {
      seen.append(status)
      switch seen.count {
      case 1: network.become(.cellular)
      case 2: network.become(.offline)
      default: manager.stopMonitoring()
      }
      if seen.count == 3 { break }
    }
    #expect(seen == [.reachableViaWiFi, .reachableViaCellular, .notReachable])
    let now = await manager.statusUpdates.first { _ in true }
    #expect(now == .notReachable)
  }

  @Test func `another interface of the same kind is no change of status`() async throws {
    let manager = manager()
    let posts = ReachabilityPosts(about: manager)
    manager.startMonitoring()
    try await eventually { manager.interface?.name == "eth0" }
    network.become(.wifi)
    try await eventually { manager.interface?.name == "wlan0" }
    #expect(posts.all.count == 1)
  }

  @Test(.covers("RCH-7"))
  func `where the network cannot be found out, nothing is reported`() async throws {
    let blind = NetworkReachabilityManager(
      .defaultRoute, queue: .main, source: VirtualNetwork(isTold: false))
    #expect(!blind.startMonitoring())
    let silent = NetworkReachabilityManager(
      .defaultRoute, queue: .main, source: VirtualNetwork(nil))
    silent.onStatusChange = { _ in Issue.record("there is nothing to report") }
    #expect(silent.startMonitoring())
    let other = manager()
    other.startMonitoring()
    try await eventually { other.isReachable }
    #expect(silent.networkReachabilityStatus == .unknown)
  }

  @Test(.covers("RCH-11"))
  func `a manager that is stopped keeps its status and its closure`() async throws {
    let manager = manager()
    let heard = Locked<[NetworkReachabilityStatus]>([])
    manager.onStatusChange = { status in heard.withLock { $0.append(status) } }
    manager.startMonitoring()
    try await eventually { manager.isReachable }
    manager.stopMonitoring()
    try await eventually { network.watchers == 0 }
    network.become(.offline)
    #expect(manager.isReachable)
    manager.startMonitoring()
    try await eventually { heard.current.count == 2 }
    #expect(!manager.isReachable)
    #expect(heard.current == [.reachableViaWiFi, .notReachable])
  }

  @Test(.covers("RCH-6", "RCH-9"))
  func `a manager that is started again begins anew, with a first report`() async throws {
    let manager = manager()
    let posts = ReachabilityPosts(about: manager)
    manager.startMonitoring()
    try await eventually { posts.all.count == 1 }
    manager.startMonitoring()
    try await eventually { posts.all.count == 2 }
    try await eventually { network.watchers == 1 }
    #expect(posts.all.map(\.status) == [.reachableViaWiFi, .reachableViaWiFi])
  }

  @Test(.covers("RCH-11"))
  func `a manager that is dropped stops, and ends its updates`() async throws {
    var manager: NetworkReachabilityManager? = manager()
    let updates = try #require(manager?.statusUpdates)
    manager?.startMonitoring()
    try await eventually { manager?.isReachable == true }
    manager = nil
    try await eventually { network.watchers == 0 }
    for await _ in updates {}
  }

  @Test(.covers("RCH-10"))
  func `a report that is on its way when its manager goes is posted all the same`() {
    let posts = ReachabilityPosts(about: nil)
    NetworkReachabilityManager.deliver(
      ReachabilityState.Report(interface: nil, isStatusChange: true), to: nil)
    #expect(posts.all.filter { !$0.hasObject }.map(\.status) == [.notReachable])
  }

  @Test(.covers("RCH-15"))
  func `there is one closure: another takes its place`() async throws {
    let manager = manager()
    manager.onStatusChange = { _ in Issue.record("it has been replaced") }
    let isCalled = Locked(false)
    manager.onStatusChange = { _ in isCalled.withLock { $0 = true } }
    manager.startMonitoring()
    try await eventually { isCalled.current }
    manager.onStatusChange = nil
    network.become(.offline)
    try await eventually { !manager.isReachable }
  }

  @Test(.covers("RCH-14"))
  func `session managers refer to the shared manager, and do not start it`() {
    let api = HTTPSessionManager(baseURL: nil)
    #expect(api.reachabilityManager === NetworkReachabilityManager.shared)
    #expect(api.session.reachabilityManager === NetworkReachabilityManager.shared)
    #expect(NetworkReachabilityManager.shared.networkReachabilityStatus == .unknown)
  }

  @Test(.covers("RCH-3"))
  func `a manager is about the default route, a host, or an address`() async throws {
    network.become(.offline)
    let address = try #require(IPAddress(bytes: [127, 0, 0, 1], port: 0))
    let mapped = try #require(
      IPAddress(bytes: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 127, 0, 0, 1], port: 0))
    let far = try #require(IPAddress(bytes: [198, 51, 100, 1], port: 0))
    let expected: [(ReachabilityTarget, NetworkReachabilityStatus)] = [
      (.defaultRoute, .notReachable), (.host("localhost"), .reachableViaWiFi),
      (.address(address), .reachableViaWiFi), (.address(mapped), .reachableViaWiFi),
      (.address(far), .notReachable), (.host("198.51.100.1"), .notReachable),
    ]
    for (target, status) in expected {
      let manager = manager(target)
      manager.startMonitoring()
      try await eventually { manager.networkReachabilityStatus == status }
    }
  }
}

/// The notifications about one manager, or about all.
private final class ReachabilityPosts: Sendable {
  struct Post: Sendable {
    var status: NetworkReachabilityStatus?
    var isAboutManager: Bool
    var hasObject: Bool
    var isOnMainQueue: Bool
  }

  private static let mainQueue = DispatchSpecificKey<Void>()
  private let posts = Locked<[Post]>([])
  /// Unchecked: the token is only handed back, once, at the end.
  nonisolated(unsafe) private let token: any NSObjectProtocol

  init(about manager: NetworkReachabilityManager?, _ heard: @escaping @Sendable () -> Void = {}) {
    DispatchQueue.main.setSpecific(key: Self.mainQueue, value: ())
    let posts = posts
    token = NotificationCenter.default.addObserver(
      forName: .networkReachabilityDidChange, object: manager, queue: nil
    ) { [weak manager] note in
      heard()
      let post = Post(
        status: note.networkReachabilityStatus,
        isAboutManager: (note.object as? NetworkReachabilityManager).map { $0 === manager }
          ?? false,
        hasObject: note.object != nil,
        isOnMainQueue: DispatchQueue.getSpecific(key: Self.mainQueue) != nil)
      posts.withLock { $0.append(post) }
    }
  }

  deinit {
    NotificationCenter.default.removeObserver(token)
  }

  var all: [Post] { posts.current }
}
