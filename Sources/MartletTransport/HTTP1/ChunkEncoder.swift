import NIOCore

/// Writes a request's body in chunks (RFC 9112 §7.1).
///
/// The line end behind a chunk leaves with it, and never with the next one: a server that reads line by
/// line would wait for it, while the producer of the body waits for the server.
enum ChunkEncoder {
  /// A chunk up to this size leaves in one write, which is worth a copy: what one TLS record holds.
  static let smallChunk = 16 << 10
  /// What comes behind the last chunk.
  static let end = ByteBuffer(string: "0\r\n\r\n")

  private static let lineEnd = ByteBuffer(string: "\r\n")

  /// What to write for a chunk of at least one byte.
  static func parts(of chunk: ByteBuffer, allocator: ByteBufferAllocator) -> [ByteBuffer] {
    let count = chunk.readableBytes
    let isSmall = count <= smallChunk
    var first = allocator.buffer(capacity: isSmall ? count + 16 : 16)
    first.writeString(String(count, radix: 16))
    first.writeStaticString("\r\n")
    guard isSmall else { return [first, chunk, lineEnd] }
    first.writeImmutableBuffer(chunk)
    first.writeStaticString("\r\n")
    return [first]
  }
}
