/// Reading the kernel's messages about the network (rtnetlink(7)).
extension NetworkSnapshot {
  /// Returns the kind of an interface, given its name and its type of hardware.
  typealias Classify = (_ name: String, _ hardware: UInt16) -> NetworkInterface.Kind

  /// Adds the link, address or route of a message. Malformed and irrelevant messages are ignored.
  mutating func add(_ message: NetlinkMessage, classify: Classify) {
    switch message.kind {
    case .link: Link(message.payload, classify).map { links.append($0) }
    case .address: Address(message.payload).map { addresses.append($0) }
    case .route: Route(message.payload).map { routes.append($0) }
    default: break
    }
  }
}

extension NetworkSnapshot.Link {
  /// `struct ifinfomsg`.
  fileprivate init?(_ bytes: ArraySlice<UInt8>, _ classify: NetworkSnapshot.Classify) {
    // Messages of other families describe the same links again, as ports of a bridge for example.
    guard bytes.first == 0, let hardware = bytes.number(UInt16.self, at: 2),
      let index = bytes.number(Int32.self, at: 4), let flags = bytes.number(UInt32.self, at: 8),
      let name = NetlinkAttributes(bytes.dropFirst(16)).first(where: { $0.kind == 3 })?.value
    else { return nil }
    let text = String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
    interface = NetworkInterface(name: text, kind: classify(text, hardware))
    self.index = index
    // IFF_UP: it is switched on; IFF_RUNNING: it is connected.
    let wanted: UInt32 = 0x1 | 0x40
    isRunning = flags & wanted == wanted
  }
}

extension NetworkSnapshot.Address {
  /// `struct ifaddrmsg`.
  fileprivate init?(_ bytes: ArraySlice<UInt8>) {
    guard let family = bytes.first, var flags = bytes.number(UInt8.self, at: 2).map(UInt32.init),
      let scope = bytes.number(UInt8.self, at: 3), let link = bytes.number(Int32.self, at: 4)
    else { return nil }
    var own: ArraySlice<UInt8>?
    for attribute in NetlinkAttributes(bytes.dropFirst(8)) {
      switch attribute.kind {
      case 1: own = own ?? attribute.value
      // IFA_LOCAL: on a point-to-point link, this is our address, and IFA_ADDRESS is the peer's.
      case 2: own = attribute.value
      case 8: flags = attribute.value.number(UInt32.self, at: 0) ?? flags
      default: break
      }
    }
    // IFA_F_TENTATIVE and IFA_F_DADFAILED: another host may have, or has, the same address.
    guard let own, own.count == IPFamily.size(family), flags & (0x40 | 0x08) == 0 else {
      return nil
    }
    self.link = link
    self.bytes = Array(own)
    // From RT_SCOPE_LINK on, an address is not valid beyond its link.
    isRoutable = scope < 253
  }
}

extension NetworkSnapshot.Route {
  /// `struct rtmsg`.
  fileprivate init?(_ bytes: ArraySlice<UInt8>) {
    guard let size = bytes.first.flatMap(IPFamily.size),
      let length = bytes.number(UInt8.self, at: 1),
      length <= size * 8, let short = bytes.number(UInt8.self, at: 4),
      let kind = bytes.number(UInt8.self, at: 7), let flags = bytes.number(UInt32.self, at: 8)
    else { return nil }
    var destination = [UInt8](repeating: 0, count: size)[...]
    var links: [Int32] = []
    (table, metric) = (RouteTable(number: UInt32(short)), 0)
    for attribute in NetlinkAttributes(bytes.dropFirst(12)) {
      switch attribute.kind {
      case 1: destination = attribute.value
      case 4: attribute.value.number(Int32.self, at: 0).map { links.append($0) }
      case 6: metric = attribute.value.number(UInt32.self, at: 0) ?? metric
      case 9: links += Self.nextHops(attribute.value)
      case 15: table = attribute.value.number(UInt32.self, at: 0).map(RouteTable.init) ?? table
      default: break
      }
    }
    // RTM_F_CLONED: a cached copy of a route. RTNH_F_DEAD: its link is gone.
    guard destination.count == size, flags & (0x200 | 0x1) == 0 else { return nil }
    self.destination = AddressBlock(Array(destination), Int(length))
    switch kind {
    case 1: outcome = .unicast(through: links)
    case 2: outcome = .local
    // Blackhole, unreachable, prohibit.
    case 6...8: outcome = .unreachable
    case 9: outcome = .nextTable
    default: return nil
    }
  }

  /// The links of `struct rtnexthop`, one after another.
  private static func nextHops(_ bytes: ArraySlice<UInt8>) -> [Int32] {
    var links: [Int32] = []
    var rest = bytes
    while let length = rest.number(UInt16.self, at: 0).map(Int.init), length >= 8,
      let flags = rest.number(UInt8.self, at: 2), let link = rest.number(Int32.self, at: 4)
    {
      if flags & 0x1 == 0 { links.append(link) }
      rest = rest.dropFirst(netlinkAligned(length))
    }
    return links
  }
}

/// The versions of IP, by Linux's numbers.
private enum IPFamily {
  /// Returns the number of bytes of an address; `nil` for another family.
  static func size(_ family: UInt8) -> Int? {
    switch family {
    case 2: 4
    case 10: 16
    default: nil
    }
  }
}
