/// A message of the kernel about the network (netlink(7)).
struct NetlinkMessage: Hashable, Sendable {
  /// The type of a message.
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

/// The messages of one datagram. A malformed message ends the sequence.
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

/// The attributes at the end of a message (rtnetlink(7)). A malformed attribute ends the sequence.
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
    // The two highest bits describe the format of the value.
    return (kind & 0x3FFF, value)
  }
}

extension ArraySlice<UInt8> {
  /// Returns the number in host byte order that begins `offset` bytes after the start; `nil` when there are too few
  /// bytes.
  func number<Number: FixedWidthInteger & BitwiseCopyable>(
    _ type: Number.Type, at offset: Int
  ) -> Number? {
    guard offset >= 0, offset + MemoryLayout<Number>.size <= count else { return nil }
    return withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: type) }
  }
}

extension [UInt8] {
  /// Appends a number in host byte order.
  mutating func append(number: some FixedWidthInteger & BitwiseCopyable) {
    Swift.withUnsafeBytes(of: number) { append(contentsOf: $0) }
  }
}

/// Returns a length rounded up to the kernel's alignment (`NLMSG_ALIGN`, `RTA_ALIGN`).
func netlinkAligned(_ length: Int) -> Int { (length + 3) & ~3 }
