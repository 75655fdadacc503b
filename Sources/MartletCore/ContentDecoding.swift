public import NIOCore

/// Undoes a content coding, such as gzip, chunk by chunk (RFC 9110 §8.4).
public protocol ContentDecoder {
  /// Decodes what can be decoded of the body so far.
  ///
  /// - Throws: `MartletError` with code `.contentDecodingFailed` for malformed input and
  ///   `.decompressionLimitExceeded` for input that swells beyond the limits.
  mutating func decode(_ input: ByteBuffer) throws -> ByteBuffer

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
