import EssentialFoundation

/// An IP address and a port.
public struct IPAddress: Hashable, Sendable {
  /// Four bytes or sixteen, in network order.
  public let bytes: [UInt8]
  /// The port.
  public let port: Int

  /// An address from its parts; `nil` unless there are four bytes or sixteen.
  public init?(bytes: [UInt8], port: Int) {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    self.bytes = bytes
    self.port = port
  }

  /// Whether the address is public, and not reserved for a special purpose (RFC 6890, and IANA's registries of
  /// special-purpose addresses).
  public var isPublic: Bool {
    if let embedded = embeddedIPv4 { return Self.isPublic(IPv4: embedded) }
    if bytes.count == 4 { return Self.isPublic(IPv4: bytes) }
    // All allocated public addresses are in 2000::/3.
    return bytes[0] & 0xE0 == 0x20 && !Self.reservedIPv6.contains { $0.contains(bytes) }
  }

  private static func isPublic(IPv4 bytes: [UInt8]) -> Bool {
    !reservedIPv4.contains { $0.contains(bytes) }
  }

  /// The IPv4 address, if it is mapped to this IPv6 address (RFC 4291 §2.5.5.2); else the address itself.
  package var unmapped: IPAddress {
    guard bytes.count == 16, Self.mapped.contains(bytes) else { return self }
    return IPAddress(bytes: Array(bytes[12..<16]), port: port) ?? self
  }

  /// The IPv4 address in an IPv6 address: mapped (RFC 4291 §2.5.5.2), translated (RFC 6052 §2.1) or 6to4
  /// (RFC 3056 §2).
  private var embeddedIPv4: [UInt8]? {
    guard bytes.count == 16 else { return nil }
    if Self.mapped.contains(bytes) || Self.translated.contains(bytes) {
      return Array(bytes[12..<16])
    }
    return Self.sixToFour.contains(bytes) ? Array(bytes[2..<6]) : nil
  }

  private typealias Block = AddressBlock

  private static let mapped = Block([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], 96)
  private static let translated = Block([0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0], 96)
  private static let sixToFour = Block([0x20, 0x02], 16)

  private static let reservedIPv4: [Block] = [
    Block([0], 8), Block([10], 8), Block([100, 64], 10), Block([127], 8), Block([169, 254], 16),
    Block([172, 16], 12), Block([192, 0, 0], 24), Block([192, 0, 2], 24),
    Block([192, 88, 99], 24), Block([192, 168], 16), Block([198, 18], 15),
    Block([198, 51, 100], 24), Block([203, 0, 113], 24), Block([224], 4), Block([240], 4),
  ]

  /// Protocol assignments, including Teredo, and two blocks for documentation.
  private static let reservedIPv6: [Block] = [
    Block([0x20, 0x01, 0x00], 23), Block([0x20, 0x01, 0x0D, 0xB8], 32),
    Block([0x3F, 0xFF, 0x00], 20),
  ]
}

/// A block of addresses with the same leading bits (RFC 4632 §3.1, RFC 4291 §2.3).
package struct AddressBlock: Hashable, Sendable {
  /// The bytes at the start of the addresses, of which the first `bits` bits count.
  package let prefix: [UInt8]
  package let bits: Int

  /// A block of addresses that have at least as many bytes as `prefix`.
  package init(_ prefix: [UInt8], _ bits: Int) {
    self.prefix = prefix
    self.bits = bits
  }

  /// Whether an address of any family is in the block, whose prefix must have the length of an address.
  package func covers(_ address: [UInt8]) -> Bool {
    address.count == prefix.count && contains(address)
  }

  /// Whether an address, of the block's own family, is in the block.
  package func contains(_ bytes: [UInt8]) -> Bool {
    for (position, byte) in prefix.enumerated() {
      let rest = min(max(bits - position * 8, 0), 8)
      let mask = UInt8(truncatingIfNeeded: 0xFF00 >> rest)
      guard (bytes[position] ^ byte) & mask == 0 else { return false }
    }
    return true
  }
}

extension IPAddress {
  /// An address from text, such as `192.0.2.1` or `2001:db8::1`; `nil` if the text is not an address. A zone is ignored.
  ///
  /// - Parameters:
  ///   - text: The text, without brackets.
  ///   - port: The port. The default is 0.
  public init?(_ text: some StringProtocol, port: Int = 0) {
    let bare = String(text.prefix { $0 != "%" })
    guard let bytes = Self.bytes(bare, AF_INET, count: 4) ?? Self.bytes(bare, AF_INET6, count: 16)
    else { return nil }
    self.init(bytes: bytes, port: port)
  }

  private static func bytes(_ text: String, _ family: CInt, count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return inet_pton(family, text, &bytes) == 1 ? bytes : nil
  }
}
