import NIOCore

/// Bytes that look random and depend on nothing but a seed and their position.
///
/// Every eighth byte starts a new word of the SplitMix64 sequence, so any part can be made alone.
struct RandomBytes: Sendable {
  let count: Int
  private let seed: UInt64

  init(count: Int, seed: UInt64) {
    self.count = count
    self.seed = seed
  }

  /// As many as the path's `n` says, from the query's `seed` or one that nobody knows.
  init(_ request: ServerRequest) throws {
    count = try request.integer("n", in: 0...(1 << 40))
    let seed = try request.queryInteger("seed", in: Int.min...Int.max)
    self.seed = seed.map { UInt64(bitPattern: Int64($0)) } ?? .random(in: 0 ... .max)
  }

  /// The bytes of a part.
  func bytes(_ range: Range<Int>) -> ByteBuffer {
    let firstWord = range.lowerBound / 8
    let words = (firstWord..<(range.upperBound + 7) / 8).map { word(UInt64($0)).littleEndian }
    return words.withUnsafeBytes { raw in
      let start = range.lowerBound - firstWord * 8
      return ByteBuffer(bytes: UnsafeRawBufferPointer(rebasing: raw[start..<start + range.count]))
    }
  }

  /// Writes all bytes, `size` at a time.
  func write(in size: Int, _ write: ServerResponse.Writer) async throws {
    var position = 0
    while position < count {
      let end = min(position + size, count)
      try await write(bytes(position..<end))
      position = end
    }
  }

  private func word(_ index: UInt64) -> UInt64 {
    var word = seed &+ (index &+ 1) &* 0x9E37_79B9_7F4A_7C15
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}
