import MartletCore
import NIOCore

/// A body that is collected in memory.
struct BodyBuffer {
  /// A slice smaller than this is copied. So is a slice of a much larger read buffer, which the slice would keep alive.
  private static let smallSlice = 16 << 10

  private let limit: Int
  private let expected: Int
  private(set) var bytes = ByteBuffer()

  /// - Parameters:
  ///   - limit: The maximum number of bytes to collect.
  ///   - expected: The length of the body, if the head states it.
  /// - Throws: `MartletError` with code `.bodyTooLarge` when `expected` is more than `limit`.
  init(limit: Int, expected: Int64?) throws(MartletError) {
    let limit = min(limit, ByteBuffer.largest)
    guard expected ?? 0 <= limit else { throw .bodyTooLarge(limit: limit) }
    self.limit = limit
    self.expected = Int(expected ?? 0)
  }

  mutating func append(_ chunk: ByteBuffer) throws(MartletError) {
    guard bytes.readableBytes + chunk.readableBytes <= limit else {
      throw .bodyTooLarge(limit: limit)
    }
    guard bytes.readableBytes == 0 else {
      bytes.writeImmutableBuffer(chunk)
      return
    }
    if chunk.readableBytes >= max(expected, Self.smallSlice), chunk.isCompact {
      bytes = chunk
      return
    }
    // The announced length is not trusted: at most 1 MiB is reserved for it.
    bytes.reserveCapacity(min(max(expected, chunk.readableBytes), 1 << 20))
    bytes.writeImmutableBuffer(chunk)
  }
}

extension ByteBuffer {
  /// How many times as large as its readable bytes the storage of a slice may be.
  static let maximumSliceOverhead = 4

  /// Whether the storage is at most `maximumSliceOverhead` times as large as the readable bytes.
  var isCompact: Bool { storageCapacity <= Self.maximumSliceOverhead * readableBytes }

  /// The same bytes, copied if their storage is much larger than they are.
  var compact: ByteBuffer {
    guard !isCompact else { return self }
    var copy = ByteBufferAllocator().buffer(capacity: readableBytes)
    copy.writeImmutableBuffer(self)
    return copy
  }
}

extension BidirectionalCollection where Self: MutableCollection, Element == ByteBuffer {
  /// Merges a chunk into the last chunk if both together are smaller than 4 KiB.
  ///
  /// - Returns: Whether the chunk was merged.
  mutating func mergeIntoLast(_ chunk: ByteBuffer) -> Bool {
    guard !isEmpty else { return false }
    let last = index(before: endIndex)
    guard self[last].readableBytes + chunk.readableBytes < 4 << 10 else { return false }
    self[last].writeImmutableBuffer(chunk)
    return true
  }
}
