import Foundation
import Testing

@testable import Martlet
@testable import MartletEssentials
@testable import MartletTool

/// How something is reached, as a line.
struct ReachabilityLineTests {
  private func line(
    _ status: NetworkReachabilityStatus, _ interface: NetworkInterface? = nil
  ) -> String {
    ReachabilityLine(
      status: status, interface: interface, time: Date(timeIntervalSince1970: 1_769_860_800.25)
    ).text
  }

  @Test(arguments: [
    ("eth0", NetworkInterface.Kind.wired, "Reachable via eth0 (wired)"),
    ("wlan0", .wifi, "Reachable via wlan0 (Wi-Fi)"),
    ("lo", .loopback, "Reachable via lo (loopback)"),
    ("wg0", .other, "Reachable via wg0"),
    ("a\u{1B}[2J", .other, "Reachable via a\\u{1b}[2J"),
  ])
  func `a line has the time, the status, and the interface`(
    name: String, kind: NetworkInterface.Kind, words: String
  ) {
    let interface = NetworkInterface(name: name, kind: kind)
    #expect(line(.reachableViaWiFi, interface) == "2026-01-31T12:00:00.250Z \(words)")
  }

  @Test func `where nothing leads there is no interface`() {
    let interface = NetworkInterface(name: "eth0", kind: .wired)
    #expect(line(.notReachable, interface) == "2026-01-31T12:00:00.250Z Not Reachable")
    #expect(line(.reachableViaCellular) == "2026-01-31T12:00:00.250Z Reachable via WWAN")
    #expect(line(.reachableViaWiFi) == "2026-01-31T12:00:00.250Z Reachable")
  }
}
