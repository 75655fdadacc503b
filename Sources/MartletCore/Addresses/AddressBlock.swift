/// All addresses that begin with the same bits (RFC 4632 §3.1, RFC 4291 §2.3).
package struct AddressBlock: Hashable, Sendable {
  /// What the addresses begin with, as far as `bits` reach.
  package let prefix: [UInt8]
  package let bits: Int

  /// A block of addresses that have at least as many bytes as `prefix`.
  package init(_ prefix: [UInt8], _ bits: Int) {
    self.prefix = prefix
    self.bits = bits
  }

  /// Whether an address of either family is in a block whose prefix is as long as an address.
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
