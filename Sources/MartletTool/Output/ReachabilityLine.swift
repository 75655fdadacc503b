import Foundation
import Martlet

/// How something is reached, as a line.
///
///     2026-01-31T12:00:00.250Z Reachable via WiFi (eth0, wired)
struct ReachabilityLine {
  let status: NetworkReachabilityStatus
  let interface: NetworkInterface?
  let time: Date

  var text: String {
    let stamp = time.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    return "\(stamp) \(status.localizedDescription)\(way)"
  }

  private var way: String {
    guard status.isReachable, let interface else { return "" }
    let kind = interface.kind == .other ? "" : ", \(interface.kind.rawValue)"
    return " (\(interface.name.masked)\(kind))"
  }
}
