#if canImport(Network)
import EssentialFoundation
import Network

/// The network state of Apple's path monitor. It does not distinguish hosts: every host outside this machine is reached
/// over the default route.
struct SystemNetwork: NetworkSource {
  func snapshots() -> AsyncStream<NetworkSnapshot>? {
    let (stream, snapshots) = AsyncStream.makeStream(
      of: NetworkSnapshot.self, bufferingPolicy: .bufferingNewest(1))
    let monitor = NWPathMonitor()
    monitor.pathUpdateHandler = { snapshots.yield(NetworkSnapshot($0)) }
    snapshots.onTermination = { _ in monitor.cancel() }
    monitor.start(queue: DispatchQueue(label: "martlet.reachability", qos: .utility))
    return stream
  }
}

extension NetworkSnapshot {
  /// A default route for each supported version of IP and each interface, in the system's order, and the routes to this
  /// machine.
  fileprivate init(_ path: NWPath) {
    add(NetworkInterface(name: "lo0", kind: .loopback), index: 0)
    for (bytes, length) in [([127, 0, 0, 0], 8), ([UInt8](repeating: 0, count: 15) + [1], 128)] {
      routes.append(
        Route(
          destination: AddressBlock(bytes, length), table: .local, metric: 0,
          outcome: .local))
    }
    guard path.status == .satisfied else { return }
    for (place, interface) in path.availableInterfaces.enumerated() {
      let kind = NetworkInterface.Kind(interface.type)
      let index = Int32(clamping: interface.index)
      add(NetworkInterface(name: interface.name, kind: kind), index: index)
      for size in (path.supportsIPv6 ? [16] : []) + (path.supportsIPv4 ? [4] : []) {
        addDefaultRoute(size: size, link: index, metric: UInt32(place))
      }
    }
  }

  private mutating func add(_ interface: NetworkInterface, index: Int32) {
    links.append(Link(index: index, interface: interface, isRunning: true))
  }

  /// Adds a default route, and an address of zeros: the system has an address, and its value does not matter.
  private mutating func addDefaultRoute(size: Int, link: Int32, metric: UInt32) {
    let zero = [UInt8](repeating: 0, count: size)
    addresses.append(Address(link: link, bytes: zero, isRoutable: true))
    routes.append(
      Route(
        destination: AddressBlock(zero, 0), table: .main, metric: metric,
        outcome: .unicast(through: [link])))
  }
}

extension NetworkInterface.Kind {
  fileprivate init(_ type: NWInterface.InterfaceType) {
    switch type {
    case .wiredEthernet: self = .wired
    case .wifi: self = .wifi
    case .cellular: self = .cellular
    case .loopback: self = .loopback
    default: self = .other
    }
  }
}
#endif
