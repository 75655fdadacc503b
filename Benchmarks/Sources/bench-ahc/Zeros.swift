import NIOCore

/// A body of zeros, in chunks of 64 KiB that share their memory.
struct Zeros: AsyncSequence, AsyncIteratorProtocol, Sendable {
  private let chunk = ByteBuffer(repeating: 0, count: 64 << 10)
  private var left: Int

  init(bytes: Int) { left = bytes }

  func makeAsyncIterator() -> Zeros { self }

  mutating func next() async -> ByteBuffer? {
    guard left > 0 else { return nil }
    left -= chunk.readableBytes
    return chunk
  }
}
