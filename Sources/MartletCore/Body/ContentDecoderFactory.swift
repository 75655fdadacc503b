public import NIOCore

/// Undoes a content coding, such as gzip, piece by piece (RFC 9110 §8.4).
public protocol ContentDecoder {
  /// Decodes the next piece of the body.
  ///
  /// It is called with the same input until it returns `nil`, and then again when more has come in. So
  /// no more than one piece is in memory at a time, however much the input swells.
  ///
  /// - Parameters:
  ///   - input: What is at hand of the coded body. The decoder moves the reader index past what it has
  ///     taken; what it leaves comes back with more behind it.
  ///   - limit: The most bytes to return.
  /// - Returns: At least one byte, or `nil` when the decoder needs more input, or has reached the end.
  /// - Throws: `MartletError` with code `.contentDecodingFailed` for malformed input and
  ///   `.decompressionLimitExceeded` for input that swells beyond the limits.
  mutating func decode(_ input: inout ByteBuffer, upTo limit: Int) throws -> ByteBuffer?

  /// Says that the body has ended.
  ///
  /// - Throws: `MartletError` with code `.contentDecodingFailed` when the coded text ends too early.
  mutating func finish() throws
}

/// How to make a decoder for one body.
public struct ContentDecoderFactory: Sendable {
  private let make: @Sendable () throws -> any ContentDecoder

  /// A decoding whose decoders are made by `make`, one for each body.
  public init(_ make: @escaping @Sendable () throws -> any ContentDecoder) {
    self.make = make
  }

  /// A fresh decoder, for one body.
  public func makeDecoder() throws -> any ContentDecoder {
    try make()
  }
}

/// A coded body on its way through a decoder.
///
/// Put a chunk in, take pieces out until there are none, and so on; then say `finish`.
package struct DecodedPieces {
  /// The most bytes of one piece, unless another size is asked for: 256 KiB.
  package static let size = 256 << 10

  private var decoder: any ContentDecoder
  private var input = ByteBuffer()

  package init(_ decoding: ContentDecoderFactory) throws {
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

/// Decoding a body that is in memory as a whole.
extension ContentDecoderFactory {
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
  package func decodedOffActor(_ bytes: ByteBuffer) async throws -> ByteBuffer {
    var pieces = try pieces(of: bytes)
    var first = ByteBuffer()
    if !bytes.isLargeBody {
      first = try pieces.next(upTo: ByteBuffer.largeBody) ?? first
      guard first.isLargeBody else { return try Self.rest(of: pieces, behind: first) }
    }
    // Unsafe because a closure cannot hand over what it captures: the pieces were made above, for this call
    // alone, and nothing here touches them any more.
    nonisolated(unsafe) let remaining = pieces
    return try await runOnGlobalExecutor { try await Self.restAside(of: remaining, behind: first) }
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
