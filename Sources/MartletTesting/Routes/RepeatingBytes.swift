import NIOCore

/// A block of bytes, repeated: a body of any size that takes the memory of one block.
struct RepeatingBytes: Sendable {
  private let block: ByteBuffer

  /// The alphabet in lower case, from `a`.
  static let alphabet = RepeatingBytes(
    block: ByteBuffer(bytes: (0..<26 * 2520).map { UInt8(ascii: "a") + UInt8($0 % 26) }))

  /// Pseudorandom bytes that depend on the seed only; at most `count` of them are used.
  ///
  /// A block that is repeated has a prime length, so that tests detect chunks in the wrong order.
  static func random(seed: UInt64, count: Int) -> RepeatingBytes {
    let size = min(count, 262_147)
    let words = (0..<(size + 7) / 8).map { splitMix(seed, UInt64($0)).littleEndian }
    let block = words.withUnsafeBytes { ByteBuffer(bytes: $0.prefix(size)) }
    return RepeatingBytes(block: block)
  }

  /// Writes the bytes at the positions `range`, `size` at a time.
  func write(
    _ range: Range<Int>, in size: Int, _ write: ServerResponse.Writer
  ) async throws {
    var position = range.lowerBound
    while position < range.upperBound {
      let end = min(position + size, range.upperBound)
      try await write(bytes(position..<end))
      position = end
    }
  }

  private func bytes(_ range: Range<Int>) -> ByteBuffer {
    let period = block.readableBytes
    var position = range.lowerBound % period
    if let slice = block.getSlice(at: position, length: range.count) { return slice }
    var bytes = ByteBuffer()
    bytes.reserveCapacity(range.count)
    while bytes.readableBytes < range.count {
      let length = min(period - position, range.count - bytes.readableBytes)
      if let slice = block.getSlice(at: position, length: length) {
        bytes.writeImmutableBuffer(slice)
      }
      position = 0
    }
    return bytes
  }

  /// A word of the SplitMix64 sequence.
  private static func splitMix(_ seed: UInt64, _ index: UInt64) -> UInt64 {
    var word = seed &+ (index &+ 1) &* 0x9E37_79B9_7F4A_7C15
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}
