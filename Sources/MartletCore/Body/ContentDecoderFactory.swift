public import NIOCore

/// Decodes a content coding, such as gzip, piece by piece (RFC 9110 §8.4).
public protocol ContentDecoder {
  /// Decodes the next piece of the body.
  ///
  /// It is called with the same input until it returns `nil`, and again after more input has arrived. So only one
  /// decoded piece is in memory at a time, even if a small input expands to a large body.
  ///
  /// - Parameters:
  ///   - input: The coded bytes received so far. The decoder moves the reader index past the bytes that it has
  ///     consumed. The next input begins with the bytes that are left.
  ///   - limit: The most bytes to return.
  /// - Returns: At least one byte, or `nil` when the decoder needs more input, or has reached the end.
  /// - Throws: `MartletError` with code `.contentDecodingFailed` for malformed input and
  ///   `.decompressionLimitExceeded` for input that expands beyond the limits.
  mutating func decode(_ input: inout ByteBuffer, upTo limit: Int) throws -> ByteBuffer?

  /// Called when the coded body has ended.
  ///
  /// - Throws: `MartletError` with code `.contentDecodingFailed` when the coded body is incomplete.
  mutating func finish() throws
}

/// Makes the decoders of a content coding.
public struct ContentDecoderFactory: Sendable {
  private let make: @Sendable () throws -> any ContentDecoder

  /// A factory that calls `make` once for each body.
  public init(_ make: @escaping @Sendable () throws -> any ContentDecoder) {
    self.make = make
  }

  /// Returns a new decoder for one body.
  public func makeDecoder() throws -> any ContentDecoder {
    try make()
  }
}

/// Decodes a coded body piece by piece.
///
/// Append a chunk, take pieces until `next` returns `nil`, and repeat. Call `finish` at the end.
package struct PieceDecoder {
  /// The default limit for one piece: 256 KiB.
  package static let size = 256 << 10

  private var decoder: any ContentDecoder
  private var input = ByteBuffer()

  package init(_ decoding: ContentDecoderFactory) throws {
    decoder = try decoding.makeDecoder()
  }

  /// Appends coded bytes that have been received.
  package mutating func append(_ chunk: ByteBuffer) {
    if input.readableBytes == 0 { input = chunk } else { input.writeImmutableBuffer(chunk) }
  }

  /// Returns the next decoded piece, or `nil` if the decoder needs more coded bytes or has reached the end.
  package mutating func next(upTo limit: Int = Self.size) throws -> ByteBuffer? {
    try decoder.decode(&input, upTo: limit)
  }

  /// Called when all coded bytes have been received.
  package mutating func finish() throws {
    try decoder.finish()
  }
}

/// Decoding of a whole body in memory.
extension ContentDecoderFactory {
  /// Returns the decoded body.
  ///
  /// - Throws: What the factory and the decoder throw; `MartletError` with code `.bodyTooLarge` when no buffer can hold
  ///   the decoded body.
  func decoded(_ bytes: ByteBuffer) throws -> ByteBuffer {
    try Self.rest(of: try pieceDecoder(for: bytes), behind: ByteBuffer())
  }

  /// Decodes a body on the caller's actor if it is small before and after decoding, else on the global executor.
  ///
  /// - Throws: What `decoded` throws.
  package func decodedOffActor(_ bytes: ByteBuffer) async throws -> ByteBuffer {
    var decoder = try pieceDecoder(for: bytes)
    var first = ByteBuffer()
    if !bytes.isLargeBody {
      first = try decoder.next(upTo: ByteBuffer.largeBody) ?? first
      guard first.isLargeBody else { return try Self.rest(of: decoder, behind: first) }
    }
    // Unsafe because a closure cannot pass captured values as `sending`. It is correct because the decoder was made
    // above for this call alone, and is not used here any more.
    nonisolated(unsafe) let remaining = decoder
    return try await runOnGlobalExecutor {
      try await Self.restOffActor(of: remaining, behind: first)
    }
  }

  private func pieceDecoder(for bytes: ByteBuffer) throws -> PieceDecoder {
    var decoder = try PieceDecoder(self)
    decoder.append(bytes)
    return decoder
  }

  private static func rest(of decoder: PieceDecoder, behind first: ByteBuffer) throws -> ByteBuffer
  {
    var decoder = decoder
    var whole = first
    while let piece = try decoder.next() {
      guard whole.readableBytes + piece.readableBytes <= ByteBuffer.largest else {
        throw MartletError.bodyTooLarge(limit: ByteBuffer.largest)
      }
      whole.writeImmutableBuffer(piece)
    }
    try decoder.finish()
    return whole
  }

  @concurrent
  private static func restOffActor(of decoder: sending PieceDecoder, behind first: ByteBuffer)
    async throws -> ByteBuffer
  {
    try rest(of: decoder, behind: first)
  }
}
