/// All addresses that begin with the same bits.
struct IPPrefix: Hashable, Sendable {
  /// Four bytes or sixteen.
  let bytes: [UInt8]
  /// How many bits count.
  let length: Int

  /// Whether an address, of the same version, begins with these bits.
  func contains(_ address: [UInt8]) -> Bool {
    guard address.count == bytes.count else { return false }
    return zip(bytes, address).enumerated().allSatisfy { position, pair in
      let bits = min(max(length - position * 8, 0), 8)
      let mask = UInt8(truncatingIfNeeded: 0xFF00 >> bits)
      return (pair.0 ^ pair.1) & mask == 0
    }
  }
}
