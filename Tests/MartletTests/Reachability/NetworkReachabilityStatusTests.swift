import SpecificationCoverage
import Testing

@testable import Martlet
@testable import MartletEssentials

/// The four states.
struct NetworkReachabilityStatusTests {
  @Test(
    .covers("RCH-12", "RCH-4"),
    arguments: [
      (NetworkReachabilityStatus.unknown, -1, "Unknown", false),
      (.notReachable, 0, "Not Reachable", false),
      (.reachableViaCellular, 1, "Reachable via WWAN", true),
      (.reachableViaWiFi, 2, "Reachable", true),
    ])
  func `a status has a number, words, and a meaning`(
    status: NetworkReachabilityStatus, number: Int, words: String, isReachable: Bool
  ) {
    #expect(status.rawValue == number)
    #expect(status.localizedDescription == words)
    #expect(status.isReachable == isReachable)
  }

  @Test(arguments: [
    (NetworkInterface.Kind.wired, "Reachable via x (wired)"), (.wifi, "Reachable via x (Wi-Fi)"),
    (.loopback, "Reachable via x (loopback)"), (.cellular, "Reachable via x (cellular)"),
    (.other, "Reachable via x"),
  ])
  func `with its interface a status says what is known of the way`(
    kind: NetworkInterface.Kind, words: String
  ) {
    let interface = NetworkInterface(name: "x", kind: kind)
    let status = NetworkReachabilityStatus(through: interface)
    #expect(status.localizedDescription(through: interface) == words)
    #expect(
      NetworkReachabilityStatus.notReachable.localizedDescription(through: interface)
        == "Not Reachable")
  }

  @Test(
    .covers("RCH-5"),
    arguments: [NetworkInterface.Kind.wired, .wifi, .loopback, .other, .cellular])
  func `all but mobile networks count as Wi-Fi`(kind: NetworkInterface.Kind) {
    let status = NetworkReachabilityStatus(through: NetworkInterface(name: "x", kind: kind))
    #expect(status == (kind == .cellular ? .reachableViaCellular : .reachableViaWiFi))
  }

  @Test(.covers("RCH-5"))
  func `no measurement ends in unknown`() {
    #expect(NetworkReachabilityStatus(through: nil) == .notReachable)
  }
}
