import MartletCore
import MartletEssentials
import NIOCore

/// A response in a field of a hash: the record, and the body or where it is.
///
/// Both are in one value, so that a record never has the body of another one.
struct RedisEntry: Sendable {
  /// The first byte. Another format has another number.
  private static let format: UInt8 = 1

  /// The body of a response.
  enum Body: Sendable {
    case inline(ByteBuffer)
    case chunks(Chunks)

    var chunks: Chunks? { if case .chunks(let chunks) = self { chunks } else { nil } }
  }

  /// A body in chunks, all of which but the last one have the same size.
  struct Chunks: Hashable, Sendable {
    /// A random number.
    let id: UInt64
    var length: Int64 = 0
    var size = RedisLayout.chunkSize

    /// The number of chunks.
    var count: Int { Int((length + Int64(size) - 1) / Int64(size)) }

    /// The number of bytes of a chunk.
    func length(of number: Int) -> Int {
      Int(min(Int64(size), length - Int64(number) * Int64(size)))
    }
  }

  /// The digest of ``RedisLayout/seal(_:)``.
  let seal: [UInt8]
  var record: CachedResponse.Record
  let body: Body

  init(_ record: CachedResponse.Record, _ body: Body, seal: [UInt8]) {
    self.record = record
    self.body = body
    self.seal = seal
  }

  /// The entry in a value; `nil` if it is something else, such as an entry in a later format.
  init?(bytes: ByteBuffer) {
    var bytes = bytes
    guard bytes.readInteger() == Self.format, let seal = bytes.readBytes(length: 32),
      let body = bytes.readBody(), let record = CachedResponse.Record(bytes: bytes)
    else { return nil }
    self.init(record, body, seal: seal)
  }

  var bytes: ByteBuffer {
    var bytes = ByteBuffer()
    bytes.writeInteger(Self.format)
    bytes.writeBytes(seal)
    switch body {
    case .inline(let body):
      bytes.writeInteger(UInt32(0))
      bytes.writeInteger(UInt32(body.readableBytes))
      bytes.writeImmutableBuffer(body)
    case .chunks(let chunks):
      bytes.writeInteger(UInt32(chunks.size))
      bytes.writeInteger(chunks.id)
      bytes.writeInteger(chunks.length)
    }
    bytes.writeImmutableBuffer(record.bytes)
    return bytes
  }
}

extension RedisEntry.Chunks {
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
    guard stored.readInteger() == id, stored.readInteger() == UInt32(number),
      stored.readableBytes == length(of: number)
    else { return nil }
    return stored
  }
}

extension ByteBuffer {
  fileprivate mutating func readBody() -> RedisEntry.Body? {
    guard let size: UInt32 = readInteger() else { return nil }
    guard size > 0 else { return readLengthPrefixedSlice(as: UInt32.self).map { .inline($0) } }
    // A body must not have too many chunks.
    guard size == RedisLayout.chunkSize, let id: UInt64 = readInteger(),
      let length: Int64 = readInteger(), (0...Int64(1) << 40).contains(length)
    else { return nil }
    return .chunks(RedisEntry.Chunks(id: id, length: length, size: Int(size)))
  }
}

extension RESPValue {
  /// The entry in a bulk string.
  var entry: RedisEntry? { bytes.flatMap { RedisEntry(bytes: $0) } }
}
