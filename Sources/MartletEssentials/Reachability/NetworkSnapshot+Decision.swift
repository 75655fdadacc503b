/// The choice of the interface through which packets leave this machine.
extension NetworkSnapshot {
  /// Returns the interface for the first of several addresses that has one, or `nil` when none has.
  func interface(towardsAnyOf addresses: [[UInt8]]) -> NetworkInterface? {
    addresses.lazy.compactMap { interface(towards: $0) }.first
  }

  /// Returns the interface through which packets to `address` leave, or `nil` when they cannot leave.
  ///
  /// 1. The tables are searched in order. The first table that has a route for the address decides, unless that route
  ///    leaves the decision to the next table.
  /// 2. Within it, the route with the longest matching prefix decides.
  /// 3. Of several such routes, the one with the lowest metric whose link works decides.
  ///
  /// The address has four bytes or sixteen. The address of zeros matches only default routes.
  func interface(towards address: [UInt8]) -> NetworkInterface? {
    let matching = routes.filter { $0.destination.covers(address) }
    for table in Set(matching.map(\.table)).sorted() {
      let known = matching.filter { $0.table == table }
      let length = known.map(\.destination.bits).max()
      let best = known.filter { $0.destination.bits == length }.sorted { $0.metric < $1.metric }
      switch verdict(of: best, on: address) {
      case .interface(let interface): return interface
      case .refused: return nil
      case .nextTable: continue
      }
    }
    return nil
  }

  private enum Verdict {
    case interface(NetworkInterface)
    case refused
    case nextTable
  }

  private func verdict(of routes: [Route], on address: [UInt8]) -> Verdict {
    for route in routes {
      switch route.outcome {
      case .unicast(let links):
        guard let interface = links.lazy.compactMap({ working($0, for: address) }).first else {
          continue
        }
        return .interface(interface)
      case .local:
        guard let loopback else { continue }
        return .interface(loopback)
      case .unreachable: return .refused
      case .nextTable: return .nextTable
      }
    }
    return .refused
  }

  /// The loopback interface, if it is running.
  private var loopback: NetworkInterface? {
    links.first { $0.interface.kind == .loopback && $0.isRunning }?.interface
  }

  /// Returns the interface of a link if the link is running and has a source address for packets to `address`.
  private func working(_ index: Int32, for address: [UInt8]) -> NetworkInterface? {
    guard let link = links.first(where: { $0.index == index }), link.isRunning,
      addresses.contains(where: {
        $0.isSource(on: link, for: address) || isUsableOnOtherLinks($0, for: address)
      })
    else { return nil }
    return link.interface
  }

  /// Whether an address may be used on links that have no address of their own: the loopback link may have addresses
  /// for that purpose.
  private func isUsableOnOtherLinks(_ own: Address, for address: [UInt8]) -> Bool {
    guard own.isRoutable, own.bytes.count == address.count else { return false }
    return links.contains { $0.index == own.link && $0.interface.kind == .loopback }
  }
}

extension NetworkSnapshot.Address {
  /// Whether packets to `address` can have this source address.
  fileprivate func isSource(on link: NetworkSnapshot.Link, for address: [UInt8]) -> Bool {
    self.link == link.index && bytes.count == address.count
      && (isRoutable || address.isLinkLocal)
  }
}

extension [UInt8] {
  /// 169.254.0.0/16 (RFC 3927 §2.1) and fe80::/10 (RFC 4291 §2.4).
  fileprivate var isLinkLocal: Bool {
    count == 4 ? starts(with: [169, 254]) : self[0] == 0xFE && self[1] & 0xC0 == 0x80
  }
}
