package import NIOCore

/// Decoding a body that is in memory as a whole.
extension ContentDecoding {
  /// The body, decoded on the spot.
  ///
  /// - Throws: What the decoder throws; `MartletError` with code `.bodyTooLarge` when no buffer can hold
  ///   what comes out.
  func decoded(_ bytes: ByteBuffer) throws -> ByteBuffer {
    try Self.rest(of: try pieces(of: bytes), behind: ByteBuffer())
  }

  /// The body, decoded on the caller's actor if it is small before and after, and elsewhere if not.
  ///
  /// - Throws: What `decoded` throws.
  package func decodedAside(_ bytes: ByteBuffer) async throws -> ByteBuffer {
    var pieces = try pieces(of: bytes)
    var first = ByteBuffer()
    if !bytes.isLargeBody {
      first = try pieces.next(upTo: ByteBuffer.largeBody) ?? first
      guard first.isLargeBody else { return try Self.rest(of: pieces, behind: first) }
    }
    // Unsafe because a closure cannot hand over what it captures: the pieces were made above, for this call
    // alone, and nothing here touches them any more.
    nonisolated(unsafe) let remaining = pieces
    return try await elsewhere { try await Self.restAside(of: remaining, behind: first) }
  }

  private func pieces(of bytes: ByteBuffer) throws -> DecodedPieces {
    var pieces = try DecodedPieces(self)
    pieces.append(bytes)
    return pieces
  }

  private static func rest(of pieces: DecodedPieces, behind first: ByteBuffer) throws -> ByteBuffer
  {
    var pieces = pieces
    var whole = first
    while let piece = try pieces.next() {
      guard whole.readableBytes + piece.readableBytes <= ByteBuffer.largest else {
        throw MartletError.bodyTooLarge(limit: ByteBuffer.largest)
      }
      whole.writeImmutableBuffer(piece)
    }
    try pieces.finish()
    return whole
  }

  @concurrent
  private static func restAside(of pieces: sending DecodedPieces, behind first: ByteBuffer)
    async throws -> ByteBuffer
  {
    try rest(of: pieces, behind: first)
  }
}
