import EssentialFoundation
import Foundation
import SpecificationCoverage
import TestTiming
import Testing

@testable import Martlet
@testable import MartletEssentials

/// What is done about each thing that happens to a target.
@Suite(.timeLimit(.minutes(5)))
struct ReachabilityStateTests {
  private static let near = IPAddress(bytes: [192, 0, 2, 7], port: 0)
  private static let far = IPAddress(bytes: [198, 51, 100, 7], port: 0)

  private func report(_ name: String?, isNews: Bool = true) -> ReachabilityState.Report {
    ReachabilityState.Report(
      interface: name.map { NetworkInterface(name: $0, kind: $0 == "eth0" ? .wired : .wifi) },
      isStatusChange: isNews)
  }

  /// Gives an input to the state, and expects the next step.
  private func tell(
    _ state: inout ReachabilityState, _ input: ReachabilityState.Input,
    _ report: ReachabilityState.Report? = nil, _ lookUp: ReachabilityState.LookUp? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let step = state.handle(input)
    #expect(
      step == ReachabilityState.Step(report: report, lookUp: lookUp), sourceLocation: sourceLocation
    )
  }

  @Test(.covers("RCH-9"))
  func `the first measurement is news, and then each other status`() {
    var state = ReachabilityState(.defaultRoute)
    tell(&state, .network(.offline), report(nil))
    tell(&state, .network(.offline))
    tell(&state, .network(.wired), report("eth0"))
    tell(&state, .network(.wifi), report("wlan0", isNews: false))
    tell(&state, .network(.offline), report(nil))
  }

  @Test func `a change of the network that changes nothing for the target is not reported`() {
    var state = ReachabilityState(.defaultRoute)
    tell(&state, .network(.wired), report("eth0"))
    var other = NetworkSnapshot.wired
    other.link("docker0", .wired, addresses: [[10, 0, 0, 1]])
    tell(&state, .network(other))
  }

  @Test func `a host is looked up before it is reported on`() throws {
    var state = ReachabilityState(.host("tern.example"))
    tell(&state, .network(.wired), nil, .now)
    tell(&state, .found([try #require(Self.far)]), report("eth0"))
  }

  @Test func `a host is looked up again when the network has changed, and reported on at once`()
    throws
  {
    var state = ReachabilityState(.host("tern.example"))
    tell(&state, .network(.wired), nil, .now)
    tell(&state, .found([try #require(Self.far)]), report("eth0"))
    tell(&state, .network(.wired))
    tell(&state, .network(.offline), report(nil), .now)
    tell(&state, .found(nil))
    tell(&state, .network(.wired), report("eth0"), .now)
    tell(&state, .found([try #require(Self.near)]))
  }

  @Test func `one look-up is under way at a time, and repeated if the network changed meanwhile`()
    throws
  {
    var state = ReachabilityState(.host("tern.example"))
    tell(&state, .network(.offline), nil, .now)
    tell(&state, .network(.wired))
    tell(&state, .network(.wifi))
    let found = try #require(Self.far)
    tell(&state, .found([found]), report("wlan0"), .now)
    tell(&state, .found([found]))
  }

  @Test func `a host that cannot be looked up is not reachable, and tried again ever more seldom`()
  {
    var state = ReachabilityState(.host("nowhere.example"))
    tell(&state, .network(.wired), nil, .now)
    tell(&state, .found(nil), report(nil), .later(.seconds(1)))
    for seconds in [2, 4, 8, 16, 32, 64, 64, 64] {
      tell(&state, .retry, nil, .now)
      tell(&state, .found(nil), nil, .later(.seconds(seconds)))
    }
  }

  @Test func `a look-up that the network brings about leaves one pause, not two`() throws {
    var state = ReachabilityState(.host("tern.example"))
    tell(&state, .network(.offline), nil, .now)
    tell(&state, .found(nil), report(nil), .later(.seconds(1)))
    tell(&state, .network(.wired), nil, .now)
    tell(&state, .retry)
    tell(&state, .found(nil), nil, .later(.seconds(2)))
    tell(&state, .network(.wifi), nil, .now)
    tell(&state, .found(nil))
    tell(&state, .retry, nil, .now)
    tell(&state, .found([try #require(Self.far)]), report("wlan0"))
  }

  @Test func `the monitor looks a host up when it has to, and not otherwise`() async throws {
    let network = VirtualNetwork(.wired)
    let asked = Locked<[String]>([])
    let pauses = Locked<[Duration]>([])
    let answer = Locked<IPAddress?>(nil)
    let monitor = ReachabilityMonitor(target: .host("tern.example")) { host in
      asked.withLock { $0.append(host) }
      guard let address = answer.current else { throw MartletError(.unknownHost, "no") }
      return [address]
    } pause: { delay in
      pauses.withLock { $0.append(delay) }
      answer.withLock { $0 = Self.far }
    }
    let snapshots = try #require(network.snapshots())
    let reports = Locked<[NetworkReachabilityStatus]>([])
    let running = Task {
      await monitor.run(over: snapshots) { report in
        reports.withLock { $0.append(report.status) }
      }
    }
    try await eventually { reports.current.count == 2 }
    network.become(.wired)
    network.become(.offline)
    try await eventually { asked.current.count == 3 }
    running.cancel()
    await running.value
    #expect(reports.current == [.notReachable, .reachableViaWiFi, .notReachable])
    #expect(asked.current == ["tern.example", "tern.example", "tern.example"])
    #expect(pauses.current == [.seconds(1)])
    #expect(network.watchers == 0)
  }
}
