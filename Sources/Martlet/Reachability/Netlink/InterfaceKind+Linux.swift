#if os(Linux)
import Foundation

extension NetworkInterface.Kind {
  /// The family of an interface.
  ///
  /// - Parameters:
  ///   - name: What the kernel calls it.
  ///   - hardware: The kernel's number for its kind of hardware (`ARPHRD_…`).
  ///   - folder: Where the kernel describes interfaces. The default is `/sys/class/net`.
  init(name: String, hardware: UInt16, folder: String = "/sys/class/net") {
    let place = "\(folder)/\(name)"
    let type = Self.deviceType(at: place)
    switch hardware {
    case 772: self = .loopback
    // Raw IP is what modems speak.
    case 519: self = .cellular
    case _ where type == "wwan": self = .cellular
    case 1 where type == "wlan" || Self.hasRadio(at: place): self = .wifi
    // systemd's names for modems that behave like Ethernet.
    case 1 where name.hasPrefix("ww"): self = .cellular
    case 1, 32: self = .wired
    case 801...803: self = .wifi
    default: self = .other
    }
  }

  /// What the driver calls such devices; most say nothing.
  private static func deviceType(at place: String) -> String? {
    guard let lines = try? String(contentsOfFile: "\(place)/uevent", encoding: .utf8) else {
      return nil
    }
    let line = lines.split(separator: "\n").first { $0.hasPrefix("DEVTYPE=") }
    return line.map { String($0.dropFirst(8)) }
  }

  private static func hasRadio(at place: String) -> Bool {
    ["wireless", "phy80211"].contains {
      FileManager.default.fileExists(atPath: "\(place)/\($0)")
    }
  }
}
#endif
