import NIOCore

/// A large body in chunks, all of which but the last one have the same size. They are the fields of one hash, whose names
/// are their numbers.
struct RedisChunks: Hashable, Sendable {
  /// A random number, but not 0.
  let id: UInt64
  var length: Int64 = 0

  /// The number of chunks.
  var count: Int { Int((length + Int64(RedisLayout.chunkSize) - 1) / Int64(RedisLayout.chunkSize)) }

  /// Returns a chunk as it is stored: behind its body's id and its number.
  func stored(_ bytes: ByteBuffer, number: Int) -> ByteBuffer {
    var chunk = ByteBuffer()
    chunk.writeInteger(id)
    chunk.writeInteger(UInt32(number))
    chunk.writeImmutableBuffer(bytes)
    return chunk
  }

  /// Returns the bytes of a stored chunk; `nil` if it is not this one.
  func bytes(of stored: ByteBuffer, number: Int) -> ByteBuffer? {
    var stored = stored
    let rest = length - Int64(number) * Int64(RedisLayout.chunkSize)
    guard stored.readInteger() == id, stored.readInteger() == UInt32(number),
      stored.readableBytes == min(Int64(RedisLayout.chunkSize), rest)
    else { return nil }
    return stored
  }
}
