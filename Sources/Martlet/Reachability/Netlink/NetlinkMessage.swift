/// Something the kernel says about the network (netlink(7)).
struct NetlinkMessage: Hashable, Sendable {
  /// What it is about.
  struct Kind: RawRepresentable, Hashable, Sendable {
    var rawValue: UInt16

    static let failure = Kind(rawValue: 2)
    static let done = Kind(rawValue: 3)
    static let link = Kind(rawValue: 16)
    static let address = Kind(rawValue: 20)
    static let route = Kind(rawValue: 24)
  }

  static let headerSize = 16

  var kind: Kind
  var flags: UInt16
  /// The number of the request that it answers.
  var sequence: UInt32
  var payload: ArraySlice<UInt8>

  /// Whether the table changed while it was read (`NLM_F_DUMP_INTR`).
  var isInterrupted: Bool { flags & 0x10 != 0 }
}

/// The messages that came together. What is malformed ends them.
struct NetlinkMessages: Sequence, IteratorProtocol {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes
  }

  mutating func next() -> NetlinkMessage? {
    guard let length = rest.number(UInt32.self, at: 0).map(Int.init),
      (NetlinkMessage.headerSize...).contains(length), length <= rest.count,
      let kind = rest.number(UInt16.self, at: 4), let flags = rest.number(UInt16.self, at: 6),
      let sequence = rest.number(UInt32.self, at: 8)
    else { return nil }
    let payload = rest.prefix(length).dropFirst(NetlinkMessage.headerSize)
    rest = rest.dropFirst(netlinkAligned(length))
    return NetlinkMessage(
      kind: NetlinkMessage.Kind(rawValue: kind), flags: flags, sequence: sequence, payload: payload)
  }
}

/// The attributes at the end of a message (rtnetlink(7)). What is malformed ends them.
struct NetlinkAttributes: Sequence, IteratorProtocol {
  private static let headerSize = 4
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes
  }

  mutating func next() -> (kind: UInt16, value: ArraySlice<UInt8>)? {
    guard let length = rest.number(UInt16.self, at: 0).map(Int.init),
      (Self.headerSize...).contains(length), length <= rest.count,
      let kind = rest.number(UInt16.self, at: 2)
    else { return nil }
    let value = rest.prefix(length).dropFirst(Self.headerSize)
    rest = rest.dropFirst(netlinkAligned(length))
    // The two highest bits say how the value is written.
    return (kind & 0x3FFF, value)
  }
}
