#if os(Linux)
import Dispatch
import EssentialFoundation

/// The network state of Linux: links, addresses and routes, read over rtnetlink.
struct SystemNetwork: NetworkSource {
  func snapshots() -> AsyncStream<NetworkSnapshot>? {
    // The socket for changes is opened before the tables are first read, so that no change is missed.
    guard let changes = NetlinkSocket(groups: NetlinkSocket.changes), let tables = NetlinkSocket(),
      let (near, far) = Descriptor.makePair()
    else { return nil }
    let (stream, snapshots) = AsyncStream.makeStream(
      of: NetworkSnapshot.self, bufferingPolicy: .bufferingNewest(1))
    snapshots.onTermination = { _ in far.shutDown() }
    let monitor = NetworkMonitor(changes: changes, tables: tables, end: near)
    // A queue of its own, because it blocks.
    DispatchQueue(label: "martlet.netlink").async {
      monitor.run { snapshots.yield($0) }
      snapshots.finish()
    }
    return stream
  }
}

/// Reads the kernel's tables, and reads them again after each change.
struct NetworkMonitor: Sendable {
  /// The time in milliseconds from the first change of a burst until the tables are read.
  private static let burst: Int32 = 20
  /// The time in milliseconds until a failed read is repeated.
  private static let retryInterval: Int32 = 1000
  /// The number of times that tables are read if they change meanwhile. The last result is used as it is.
  private static let attempts: UInt32 = 5

  let changes: NetlinkSocket
  let tables: NetlinkSocket
  /// Readable when monitoring must end.
  let end: Descriptor

  func run(_ report: (NetworkSnapshot) -> Void) {
    var sequence: UInt32 = 0
    var snapshot: NetworkSnapshot?
    repeat {
      snapshot = read(&sequence)
      if let snapshot { report(snapshot) }
    } while waitForChange(limit: snapshot == nil ? Self.retryInterval : -1)
  }

  /// - Returns: Whether to read again, because there is a change, or because `limit` milliseconds have passed.
  private func waitForChange(limit: Int32) -> Bool {
    let isReady = Descriptor.wait(for: [end, changes.descriptor], limit: limit)
    guard !isReady[0], Descriptor.wait(for: [end], limit: Self.burst) == [false] else {
      return false
    }
    return isReady[1] ? changes.drain() : true
  }

  private func read(_ sequence: inout UInt32) -> NetworkSnapshot? {
    for attempt in 1...Self.attempts {
      guard let (snapshot, isWhole) = readOnce(&sequence) else { return nil }
      if isWhole || attempt == Self.attempts { return snapshot }
    }
    return nil
  }

  private func readOnce(_ sequence: inout UInt32) -> (NetworkSnapshot, isWhole: Bool)? {
    var (snapshot, isWhole) = (NetworkSnapshot(), true)
    for table in NetlinkTable.allCases {
      sequence &+= 1
      guard let (dump, end) = tables.dump(table, sequence: sequence), end != .failed else {
        return nil
      }
      isWhole = isWhole && end == .complete
      for message in dump.messages {
        snapshot.add(message) { NetworkInterface.Kind(name: $0, hardware: $1) }
      }
    }
    return (snapshot, isWhole)
  }
}
#endif

#if os(Linux)
import Dispatch
import EssentialFoundation

extension NetworkInterface.Kind {
  /// The kind of an interface.
  ///
  /// - Parameters:
  ///   - name: The kernel's name for it.
  ///   - hardware: The kernel's number for its type of hardware (`ARPHRD_…`).
  ///   - folder: The folder in which the kernel describes interfaces. The default is `/sys/class/net`.
  init(name: String, hardware: UInt16, folder: String = "/sys/class/net") {
    let place = "\(folder)/\(name)"
    let type = Self.deviceType(at: place)
    switch hardware {
    case 772: self = .loopback
    // Modems use raw IP.
    case 519: self = .cellular
    case _ where type == "wwan": self = .cellular
    case 1 where type == "wlan" || Self.hasRadio(at: place): self = .wifi
    // systemd's prefix for modems that behave like Ethernet.
    case 1 where name.hasPrefix("ww"): self = .cellular
    case 1, 32: self = .wired
    case 801...803: self = .wifi
    default: self = .other
    }
  }

  /// Returns the driver's type of the device; most drivers have none.
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
