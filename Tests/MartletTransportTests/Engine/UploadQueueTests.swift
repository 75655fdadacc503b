import MartletCore
import NIOCore
import Testing

@testable import MartletTransport

/// How far a body's producer may be ahead of what is sent (design, the hot path).
struct UploadQueueTests {
  private let chunk = ByteBuffer(repeating: 0x78, count: 128 << 10)

  @Test func `chunks come out in the order in which they were written`() throws {
    var queue = UploadQueue(length: nil)
    let chunks = (0..<3 as Range<UInt8>).map { ByteBuffer(repeating: $0, count: 10_000) }
    for chunk in chunks { try queue.append(chunk) }
    #expect((0..<4).map { _ in queue.next() } == chunks + [nil])
    #expect(queue.isEmpty)
  }

  @Test func `small chunks that wait come out together, up to 16 KiB`() throws {
    var queue = UploadQueue(length: nil)
    for count in [1, 8_000, 8_383, 1, 20_000, 5] {
      try queue.append(ByteBuffer(repeating: 0x78, count: count))
    }
    #expect((0..<5).map { _ in queue.next()?.readableBytes } == [16_384, 1, 20_000, 5, nil])
    #expect(!queue.isFull)
  }

  @Test func `it is full at 512 KiB, and has room again at half of that`() throws {
    var queue = UploadQueue(length: nil)
    for _ in 0..<3 {
      try queue.append(chunk)
      #expect(!queue.isFull)
    }
    try queue.append(chunk)
    #expect(queue.isFull)
    _ = queue.next()
    #expect(!queue.hasRoom)
    _ = queue.next()
    #expect(queue.hasRoom)
  }

  @Test func `an empty chunk is nothing to send`() throws {
    var queue = UploadQueue(length: 0)
    try queue.append(ByteBuffer())
    #expect(queue.isEmpty)
    try queue.checkEnd()
  }

  @Test func `more than was announced is refused with the chunk that is too much`() throws {
    var queue = UploadQueue(length: 3)
    try queue.append(ByteBuffer(string: "ab"))
    #expect { try queue.append(ByteBuffer(string: "cd")) } throws: {
      ($0 as? MartletError)?.code == .bodyLengthMismatch
    }
  }

  @Test func `less than was announced is an error at the end`() throws {
    var queue = UploadQueue(length: 3)
    try queue.append(ByteBuffer(string: "ab"))
    #expect(throws: MartletError.self) { try queue.checkEnd() }
  }

  @Test func `one that is closed has nothing and takes nothing`() throws {
    var queue = UploadQueue(length: nil)
    try queue.append(chunk)
    queue.close()
    #expect(queue.next() == nil)
    #expect(throws: CancellationError.self) { try queue.append(chunk) }
  }
}
