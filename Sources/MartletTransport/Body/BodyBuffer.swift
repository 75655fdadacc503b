import MartletCore
import NIOCore

/// A body that is collected in memory.
struct BodyBuffer {
  /// A slice is copied when it is smaller than this, or has a read buffer many times its size behind it,
  /// which it would keep alive.
  private static let smallSlice = 16 << 10

  private let limit: Int
  private let expected: Int
  private(set) var bytes = ByteBuffer()

  /// - Parameters:
  ///   - limit: The most bytes to collect.
  ///   - expected: How many there will be, as far as the head tells.
  /// - Throws: `MartletError` with code `.bodyTooLarge` when that is too many already.
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
    // What the server announces is not worth more than a megabyte of trust.
    bytes.reserveCapacity(min(max(expected, chunk.readableBytes), 1 << 20))
    bytes.writeImmutableBuffer(chunk)
  }
}

extension ByteBuffer {
  /// How many times its own size a slice may keep alive.
  static let maximumSliceOverhead = 4

  /// Whether what lies behind the bytes is not much more than they are.
  var isCompact: Bool { storageCapacity <= Self.maximumSliceOverhead * readableBytes }

  /// The same bytes, without a read buffer many times their size that they would keep alive.
  var compact: ByteBuffer {
    guard !isCompact else { return self }
    var copy = ByteBufferAllocator().buffer(capacity: readableBytes)
    copy.writeImmutableBuffer(self)
    return copy
  }
}

extension BidirectionalCollection where Self: MutableCollection, Element == ByteBuffer {
  /// Puts a chunk into the last one when they come to less than 4 KiB together; whether it did.
  mutating func mergeIntoLast(_ chunk: ByteBuffer) -> Bool {
    guard !isEmpty else { return false }
    let last = index(before: endIndex)
    guard self[last].readableBytes + chunk.readableBytes < 4 << 10 else { return false }
    self[last].writeImmutableBuffer(chunk)
    return true
  }
}
