#if os(Linux)
import Foundation

/// The network as Linux knows it: links, addresses and routes, over rtnetlink.
struct SystemNetwork: NetworkSource {
  func snapshots() -> AsyncStream<NetworkSnapshot>? {
    // Changes are listened for before the tables are read for the first time, so that none is missed.
    guard let changes = NetlinkSocket(groups: NetlinkSocket.changes), let tables = NetlinkSocket(),
      let (near, far) = Descriptor.line()
    else { return nil }
    let (stream, snapshots) = AsyncStream.makeStream(
      of: NetworkSnapshot.self, bufferingPolicy: .bufferingNewest(1))
    snapshots.onTermination = { _ in far.hangUp() }
    let watch = NetworkWatch(changes: changes, tables: tables, end: near)
    // A thread of its own, for it waits.
    Thread.detachNewThread {
      watch.run { snapshots.yield($0) }
      snapshots.finish()
    }
    return stream
  }
}

/// Reads the kernel's tables, and again each time that it says that something has changed.
struct NetworkWatch: Sendable {
  /// Changes come in bursts; this long after the first, in milliseconds, all is read once.
  private static let burst: Int32 = 20
  /// When to try again, in milliseconds, what could not be read.
  private static let patience: Int32 = 1000
  /// How often to read tables that change under the reading, before taking them as they are.
  private static let attempts: UInt32 = 5

  let changes: NetlinkSocket
  let tables: NetlinkSocket
  /// Closed to end the thread.
  let end: Descriptor

  func run(_ report: (NetworkSnapshot) -> Void) {
    var sequence: UInt32 = 0
    var snapshot: NetworkSnapshot?
    repeat {
      snapshot = read(&sequence)
      if let snapshot { report(snapshot) }
    } while waitForChange(limit: snapshot == nil ? Self.patience : -1)
  }

  /// - Returns: Whether to read again, for there is a change, or for so many milliseconds have passed.
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
