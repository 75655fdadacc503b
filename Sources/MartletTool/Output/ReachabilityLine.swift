import Foundation
import Martlet
import MartletCore

/// How something is reached, as a line.
///
///     2026-01-31T12:00:00.250Z Reachable via eth0 (wired)
struct ReachabilityLine {
  let status: NetworkReachabilityStatus
  let interface: NetworkInterface?
  let time: Date

  var text: String {
    let stamp = time.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    return "\(stamp) \(status.localizedDescription(through: interface).visible)"
  }
}
