#if os(Linux)
import EssentialFoundation
import Foundation
import SpecificationCoverage
import TestTiming
import Testing

@testable import Martlet
@testable import MartletEssentials

/// The kernel that runs the tests. Its reports of changes are tested by scripts/interop-reachability.
@Suite(.timeLimit(.minutes(5)))
struct SystemNetworkTests {
  /// Whether the kernel lets itself be asked.
  private static let isTold = SystemNetwork().snapshots() != nil

  @Test(.enabled(if: isTold, "this system permits no netlink sockets"))
  func `the kernel says at once how its network stands`() async throws {
    let snapshots = try #require(SystemNetwork().snapshots())
    let snapshot = try #require(await snapshots.first { _ in true })
    let loopback = snapshot.links.filter { $0.interface.kind == .loopback }
    #expect(loopback.map(\.interface.name) == ["lo"])
    #expect(snapshot.interface(towards: [127, 0, 0, 1])?.name == "lo")
  }

  @Test(
    .enabled(if: isTold, "this system permits no netlink sockets"),
    .covers("RCH-3", "T-RCH-06", "T-RCH-08"))
  func `this machine reaches itself`() async throws {
    let manager = NetworkReachabilityManager(host: "localhost")
    #expect(manager.startMonitoring())
    try await eventually { manager.isReachableViaWiFi }
    #expect(manager.interface == NetworkInterface(name: "lo", kind: .loopback))
  }

  @Test(.enabled(if: isTold, "this system permits no netlink sockets"))
  func `the thread that reads ends when its line is hung up`() async throws {
    let (near, far) = try #require(Descriptor.makePair())
    let watch = NetworkMonitor(
      changes: try #require(NetlinkSocket(groups: NetlinkSocket.changes)),
      tables: try #require(NetlinkSocket()), end: near)
    let (hasRead, hasEnded) = (Locked(false), Locked(false))
    Thread.detachNewThread {
      watch.run { _ in hasRead.withLock { $0 = true } }
      hasEnded.withLock { $0 = true }
    }
    try await eventually { hasRead.current }
    #expect(!hasEnded.current)
    far.shutDown()
    try await eventually { hasEnded.current }
  }

  @Test(arguments: [
    ("lo", UInt16(772), "", false, NetworkInterface.Kind.loopback),
    ("eth0", 1, "", false, .wired), ("wlan0", 1, "", true, .wifi),
    ("wlp3s0", 1, "DEVTYPE=wlan\n", false, .wifi), ("wwan0", 1, "DEVTYPE=wwan\n", false, .cellular),
    ("wwan0", 65534, "DEVTYPE=wwan\n", false, .cellular), ("wwp0s20", 1, "", false, .cellular),
    ("rmnet0", 519, "", false, .cellular), ("ib0", 32, "", false, .wired),
    ("mon0", 803, "", false, .wifi), ("wg0", 65534, "", false, .other),
    ("br0", 1, "DEVTYPE=bridge\n", false, .wired), ("ppp0", 512, "", false, .other),
  ])
  func `an interface's family is known by its hardware, its driver and its name`(
    name: String, hardware: UInt16, events: String, hasRadio: Bool, kind: NetworkInterface.Kind
  ) throws {
    let folder = try TemporaryFolder()
    let place = folder.url.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: hasRadio ? place.appendingPathComponent("phy80211") : place,
      withIntermediateDirectories: true)
    try Data("INTERFACE=\(name)\n\(events)".utf8).write(to: place.appendingPathComponent("uevent"))
    #expect(
      NetworkInterface.Kind(name: name, hardware: hardware, folder: folder.url.path) == kind)
  }
}
#endif
