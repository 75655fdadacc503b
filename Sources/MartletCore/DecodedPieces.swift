package import NIOCore

/// A coded body on its way through a decoder.
///
/// Put a chunk in, take pieces out until there are none, and so on; then say `finish`.
package struct DecodedPieces {
  /// The most bytes of one piece, unless another size is asked for: 256 KiB.
  package static let size = 256 << 10

  private var decoder: any ContentDecoder
  private var input = ByteBuffer()

  package init(_ decoding: ContentDecoding) throws {
    decoder = try decoding.makeDecoder()
  }

  /// Takes in what has been received.
  package mutating func append(_ chunk: ByteBuffer) {
    if input.readableBytes == 0 { input = chunk } else { input.writeImmutableBuffer(chunk) }
  }

  /// The next piece, or `nil` until more has been received.
  package mutating func next(upTo limit: Int = Self.size) throws -> ByteBuffer? {
    try decoder.decode(&input, upTo: limit)
  }

  /// Says that everything has been received.
  package mutating func finish() throws {
    try decoder.finish()
  }
}
