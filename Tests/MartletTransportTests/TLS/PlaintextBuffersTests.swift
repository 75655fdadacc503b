import NIOCore
import NIOEmbedded
import Testing

@testable import MartletTransport

/// How bytes that TLS has decrypted are handed on (design, the hot path).
final class PlaintextBuffersTests {
  private let buffers = PlaintextBuffers()
  private let channel: EmbeddedChannel

  init() {
    channel = EmbeddedChannel(handler: buffers)
  }

  /// A channel that is not closed refers to itself.
  deinit {
    _ = try? channel.finish(acceptAlreadyClosed: true)
  }

  @Test(arguments: [1, 1_000, 256 << 10, (256 << 10) + 1, 1_000_000])
  func `bytes are handed on whole and in order, in pieces of at most 256 KiB`(count: Int) throws {
    let bytes = ByteBuffer(bytes: (0..<count).map { UInt8(truncatingIfNeeded: $0 / 7) })
    try channel.writeInbound(bytes)
    var all = ByteBuffer()
    while let piece = try channel.readInbound(as: ByteBuffer.self) {
      #expect((1...(256 << 10)).contains(piece.readableBytes))
      all.writeImmutableBuffer(piece)
    }
    #expect(all == bytes)
  }

  @Test func `a piece that is kept stays as it is`() throws {
    var kept: [ByteBuffer] = []
    for number in 0..<20 as Range<UInt8> {
      try channel.writeInbound(ByteBuffer(repeating: number, count: 1_000))
      kept.append(try #require(try channel.readInbound()))
    }
    for (number, piece) in kept.enumerated() {
      #expect(piece == ByteBuffer(repeating: UInt8(number), count: 1_000))
    }
  }

  @Test func `memory of a piece that is not kept is used again`() throws {
    let addresses = try (0..<10).map { _ in try address(ofPieceWith: 1_000) }
    #expect(Set(addresses).count == 1)
  }

  @Test func `large buffers go when none has been filled for five seconds`() throws {
    try channel.writeInbound(ByteBuffer(repeating: 1, count: 16 << 10))
    #expect(!buffers.keepsLarge)
    try channel.writeInbound(ByteBuffer(repeating: 1, count: 100_000))
    channel.embeddedEventLoop.advanceTime(by: .seconds(4))
    try channel.writeInbound(ByteBuffer(repeating: 1, count: 100_000))
    channel.embeddedEventLoop.advanceTime(by: .seconds(4))
    #expect(buffers.keepsLarge)
    channel.embeddedEventLoop.advanceTime(by: .seconds(6))
    #expect(!buffers.keepsLarge)
  }

  @Test func `after that they come back with the next large body`() throws {
    for _ in 0..<2 {
      try channel.writeInbound(ByteBuffer(repeating: 1, count: 100_000))
      #expect(buffers.keepsLarge)
      channel.embeddedEventLoop.advanceTime(by: PlaintextBuffers.releaseInterval * 2)
      #expect(!buffers.keepsLarge)
    }
  }

  private func address(ofPieceWith count: Int) throws -> Int {
    try channel.writeInbound(ByteBuffer(repeating: 1, count: count))
    let piece = try #require(try channel.readInbound(as: ByteBuffer.self))
    return piece.withUnsafeReadableBytes { Int(bitPattern: $0.baseAddress) }
  }
}
