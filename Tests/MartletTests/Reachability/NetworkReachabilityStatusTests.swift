import SpecificationCoverage
import Testing

@testable import Martlet

/// The four states.
struct NetworkReachabilityStatusTests {
  @Test(
    .covers("RCH-12", "RCH-4"),
    arguments: [
      (NetworkReachabilityStatus.unknown, -1, "Unknown", false),
      (.notReachable, 0, "Not Reachable", false),
      (.reachableViaCellular, 1, "Reachable via WWAN", true),
      (.reachableViaWiFi, 2, "Reachable via WiFi", true),
    ])
  func `a status has a number, words, and a meaning`(
    status: NetworkReachabilityStatus, number: Int, words: String, isReachable: Bool
  ) {
    #expect(status.rawValue == number)
    #expect(status.localizedDescription == words)
    #expect(status.isReachable == isReachable)
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
