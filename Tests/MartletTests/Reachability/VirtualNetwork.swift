import EssentialFoundation

@testable import Martlet
@testable import MartletEssentials

/// A network that stands as a test says.
final class VirtualNetwork: NetworkSource {
  private struct State {
    var snapshot: NetworkSnapshot?
    var watchers: [AsyncStream<NetworkSnapshot>.Continuation] = []
    var gone = 0
  }

  private let state: Locked<State>
  private let isTold: Bool

  /// - Parameters:
  ///   - snapshot: How it stands; `nil` when that cannot be found out. The default is offline.
  ///   - isTold: Whether it lets itself be watched. The default is true.
  init(_ snapshot: NetworkSnapshot? = .offline, isTold: Bool = true) {
    state = Locked(State(snapshot: snapshot))
    self.isTold = isTold
  }

  /// How many watch.
  var watchers: Int { state.withLock { $0.watchers.count - $0.gone } }

  func snapshots() -> AsyncStream<NetworkSnapshot>? {
    guard isTold else { return nil }
    let (stream, watcher) = AsyncStream.makeStream(of: NetworkSnapshot.self)
    let snapshot = state.withLock { state in
      state.watchers.append(watcher)
      return state.snapshot
    }
    watcher.onTermination = { [state] _ in state.withLock { $0.gone += 1 } }
    if let snapshot { watcher.yield(snapshot) }
    return stream
  }

  /// Changes how it stands.
  func become(_ snapshot: NetworkSnapshot) {
    let watchers = state.withLock { state in
      state.snapshot = snapshot
      return state.watchers
    }
    for watcher in watchers { watcher.yield(snapshot) }
  }
}

extension NetworkSnapshot {
  /// Nothing but the machine itself.
  static var offline: NetworkSnapshot {
    var snapshot = NetworkSnapshot()
    snapshot.link("lo", .loopback, addresses: [[127, 0, 0, 1], .localhost6])
    snapshot.route(AddressBlock([127, 0, 0, 0], 8), .local, in: .local)
    snapshot.route(AddressBlock(.localhost6, 128), .local, in: .local)
    return snapshot
  }

  static let wired = online(over: .wired, "eth0")
  static let wifi = online(over: .wifi, "wlan0")
  static let cellular = online(over: .cellular, "wwan0")

  /// A default route for IPv4 through an interface with an address in 192.0.2.0/24.
  static func online(over kind: NetworkInterface.Kind, _ name: String) -> NetworkSnapshot {
    var snapshot = offline
    let link = snapshot.link(name, kind, addresses: [[192, 0, 2, 2]])
    snapshot.route(AddressBlock([192, 0, 2, 0], 24), .unicast(through: [link]))
    snapshot.route(.all4, .unicast(through: [link]))
    return snapshot
  }

  /// Adds a link.
  ///
  /// - Returns: Its index.
  @discardableResult
  mutating func link(
    _ name: String, _ kind: NetworkInterface.Kind, isRunning: Bool = true,
    addresses own: [[UInt8]] = []
  ) -> Int32 {
    let index = Int32(links.count + 1)
    links.append(
      Link(
        index: index, interface: NetworkInterface(name: name, kind: kind), isRunning: isRunning))
    for bytes in own {
      let isRoutable = kind != .loopback && !bytes.starts(with: [0xFE, 0x80])
      addresses.append(Address(link: index, bytes: bytes, isRoutable: isRoutable))
    }
    return index
  }

  /// Adds a route.
  mutating func route(
    _ destination: AddressBlock, _ outcome: Route.Outcome, in table: RouteTable = .main,
    metric: UInt32 = 0
  ) {
    routes.append(
      Route(destination: destination, table: table, metric: metric, outcome: outcome))
  }
}

extension AddressBlock {
  static let all4 = AddressBlock([0, 0, 0, 0], 0)
  static let all6 = AddressBlock(Array(repeating: 0, count: 16), 0)
}

extension [UInt8] {
  static let localhost6 = [UInt8](repeating: 0, count: 15) + [1]
  static let anywhere4: [UInt8] = [0, 0, 0, 0]
  static let anywhere6 = [UInt8](repeating: 0, count: 16)

  /// An IPv6 address by its first bytes and its last.
  static func six(_ first: UInt8..., last: UInt8) -> [UInt8] {
    first + [UInt8](repeating: 0, count: 15 - first.count) + [last]
  }
}
