extension ArraySlice<UInt8> {
  /// The number, in the machine's order of bytes, that lies `offset` bytes behind the start; `nil` when the
  /// bytes end before.
  func number<Number: FixedWidthInteger & BitwiseCopyable>(
    _ type: Number.Type, at offset: Int
  ) -> Number? {
    guard offset >= 0, offset + MemoryLayout<Number>.size <= count else { return nil }
    return withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: type) }
  }
}

extension [UInt8] {
  /// Adds a number in the machine's order of bytes.
  mutating func append(number: some FixedWidthInteger & BitwiseCopyable) {
    Swift.withUnsafeBytes(of: number) { append(contentsOf: $0) }
  }
}

/// Where the kernel lets something begin behind so many bytes (`NLMSG_ALIGN`, `RTA_ALIGN`).
func netlinkAligned(_ length: Int) -> Int { (length + 3) & ~3 }
