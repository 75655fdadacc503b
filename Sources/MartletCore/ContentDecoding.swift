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
public struct ContentDecoding: Sendable {
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
