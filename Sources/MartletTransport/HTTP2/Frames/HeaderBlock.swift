import NIOCore

/// A compressed header section, perhaps not complete (RFC 9113 §4.3).
struct HeaderBlock {
  let stream: Int32
  /// Whether the section ends its stream.
  let isEnd: Bool
  private(set) var bytes: ByteBuffer
  private var frames = 1
  private let limit: Int

  init(_ first: ByteBuffer, on stream: Int32, isEnd: Bool, limit: Int) {
    self.stream = stream
    self.isEnd = isEnd
    self.limit = limit
    bytes = first
  }

  /// Adds the payload of a CONTINUATION frame. The bytes are limited, and the frames, because they may be empty (§10.5.1).
  mutating func append(_ fragment: ByteBuffer) throws(HTTP2Fault) {
    frames += 1
    guard frames <= limit / 256 + 32 else {
      throw HTTP2Fault(.enhanceYourCalm, "a header section in \(frames) frames")
    }
    guard bytes.readableBytes + fragment.readableBytes <= limit else {
      throw HTTP2Fault(.protocolError, "a header section of more than \(limit) bytes")
    }
    bytes.writeImmutableBuffer(fragment)
  }
}
