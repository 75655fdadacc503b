import NIOCore

extension ByteBuffer {
  /// How many times its own size a slice may keep alive.
  static let mostBehindSlice = 4

  /// Whether what lies behind the bytes is not much more than they are.
  var isCompact: Bool { storageCapacity <= Self.mostBehindSlice * readableBytes }

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
